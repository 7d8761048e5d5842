"""Inviting somebody, and accepting it: once, within seven days (decision 14)."""

from typing import Any, cast

from sqlalchemy import CursorResult, select, update
from sqlmodel import Session, col

from marketplace_app import clock, codes
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import NotFound
from marketplace_app.limits import INVITATION_LIFETIME
from marketplace_app.messages import INVITATION_INVALID
from marketplace_app.models import Invitation, InvitationStatus, User
from marketplace_app.schemas.invitations import InvitationForm, InvitationView, SentInvitation
from marketplace_app.services import records
from marketplace_app.services.accounts import lock, require_admin, require_signed_in

AFTER_ACCEPTING = "/"


class InvalidInvitation(NotFound):
    """One sentence for unknown, used and expired: who guesses learns nothing."""

    code = "invalid_invitation"
    message = INVITATION_INVALID

    def body(self) -> dict[str, object]:
        return super().body() | {"valid": False}


def send(session: Session, actor: User | None, form: InvitationForm) -> SentInvitation:
    """An admin invites somebody by mail."""
    admin = require_admin(actor)
    invitation, code = write(session, form, codes.new_invitation_code(), created_by=admin)
    address = f"{get_settings().public_url}/invite/{code}"
    records.post(session, "invitation", invitation.email, first_name=invitation.first_name, address=address)
    records.audit(session, admin, "invitation.sent", f"invitation:{invitation.id}")
    assert invitation.id is not None
    return SentInvitation(invitation.id, invitation.email, invitation.status, invitation.expires_at, address)


def write(
    session: Session, form: InvitationForm, code: str, *, created_by: User | None = None
) -> tuple[Invitation, str]:
    """The row of an invitation, and its code; nothing is sent."""
    at = clock.now()
    invitation = Invitation(
        code_hash=codes.fingerprint(code),
        email=form.email,
        first_name=form.first_name,
        last_name=form.last_name,
        notes=form.notes,
        created_by_id=created_by.id if created_by else None,
        created_at=at,
        expires_at=at + INVITATION_LIFETIME,
    )
    session.add(invitation)
    session.flush()
    return invitation, code


def look_up(session: Session, _actor: User | None, code: str) -> InvitationView:
    """Whom a code invites. Raises InvalidInvitation."""
    invitation = _find(session, code)
    if invitation is None or not invitation.is_open(clock.now()):
        raise InvalidInvitation()
    return InvitationView(invitation.email, invitation.first_name)


def accept(session: Session, actor: User | None, code: str) -> str:
    """Whoever holds the code, once; answers where to go next. Asked again by the same person, it says so again.

    Raises InvalidInvitation.
    """
    user = lock(session, require_signed_in(actor))
    invitation = _find(session, code)
    if invitation is None:
        raise InvalidInvitation()
    if invitation.accepted_by_id == user.id:
        return AFTER_ACCEPTING
    at = clock.now()
    claimed = session.execute(
        update(Invitation)
        .where(
            col(Invitation.id) == invitation.id,
            col(Invitation.status) == InvitationStatus.PENDING,
            col(Invitation.expires_at) > at,
        )
        .values(
            status=InvitationStatus.ACCEPTED,
            accepted_at=at,
            accepted_by_id=user.id,
            accepted_email="" if user.verified_email == invitation.email.lower() else user.verified_email,
        )
        .execution_options(synchronize_session=False)
    )
    if cast(CursorResult[Any], claimed).rowcount != 1:
        raise InvalidInvitation()
    user.invited_at = user.invited_at or at
    session.add(user)
    records.audit(session, user, "invitation.accepted", f"invitation:{invitation.id}")
    assert user.id is not None
    for topic in (live.person(user.id), live.STAFF):
        records.announce(session, topic)
    return AFTER_ACCEPTING


def _find(session: Session, code: str) -> Invitation | None:
    statement = select(Invitation).where(col(Invitation.code_hash) == codes.fingerprint(code))
    found: Invitation | None = session.execute(statement).scalar_one_or_none()
    return found
