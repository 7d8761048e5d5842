"""The shop's own terms, privacy policy and other legal texts: every version that was published."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_LEGAL_TEXT
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of


class LegalPage(StrEnum):
    TERMS = "terms"
    PRIVACY = "privacy"
    COMPLIANCE = "compliance"
    RETURNS = "returns"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS = {
    LegalPage.TERMS: "Terms of Service",
    LegalPage.PRIVACY: "Privacy Policy",
    LegalPage.COMPLIANCE: "Compliance",
    LegalPage.RETURNS: "Returns",
}


class LegalText(SQLModel, table=True):
    """One published version; the latest of a page is in force. Append-only: a trigger refuses updates and deletes."""

    __tablename__ = "legal_texts"
    __table_args__ = (
        one_of("page", LegalPage),
        CheckConstraint("version >= 1", name="version_from_one"),
        CheckConstraint(f"length(body) BETWEEN 1 AND {MAX_LEGAL_TEXT}", name="body_length"),
        UniqueConstraint("page", "version"),
    )

    id: int = Field(default=None, primary_key=True)
    page: LegalPage = Field(sa_type=TextEnum(LegalPage))
    version: int
    body: str
    """Plain text: `# ` begins a heading, `- ` a list item, an empty line a new paragraph."""
    author_id: int | None = Field(default=None, foreign_key="users.id")
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
