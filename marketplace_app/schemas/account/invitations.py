"""Invitations, as sent, looked up and accepted."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PlainSerializer

from marketplace_app.limits import ADMIN_PAGE_SIZE, MAX_INVITATION_NOTES, MAX_NAME
from marketplace_app.messages import EMAIL_REQUIRED
from marketplace_app.models import Invitation, InvitationStatus
from marketplace_app.schemas.base import Answer, Form, Moment, PageOfList, PageQuery, ProblemAnswer, RowId, View
from marketplace_app.schemas.emails import Email
from marketplace_app.schemas.line_errors import LineError
from marketplace_app.schemas.texts import one_line_without_nul

LINES_REFUSED_MESSAGE = "Nothing was sent. Please correct the lines below."

Name = Annotated[str, Field(max_length=MAX_NAME), AfterValidator(one_line_without_nul)]


class InvitationForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "email": "robin@example.com",
        "firstName": "Robin",
        "lastName": "Vance",
        "notes": "Met at the market",
    }

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "email": EMAIL_REQUIRED,
        "firstName": f"A first name can have at most {MAX_NAME} characters.",
        "lastName": f"A last name can have at most {MAX_NAME} characters.",
        "notes": f"Notes can have at most {MAX_INVITATION_NOTES:,} characters.",
    }

    email: Email
    first_name: Name = ""
    last_name: Name = ""
    notes: Annotated[str, Field(max_length=MAX_INVITATION_NOTES), AfterValidator(one_line_without_nul)] = ""


class DisplayStatus(StrEnum):
    """The status that staff see (RULE invitations-list): pending invitations past their date are expired."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    EXPIRED = "expired"
    REVOKED = "revoked"

    @property
    def label(self) -> str:
        """`Pending`, `Accepted`, `Expired`, but `revoked` (RULE invitations-list)."""
        return self.value if self is DisplayStatus.REVOKED else self.value.title()


class InvitationQuery(PageQuery):
    model_config = ConfigDict(validate_by_name=True)

    q: Annotated[str, Field(max_length=200)] = ""
    """Part of the invited email."""
    state: DisplayStatus | None = None


class InvitationsParams(Form):
    """The parameters of the list in the URL: `?q=fern&page=2`."""

    model_config = ConfigDict(strict=False, extra="ignore")

    q: Annotated[str, Field(max_length=200)] = ""
    page: PageOfList = 1

    def query(self) -> InvitationQuery:
        return InvitationQuery(q=self.q, limit=ADMIN_PAGE_SIZE, offset=(self.page - 1) * ADMIN_PAGE_SIZE)


class InvitationRef(Form):
    id: RowId


def _status_of(label: object) -> object:
    return label.lower() if isinstance(label, str) else label


# An invitation as staff see it. Its code is not stored.
class InvitationRow(View):
    id: int
    email: str = Field(examples=["friend@example.com"])
    first_name: str
    last_name: str
    notes: str
    status: InvitationStatus
    display_state: Annotated[
        DisplayStatus, BeforeValidator(_status_of), PlainSerializer(attrgetter("label"), return_type=str)
    ] = Field(examples=["Pending"])
    created_at: Moment
    expires_at: Moment
    accepted_at: Moment | None
    accepted_email: str
    """The email of the account that accepted it; empty if it is the invited one."""


def row_of(invitation: Invitation, at: datetime) -> InvitationRow:
    has_expired = invitation.status is InvitationStatus.PENDING and not invitation.is_open(at)
    return InvitationRow(
        id=invitation.id,
        email=invitation.email,
        first_name=invitation.first_name,
        last_name=invitation.last_name,
        notes=invitation.notes,
        status=invitation.status,
        display_state=DisplayStatus.EXPIRED if has_expired else DisplayStatus(invitation.status),
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
        accepted_at=invitation.accepted_at,
        accepted_email=invitation.accepted_email,
    )


# The URL contains the code, which is not stored: it can be shown only this once (RULE invitations-send).
class SentInvitation(View):
    id: int
    email: str = Field(examples=["friend@example.com"])
    status: InvitationStatus
    expires_at: Moment
    invite_url: str


# Either all invitations in a file were sent, or none: because of `errors`, or because it was a dry run.
class InvitationImportReport(View):
    lines: int
    sent: tuple[SentInvitation, ...]
    errors: tuple[LineError, ...]

    def refusal(self) -> dict[str, Any]:
        return {"message": LINES_REFUSED_MESSAGE, "code": "bad_lines"} | self.wire()


class InvitationImportRefusedAnswer(ProblemAnswer):
    """422 of an import: nothing was sent. The report is there unless the file itself cannot be read."""

    lines: int | None = None
    sent: list[SentInvitation] | None = None
    errors: list[LineError] | None = None


class InvalidInvitationAnswer(ProblemAnswer):
    valid: bool = Field(examples=[False])


class InvitationView(View):
    valid: bool
    email: str
    first_name: str


class AcceptedAnswer(Answer):
    redirect_to: str = Field(examples=["/"])
