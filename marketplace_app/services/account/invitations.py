"""Sending and accepting invitations (RULE invitation-code). `admin/invitation_file` sends many from a file."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlmodel import Session, col

from marketplace_app import clock, codes
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.limits import MAX_UNPAGED_USERS
from marketplace_app.messages import INVITATION_INVALID, INVITATION_NOT_FOUND
from marketplace_app.models import Invitation, InvitationStatus, OutboxMessage, Permission, Product, User
from marketplace_app.schemas.account.invitations import (
    DisplayStatus,
    InvitationForm,
    InvitationQuery,
    InvitationRow,
    InvitationView,
    SentInvitation,
    row_of,
)
from marketplace_app.services import settings
from marketplace_app.services.accounts import lock, require, require_signed_in
from marketplace_app.services.claims import claim_one
from marketplace_app.services.records import announcements, audit_log, counters, outbox

AFTER_ACCEPTING = "/"
MAIL = "invitation"


class InvalidInvitation(NotFound):
    """The same for unknown, used and expired codes, so that guessing reveals nothing."""

    code = "invalid_invitation"
    message = INVITATION_INVALID

    def body(self) -> dict[str, object]:
        return super().body() | {"valid": False}


class AlreadyMember(Conflict):
    code = "already_member"
    message = "This person is already a member."


class AlreadyInvited(Conflict):
    code = "already_invited"
    message = "This person already has an open invitation. Resend or revoke it."


class BannedUser(Conflict):
    code = "banned_person"
    message = "This person is banned. Unban them instead."


class InvitationOver(Conflict):
    code = "invitation_over"

    def __init__(self, status: InvitationStatus, advice: str) -> None:
        super().__init__(f"This invitation is {status.value}. {advice}")


def send(session: Session, actor: User | None, form: InvitationForm) -> SentInvitation:
    """Invite by email. Raises AlreadyMember, AlreadyInvited or BannedUser."""
    staff = require(actor, Permission.SEND_INVITATIONS)
    counters.lock(session, counters.INVITATIONS)  # of two who invite one person at once, the second is refused
    if (failure := refusals(session, [form.email]).get(form.email)) is not None:
        raise failure
    sent = create_and_queue_mail(session, staff, form)
    _record(session, staff, "invitation.sent", sent.id)
    return sent


def refusals(session: Session, emails: Collection[str], *, except_for: int | None = None) -> dict[str, Conflict]:
    """For each of `emails` (in lower case) that cannot be invited now, the reason.

    `except_for` is the id of an invitation that does not count as open, because it is about to be sent again.
    """
    found: dict[str, Conflict] = {}
    already_invited = select(col(Invitation.email)).where(
        col(Invitation.email).in_(emails),
        col(Invitation.status) == InvitationStatus.PENDING,
        col(Invitation.expires_at) > clock.now(),
        col(Invitation.id).is_distinct_from(except_for),
    )
    found |= {email: AlreadyInvited() for email in session.execute(already_invited).scalars()}
    known = select(User).where(col(User.verified_email).in_(emails), col(User.deleted_at).is_(None))
    for user in session.execute(known).scalars():
        if user.is_banned:
            found[user.verified_email] = BannedUser()
        elif user.is_staff or user.invited_at is not None:
            found[user.verified_email] = AlreadyMember()
    return found


def create_and_queue_mail(session: Session, staff: User, form: InvitationForm) -> SentInvitation:
    """For callers that have checked permissions and `refusals`."""
    code = codes.new_invitation_code()
    return _queue_mail(session, write(session, form, code, created_by=staff), code)


def resend(session: Session, actor: User | None, invitation_id: int) -> SentInvitation:
    """Send a new code with a full lifetime; the old one stops working.

    Raises NotFound, InvitationOver, and what `send` raises if the person can no longer be invited.
    """
    staff = require(actor, Permission.SEND_INVITATIONS)
    counters.lock(session, counters.INVITATIONS)
    invitation = _lock(session, invitation_id)
    if invitation.status is not InvitationStatus.PENDING:
        raise InvitationOver(invitation.status, "Send a new one.")
    if failure := refusals(session, [invitation.email], except_for=invitation_id).get(invitation.email):
        raise failure
    _withdraw_mail(session, invitation)
    code = codes.new_invitation_code()
    invitation.code_hash = codes.fingerprint(code)
    invitation.expires_at = clock.now() + settings.current(session).invitation_lifetime
    sent = _queue_mail(session, invitation, code)
    _record(session, staff, "invitation.resent", sent.id)
    return sent


def revoke(session: Session, actor: User | None, invitation_id: int) -> InvitationRow:
    """The code stops working. Revoking again changes nothing. Raises NotFound or InvitationOver."""
    staff = require(actor, Permission.SEND_INVITATIONS)
    invitation = _lock(session, invitation_id)
    if invitation.status is InvitationStatus.ACCEPTED:
        raise InvitationOver(invitation.status, "The person who accepted it is listed under Users.")
    if invitation.status is InvitationStatus.PENDING:
        invitation.status = InvitationStatus.REVOKED
        _withdraw_mail(session, invitation)
        session.flush()
        _record(session, staff, "invitation.revoked", invitation_id)
    return row_of(invitation, clock.now())


def list_all(session: Session, actor: User | None, query: InvitationQuery) -> tuple[int, tuple[InvitationRow, ...]]:
    """The number of invitations that match the filters, and one page of them, newest first."""
    require(actor, Permission.SEE_INVITATIONS)
    at = clock.now()
    conditions = _conditions(query, at)
    total = session.execute(select(func.count()).select_from(Invitation).where(*conditions)).scalar_one()
    page = select(Invitation).where(*conditions).order_by(col(Invitation.created_at).desc(), col(Invitation.id).desc())
    found = session.execute(page.limit(query.limit or MAX_UNPAGED_USERS).offset(query.offset)).scalars()
    return int(total), tuple(row_of(invitation, at) for invitation in found)


def write(session: Session, form: InvitationForm, code: str, *, created_by: User | None = None) -> Invitation:
    """Create the row of an invitation. Nothing is sent."""
    at = clock.now()
    invitation = Invitation(
        code_hash=codes.fingerprint(code),
        email=form.email,
        first_name=form.first_name,
        last_name=form.last_name,
        notes=form.notes,
        created_by_id=created_by.id if created_by else None,
        created_at=at,
        expires_at=at + settings.current(session).invitation_lifetime,
    )
    session.add(invitation)
    session.flush()
    return invitation


def look_up(session: Session, _actor: User | None, code: str) -> InvitationView:
    """Whom a code invites. Raises InvalidInvitation."""
    invitation = _find(session, code)
    if invitation is None or not invitation.is_open(clock.now()):
        raise InvalidInvitation()
    return InvitationView(valid=True, email=invitation.email, first_name=invitation.first_name)


def sample_flavor(session: Session) -> str:
    """A flavor of the catalogue that comes with THC of 20 to 28 %, for the text of an invitation; empty without one."""
    statement = (
        select(col(Product.flavors))
        .where(col(Product.is_active), col(Product.stock) > 0, col(Product.thc_percent).between(20, 28))
        .order_by(col(Product.is_featured).desc(), col(Product.review_count).desc(), col(Product.id))
        .limit(20)
    )
    return next((flavors[0] for flavors in session.execute(statement).scalars() if flavors), "")


def look_up_with_flavor(session: Session, actor: User | None, code: str) -> tuple[InvitationView, str]:
    """`look_up`, and `sample_flavor`. Raises InvalidInvitation."""
    return look_up(session, actor, code), sample_flavor(session)


def accept(session: Session, actor: User | None, code: str) -> str:
    """Accept by code, once; returns where to go next. The same user may ask again and gets the same answer.

    Raises InvalidInvitation.
    """
    user = lock(session, require_signed_in(actor))
    invitation = _find(session, code)
    if invitation is None:
        raise InvalidInvitation()
    if invitation.accepted_by_id == user.id:
        return AFTER_ACCEPTING
    at = clock.now()
    claim = (
        update(Invitation)
        .where(
            col(Invitation.id) == invitation.id,
            col(Invitation.code_hash) == invitation.code_hash,
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
    if not claim_one(session, claim):
        raise InvalidInvitation()
    user.invited_at = user.invited_at or at
    session.add(user)
    audit_log.append(session, user, "invitation.accepted", f"invitation:{invitation.id}")
    for topic in (live.user(user.id), live.STAFF):
        announcements.publish(session, topic)
    return AFTER_ACCEPTING


def _conditions(query: InvitationQuery, at: datetime) -> list[ColumnElement[bool]]:
    found = [col(Invitation.email).contains(query.q.lower(), autoescape=True)] if query.q else []
    is_open = col(Invitation.expires_at) > at
    match query.state:
        case None:
            return found
        case DisplayStatus.PENDING:
            return [*found, col(Invitation.status) == InvitationStatus.PENDING, is_open]
        case DisplayStatus.EXPIRED:
            return [*found, col(Invitation.status) == InvitationStatus.PENDING, ~is_open]
        case state:
            return [*found, col(Invitation.status) == InvitationStatus(state)]


def _queue_mail(session: Session, invitation: Invitation, code: str) -> SentInvitation:
    invite_url = f"{get_settings().public_url}/invite/{code}"
    days = settings.current(session).invitation_days
    outbox.add(session, MAIL, invitation.email, first_name=invitation.first_name, address=invite_url, days=days)
    return SentInvitation(
        id=invitation.id,
        email=invitation.email,
        status=invitation.status,
        expires_at=invitation.expires_at,
        invite_url=invite_url,
    )


def _withdraw_mail(session: Session, invitation: Invitation) -> None:
    """Delete the unsent mail with this invitation's code, which stops working. Mail with another code is kept: an
    expired invitation may have been followed by a new one to the same person."""
    is_unsent = (
        col(OutboxMessage.kind) == MAIL,
        col(OutboxMessage.recipient) == invitation.email,
        col(OutboxMessage.sent_at).is_(None),
    )
    unsent = session.execute(select(col(OutboxMessage.id), col(OutboxMessage.payload)).where(*is_unsent))
    codes_by_id = {message_id: payload["address"].rpartition("/")[2] for message_id, payload in unsent}
    own = [each for each, code in codes_by_id.items() if codes.fingerprint(code) == invitation.code_hash]
    session.execute(delete(OutboxMessage).where(col(OutboxMessage.id).in_(own), *is_unsent))


def _record(session: Session, staff: User, action: str, invitation_id: int) -> None:
    audit_log.append(session, staff, action, f"invitation:{invitation_id}")
    announcements.publish(session, live.STAFF)


def _lock(session: Session, invitation_id: int) -> Invitation:
    statement = select(Invitation).where(col(Invitation.id) == invitation_id).with_for_update()
    found: Invitation | None = session.execute(statement).scalar_one_or_none()
    if found is None:
        raise NotFound(INVITATION_NOT_FOUND)
    return found


def _find(session: Session, code: str) -> Invitation | None:
    statement = select(Invitation).where(col(Invitation.code_hash) == codes.fingerprint(code))
    found: Invitation | None = session.execute(statement).scalar_one_or_none()
    return found
