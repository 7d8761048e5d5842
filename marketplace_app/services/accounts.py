"""Users: sign-in, permissions and age."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import bindparam, func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import clock, codes, messages
from marketplace_app.adapters import live, search
from marketplace_app.config import AccessMode, get_settings
from marketplace_app.errors import Banned, Conflict, InvitationRequired, NotAllowed, NotSignedIn
from marketplace_app.models import ErasedIdentity, Order, OrderStatus, Permission, Role, User
from marketplace_app.schemas.account.accounts import UserView
from marketplace_app.services import credits, sessions
from marketplace_app.services.records import announcements


class LastOwner(Conflict):
    code = "last_owner"
    message = "You are the last owner. Make someone else an owner first."


@dataclass(frozen=True)
class Identity:
    """What the identity provider says about a user."""

    issuer: str
    subject: str
    email: str
    is_email_verified: bool
    first_name: str = ""
    last_name: str = ""


class EmailNotVerified(NotAllowed):
    code = "email_not_verified"
    message = "Please verify your email address with your sign-in provider, then try again."


def sign_in(session: Session, identity: Identity, *, is_age_verified: bool) -> str:
    """Start a session; returns its token, for the cookie.

    Raises EmailNotVerified, Banned, or NotAllowed for a deleted account.
    """
    if not identity.is_email_verified or "@" not in identity.email:
        raise EmailNotVerified()
    user = _find(session, identity) or _create(session, identity)
    if user.is_banned:
        raise Banned(user.ban_reason, get_settings().support_email)
    if user.deleted_at is not None:
        raise NotAllowed("This account has been deleted. Please contact support.")
    user.verified_email = identity.email.lower()
    user.role = role_of(user)
    update_search_text(user)
    if is_age_verified and user.age_verified_at is None:
        user.age_verified_at = clock.now()
    session.add(user)
    return sessions.start(session, user)


def _find(session: Session, identity: Identity) -> User | None:
    statement = select(User).where(col(User.issuer) == identity.issuer, col(User.subject) == identity.subject)
    locked = statement.with_for_update(read=True, key_share=True)  # a ban or a deletion waits until this commits
    return session.execute(locked).scalar_one_or_none()


def _create(session: Session, identity: Identity) -> User:
    erased = session.get(ErasedIdentity, identity_hash(identity.issuer, identity.subject))
    if erased is not None and erased.ban_reason:
        raise Banned(erased.ban_reason, get_settings().support_email)
    user = User(
        issuer=identity.issuer,
        subject=identity.subject,
        verified_email=identity.email.lower(),
        email=identity.email.lower(),
        first_name=identity.first_name,
        last_name=identity.last_name,
        first_purchase_discount_used=erased is not None and erased.first_purchase_discount_used,
        referral_bonus_used=erased is not None and erased.referral_bonus_used,
    )
    update_search_text(user)
    try:
        with session.begin_nested():
            session.add(user)
    except IntegrityError:  # the same person signed in twice at once
        found = _find(session, identity)
        assert found is not None
        return found
    announcements.publish(session, live.STAFF)
    return user


def update_search_text(user: User) -> None:
    """The text that staff search users by. Must be called whenever a name or email changes."""
    texts = dict.fromkeys((user.first_name, user.last_name, user.email, user.verified_email))
    user.search_text = search.fold(" ".join(texts))


def author_name(user: User | None) -> str:
    """What staff see as the author of a change. Without a user, it was the command line or the timetable."""
    return (user.full_name or user.email or "a deleted account") if user else "the store"


def identity_hash(issuer: str, subject: str) -> str:
    """Identifies an erased account, so that a new one gets no discount twice (RULE kept-after-deletion)."""
    return codes.keyed_hash(f"{issuer}\n{subject}", get_settings().identity_key.get_secret_value())


def show(session: Session, actor: User | None) -> UserView:
    """The actor's own account, with totals (RULE totals-of-a-person)."""
    user = require_signed_in(actor)
    statement = select(func.count(col(Order.id)), func.coalesce(func.sum(col(Order.total_cents)), 0)).where(
        col(Order.user_id) == user.id, col(Order.status) != OrderStatus.CANCELLED, col(Order.deleted_at).is_(None)
    )
    orders, spent = session.execute(statement).one()
    return UserView(
        id=user.id,
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        phone=user.phone,
        created_at=user.created_at,
        is_admin=user.is_staff,
        has_access=has_access(user),
        is_age_verified=user.age_verified_at is not None,
        first_purchase_discount_used=user.first_purchase_discount_used,
        referral_bonus_used=user.referral_bonus_used,
        referred_by=user.referred_by_id,
        referral_credit_cents=credits.balance(session, user.id),
        banned=False,
        total_orders=orders,
        total_spent_cents=int(spent),
    )


