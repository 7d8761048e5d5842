"""What staff do to users: edit, ban, delete, sign out, grant a role.

Nobody can do these things to somebody with a higher role, and nobody can ban, delete or demote themselves. So the last
owner stays: only another owner could remove them.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock, money
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, EditedMeanwhile, InvalidInput, NotAllowed, NotFound, NotSignedIn
from marketplace_app.messages import USER_NOT_FOUND
from marketplace_app.models import Permission, Role, User
from marketplace_app.schemas.admin.users import AdminUserView, BanForm, RoleForm, UserForm
from marketplace_app.schemas.base import conflicting_fields
from marketplace_app.services import accounts, credits, sessions
from marketplace_app.services.accounts import require
from marketplace_app.services.admin import users as admin_users
from marketplace_app.services.records import announcements, audit_log

_RANKS = {role: rank for rank, role in enumerate(Role)}


class HigherRole(NotAllowed):
    code = "higher_role"

    def __init__(self, theirs: Role, own: Role) -> None:
        super().__init__(f"This person's role ({theirs.value}) is above yours ({own.value}). Ask an owner.")


class Yourself(Conflict):
    code = "yourself"
    message = "You cannot do this to yourself. Ask another owner."


class OwnCredit(NotAllowed):
    code = "own_credit"
    message = "You cannot change your own credit. Ask an owner or another manager."


class OwnerBySettings(Conflict):
    code = "owner_by_settings"

    def __init__(self, email: str) -> None:
        super().__init__(
            f"{email} is an owner because ADMIN_EMAILS names them. Remove the address from that setting and "
            "restart the store first."
        )


def edit(
    session: Session, actor: User | None, user_id: int, form: UserForm, *, seen: Mapping[str, Any] | None = None
) -> AdminUserView:
    """Change names, profile email and credit. The identity they sign in with stays (RULE sign-in).

    `seen` is what `editable_values` returned when the caller began: fields that have changed since are not overwritten.
    Raises EditedMeanwhile, OwnCredit, and InvalidInput for an email that another account has verified.
    """
    staff, user = _lock_both(session, actor, user_id, Permission.EDIT_USERS)
    if seen is not None:
        fields = conflicting_fields(form, seen, editable_values(user, credits.balance(session, user_id)))
        if fields:
            raise EditedMeanwhile(fields)
    changed = {name: new for name, new in form.columns().items() if getattr(user, name) != new}
    details: dict[str, Any] = {}
    if names := sorted(changed.keys() - {"email"}):
        details["fields"] = names
    if "email" in changed:
        _require_unclaimed_email(session, user, changed["email"])
        details["email"] = [_masked_email(user, user.email), _masked_email(user, changed["email"])]
    for name, new in changed.items():
        setattr(user, name, new)
    accounts.update_search_text(user)
    if form.referral_credit is not None:
        before = credits.set_balance(session, user_id, form.referral_credit)
        if before != form.referral_credit:
            if user.id == staff.id:
                raise OwnCredit()
            details["credit"] = [money.decimal(before), money.decimal(form.referral_credit)]
    if details:
        _record(session, staff, user, "user.edited", **details)
    return admin_users.show(session, user)


def editable_values(user: User | AdminUserView, credit_cents: int) -> dict[str, Any]:
    """The current values of the fields of `UserForm`, by wire name."""
    return {
        "firstName": user.first_name,
        "lastName": user.last_name,
        "email": user.email,
        "referralCredit": credit_cents,
    }


def ban(session: Session, actor: User | None, user_id: int, form: BanForm) -> AdminUserView:
    """Ends all sessions, and with them the access of open pages. Banning again changes the reason."""
    staff, user = _lock_both(session, actor, user_id, Permission.BAN_USERS)
    _require_another_user(staff, user)
    if not user.is_banned or user.ban_reason != form.reason_or_default:
        accounts.lock_exclusively(session, user)
        user.banned_at = user.banned_at or clock.now()
        user.ban_reason = form.reason_or_default
        sessions.end_all(session, user)
        _record(session, staff, user, "user.banned")
    return admin_users.show(session, user)


def unban(session: Session, actor: User | None, user_id: int) -> AdminUserView:
    """Let a user sign in again. Without a ban, nothing changes."""
    staff, user = _lock_both(session, actor, user_id, Permission.BAN_USERS)
    if user.is_banned:
        user.banned_at, user.ban_reason = None, ""
        _record(session, staff, user, "user.unbanned")
    return admin_users.show(session, user)


def delete(session: Session, actor: User | None, user_id: int) -> None:
    """Remove a user from lists and statistics and end their sessions; the row stays (RULE delete-user)."""
    staff, user = _lock_both(session, actor, user_id, Permission.DELETE_USERS)
    _require_another_user(staff, user)
    accounts.lock_exclusively(session, user)
    user.deleted_at = clock.now()
    sessions.end_all(session, user)
    _record(session, staff, user, "user.deleted")


def sign_out(session: Session, actor: User | None, user_id: int) -> None:
    """End all sessions of a user. They may sign in again."""
    staff, user = _lock_both(session, actor, user_id, Permission.EDIT_USERS)
    sessions.end_all(session, user)
    _record(session, staff, user, "user.signed_out")


def grant(session: Session, actor: User | None, user_id: int, form: RoleForm) -> AdminUserView:
    """Grant a role; `customer` takes it away. Raises OwnerBySettings for owners by `ADMIN_EMAILS`."""
    staff, user = _lock_both(session, actor, user_id, Permission.GRANT_ROLES)
    if form.role is not user.role:
        _require_another_user(staff, user)
        if accounts.is_owner_by_settings(user):
            raise OwnerBySettings(user.verified_email)
        changed = {"from": user.role.value, "to": form.role.value}
        user.granted_role = form.role
        user.role = accounts.role_of(user)
        _record(session, staff, user, "user.role", **changed)
    return admin_users.show(session, user)


def _lock_both(session: Session, actor: User | None, user_id: int, permission: Permission) -> tuple[User, User]:
    """The actor and the user, locked in id order and read again: if two people demote each other at the same time, the
    second is refused."""
    staff = require(actor, permission)
    statement = select(User).where(col(User.id).in_([staff.id, user_id])).order_by(col(User.id))
    locked = statement.with_for_update(key_share=True).execution_options(populate_existing=True)
    found = {user.id: user for user in session.execute(locked).scalars()}
    if not staff.is_active:
        raise NotSignedIn()
    require(staff, permission)
    user = found.get(user_id)
    if user is None or user.deleted_at is not None:
        raise NotFound(USER_NOT_FOUND)
    if _RANKS[user.role] > _RANKS[staff.role]:
        raise HigherRole(user.role, staff.role)
    return staff, user


def _require_another_user(staff: User, user: User) -> None:
    if user.id == staff.id:
        raise Yourself()


def _require_unclaimed_email(session: Session, user: User, email: str) -> None:
    others = (col(User.verified_email) == email, col(User.id) != user.id, col(User.deleted_at).is_(None))
    if session.execute(select(col(User.id)).where(*others).limit(1)).first() is not None:
        raise InvalidInput({"email": "This email address belongs to another account."})


def _masked_email(user: User, email: str) -> str:
    """In full only for staff: audit entries cannot be removed, and a customer may have their data erased."""
    if user.is_staff or "@" not in email:
        return email
    name, _, domain = email.rpartition("@")
    return f"{name[:1]}…@{domain[:1]}….{domain.rpartition('.')[2]}"


def _record(session: Session, staff: User, user: User, action: str, **details: Any) -> None:
    session.add(user)
    session.flush()
    audit_log.append(session, staff, action, f"user:{user.id}", **details)
    for topic in (live.user(user.id), live.STAFF):
        announcements.publish(session, topic)
