"""Invitations: a secret link that opens an invite-only store (RULE invitation-code)."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel

from marketplace_app import clock
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of


class InvitationStatus(StrEnum):
    PENDING = "pending"
    ACCEPTED = "accepted"
    REVOKED = "revoked"


class Invitation(SQLModel, table=True):
    __tablename__ = "invitations"
    __table_args__ = (
        one_of("status", InvitationStatus),
        CheckConstraint("(status = 'accepted') = (accepted_at IS NOT NULL)", name="accepted_at_known"),
    )

    id: int = Field(default=None, primary_key=True)
    code_hash: str = Field(unique=True)
    """The code itself is only in the link that the invited person gets."""
    email: str = Field(index=True)
    first_name: str = ""
    last_name: str = ""
    notes: str = ""
    status: InvitationStatus = Field(default=InvitationStatus.PENDING, sa_type=TextEnum(InvitationStatus))
    created_at: datetime = Field(default_factory=clock.now, sa_type=UtcDateTime, index=True)
    created_by_id: int | None = Field(default=None, foreign_key="users.id")
    expires_at: datetime = Field(sa_type=UtcDateTime)
    accepted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    accepted_by_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    accepted_email: str = ""
    """The address of whoever accepted it, if it is not the invited one: shown to admins."""

    def is_open(self, at: datetime) -> bool:
        return self.status is InvitationStatus.PENDING and at < self.expires_at
