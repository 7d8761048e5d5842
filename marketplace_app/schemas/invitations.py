"""Invitations, as sent, looked up and accepted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, ConfigDict, Field

from marketplace_app import clock
from marketplace_app.limits import DESK_PAGE_SIZE
from marketplace_app.messages import EMAIL_REQUIRED
from marketplace_app.models import Invitation, InvitationStatus
from marketplace_app.schemas.base import Answer, Form, PageQuery, ProblemAnswer
from marketplace_app.schemas.emails import Email
from marketplace_app.schemas.line_errors import LineError
from marketplace_app.schemas.texts import plain

BAD_LINES = "Nothing was sent. Please correct the lines below."

Id = Annotated[int, Field(ge=1, lt=2**31)]
Name = Annotated[str, Field(max_length=80), AfterValidator(plain)]


class InvitationForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "email": "robin@example.com",
        "firstName": "Robin",
        "lastName": "Vance",
        "notes": "Met at the market",
    }

    SENTENCES: ClassVar[Mapping[str, str]] = {
        "email": EMAIL_REQUIRED,
        "firstName": "A first name can have at most 80 characters.",
        "lastName": "A last name can have at most 80 characters.",
        "notes": "Notes can have at most 1,000 characters.",
    }

    email: Email
    first_name: Name = ""
    last_name: Name = ""
    notes: Annotated[str, Field(max_length=1000), AfterValidator(plain)] = ""


class ShownStatus(StrEnum):
    """What is shown of an invitation (RULE invitations-list): pending ones that have run out are expired."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    EXPIRED = "expired"
    REVOKED = "revoked"

    @property
    def label(self) -> str:
        """Three of them with a capital, any other status as it is (RULE invitations-list)."""
        return self.value if self is ShownStatus.REVOKED else self.value.title()


class InvitationQuery(PageQuery):
    model_config = ConfigDict(validate_by_name=True)

    q: Annotated[str, Field(max_length=200)] = ""
    """Part of the invited email."""
    state: ShownStatus | None = None


class InvitationsParams(Form):
    """What the address says of the list: `?q=fern&page=2`."""

    model_config = ConfigDict(strict=False, extra="ignore")

    q: Annotated[str, Field(max_length=200)] = ""
    page: Annotated[int, Field(ge=1, le=10_000)] = 1

    def query(self) -> InvitationQuery:
        return InvitationQuery(q=self.q, limit=DESK_PAGE_SIZE, offset=(self.page - 1) * DESK_PAGE_SIZE)


class InvitationRef(Form):
    id: Id


@dataclass(frozen=True)
class InvitationRow:
    """An invitation as those see it who send them. Its code is not kept."""

    id: int
    email: str
    first_name: str
    last_name: str
    notes: str
    status: InvitationStatus
    state: ShownStatus
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None
    accepted_email: str
    """Who accepted it, if not the invited person."""

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "email": self.email,
            "firstName": self.first_name,
            "lastName": self.last_name,
            "notes": self.notes,
            "status": self.status.value,
            "displayState": self.state.label,
            "createdAt": clock.iso(self.created_at),
            "expiresAt": clock.iso(self.expires_at),
            "acceptedAt": clock.iso(self.accepted_at) if self.accepted_at else None,
            "acceptedEmail": self.accepted_email,
        }


def row_of(invitation: Invitation, at: datetime) -> InvitationRow:
    has_expired = invitation.status is InvitationStatus.PENDING and not invitation.is_open(at)
    return InvitationRow(
        id=invitation.id,
        email=invitation.email,
        first_name=invitation.first_name,
        last_name=invitation.last_name,
        notes=invitation.notes,
        status=invitation.status,
        state=ShownStatus.EXPIRED if has_expired else ShownStatus(invitation.status),
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
        accepted_at=invitation.accepted_at,
        accepted_email=invitation.accepted_email,
    )


@dataclass(frozen=True)
class SentInvitation:
    """The address holds the code, which is not kept: it can be shown this once (RULE invitations-send)."""

    id: int
    email: str
    status: InvitationStatus
    expires_at: datetime
    invite_url: str

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "email": self.email,
            "status": self.status.value,
            "expiresAt": clock.iso(self.expires_at),
            "inviteUrl": self.invite_url,
        }


@dataclass(frozen=True)
class InvitationImportReport:
    """All invitations of a file were sent, or none: then `problems` says why, or it was only tried."""

    lines: int
    sent: tuple[SentInvitation, ...]
    problems: tuple[LineError, ...]

    def wire(self) -> dict[str, Any]:
        return {
            "lines": self.lines,
            "sent": [each.wire() for each in self.sent],
            "errors": [each.wire() for each in self.problems],
        }

    def refusal(self) -> dict[str, Any]:
        return {"message": BAD_LINES, "code": "bad_lines"} | self.wire()


class InvitationRowAnswer(Answer):
    id: int
    email: str = Field(examples=["friend@example.com"])
    first_name: str
    last_name: str
    notes: str
    status: InvitationStatus
    display_state: str = Field(examples=["Pending"])
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None
    accepted_email: str


class SentInvitationAnswer(Answer):
    id: int
    email: str = Field(examples=["friend@example.com"])
    status: InvitationStatus
    expires_at: datetime
    invite_url: str


class InvitationImportAnswer(Answer):
    lines: int
    sent: list[SentInvitationAnswer]
    errors: list[LineError]


class RefusedInvitationsAnswer(ProblemAnswer):
    """422 of an import: nothing was sent. The report is there unless the file itself cannot be read."""

    lines: int | None = None
    sent: list[SentInvitationAnswer] | None = None
    errors: list[LineError] | None = None


class InvalidInvitationAnswer(ProblemAnswer):
    valid: bool = Field(examples=[False])


@dataclass(frozen=True)
class InvitationView:
    email: str
    first_name: str

    def wire(self) -> dict[str, Any]:
        return {"valid": True, "email": self.email, "firstName": self.first_name}


class InvitationAnswer(Answer):
    valid: bool
    email: str
    first_name: str


class AcceptedAnswer(Answer):
    redirect_to: str = Field(examples=["/"])