def require_signed_in(user: User | None) -> User:
    if user is None:
        raise NotSignedIn()
    return user


_LOCK = (
    select(User)
    .where(col(User.id) == bindparam("user_id"))
    .with_for_update(key_share=True)
    .execution_options(populate_existing=True)
)
_LOCK_EXCLUSIVELY = (
    select(User).where(col(User.id) == bindparam("user_id")).with_for_update().execution_options(populate_existing=True)
)


def lock(session: Session, user: User) -> User:
    """Lock the acting user, so that they, their cart and their orders are changed one at a time (RULE lock-order).

    Foreign keys may reference the user meanwhile (`key_share`): otherwise two users who apply each other's referral
    codes would deadlock.
    Raises NotSignedIn if they were banned or deleted while this waited.
    """
    if session.info.get(sessions.IDENTIFIED) == user.id and session.get_bind().dialect.name == "sqlite":
        return user  # read earlier in this transaction, and SQLite has one writer at a time
    return _require_active(lock_customer(session, user.id))


def lock_customer(session: Session, user_id: int) -> User:
    """Lock a user who is acted upon: unlike the acting user, they may be banned or deleted."""
    locked: User = session.execute(_LOCK, {"user_id": user_id}).scalar_one()
    return locked


def lock_exclusively(session: Session, user: User) -> User:
    """Lock a user who is to be banned or deleted: waits for their writes in progress, and blocks new ones.

    Only FOR UPDATE conflicts with the KEY SHARE locks of `sessions.identify` and of foreign keys.
    """
    locked: User = session.execute(_LOCK_EXCLUSIVELY, {"user_id": user.id}).scalar_one()
    return locked


def _require_active(user: User) -> User:
    if not user.is_active:
        raise NotSignedIn()
    return user


def require_shopper(user: User | None) -> User:
    """The acting user, if they may shop: signed in and, in an invite-only store, invited (RULE access-mode)."""
    shopper = require_signed_in(user)
    if not has_access(shopper):
        raise InvitationRequired()
    return shopper


def require_staff(user: User | None) -> User:
    staff = require_signed_in(user)
    if not staff.is_staff:
        raise NotAllowed()
    return staff


def require(user: User | None, permission: Permission) -> User:
    """The acting user, whose role must grant this. Raises NotSignedIn or NotAllowed."""
    employee = require_signed_in(user)
    if employee.role is Role.CUSTOMER:
        raise NotAllowed()
    if not employee.may(permission):
        raise NotAllowed(f"Your role ({employee.role.value}) is not allowed to {permission.value}. Ask an owner.")
    return employee


def may_drive(user: User) -> bool:
    return user.is_active and user.may(Permission.DRIVE)


def require_another_owner(session: Session, user: User) -> None:
    """Raises LastOwner if nobody else is an owner. Owners are locked in the order of ids, so two cannot both leave."""
    owners = select(User).where(col(User.role) == Role.OWNER).order_by(col(User.id)).with_for_update(key_share=True)
    found = session.execute(owners.execution_options(populate_existing=True)).scalars().all()
    if not any(owner.is_active and owner.id != user.id for owner in found):
        raise LastOwner()


def role_of(user: User) -> Role:
    """Owner by `ADMIN_EMAILS` (RULE owners-by-setting), else what an owner granted."""
    return Role.OWNER if is_owner_by_settings(user) else user.granted_role


def is_owner_by_settings(user: User) -> bool:
    return user.verified_email in get_settings().admin_emails


def has_access(user: User) -> bool:
    return get_settings().access_mode is AccessMode.OPEN or user.is_staff or user.invited_at is not None


@dataclass(frozen=True)
class AgeVerdict:
    is_valid: bool
    message: str


def verify_age(session: Session, user: User | None, birth_date: date) -> AgeVerdict:
    """The date is compared and not stored (RULE age-of-majority); passing is recorded on the account."""
    today = clock.today(get_settings().timezone)
    if not clock.is_of_age(birth_date, today):
        return AgeVerdict(False, messages.AGE_TOO_YOUNG)
    if user is not None and user.age_verified_at is None:
        user.age_verified_at = clock.now()
        session.add(user)
        announcements.publish(session, live.user(user.id))
    return AgeVerdict(True, messages.AGE_VERIFIED.title)
