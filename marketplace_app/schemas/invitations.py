"""Invitations, as sent, looked up and accepted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field

from marketplace_app import clock
from marketplace_app.models import InvitationStatus
from marketplace_app.schemas.base import Answer, Form

Name = Annotated[str, Field(max_length=80)]


class InvitationForm(Form):
    SENTENCES: ClassVar[Mapping[str, str]] = {"email": "Email is required"}

    email: Annotated[str, Field(min_length=3, max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")]
    first_name: Name = ""
    last_name: Name = ""
    notes: Annotated[str, Field(max_length=1000)] = ""


class CodeForm(Form):
    code: Annotated[str, Field(max_length=64)]


@dataclass(frozen=True)
class SentInvitation:
    """Decision 44. The address holds the code, which is not kept: it can be shown this once."""

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
