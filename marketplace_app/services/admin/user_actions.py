"""What staff do to users: edit, ban, delete, sign out, grant a role.

Nobody can do these to somebody of a higher role, and nobody bans, deletes or demotes themselves. So the last owner
stays: only an owner could remove them, and that would be themselves.
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
    staff, person = _lock_both(session, actor, user_id, Permission.EDIT_USERS)
    if seen is not None:
        fields = conflicting_fields(form, seen, editable_values(person, credits.balance(session, user_id)))
        if fields:
            raise EditedMeanwhile(fields)
    changed = {name: new for name, new in form.columns().items() if getattr(person, name) != new}
    details: dict[str, Any] = {}
    if names := sorted(changed.keys() - {"email"}):
        details["fields"] = names
    if "email" in changed:
        _require_unclaimed_email(session, person, changed["email"])
        details["email"] = [_masked_email(person, person.email), _masked_email(person, changed["email"])]
    for name, new in changed.items():
        setattr(person, name, new)
    accounts.update_search_text(person)
    if form.referral_credit is not None:
        before = credits.set_balance(session, user_id, form.referral_credit)
        if before != form.referral_credit:
            if person.id == staff.id:
                raise OwnCredit()
            details["credit"] = [money.decimal(before), money.decimal(form.referral_credit)]
    if details:
        _record(session, staff, person, "user.edited", **details)
    return admin_users.show(session, person)


def editable_values(person: User | AdminUserView, credit_cents: int) -> dict[str, Any]:
    """The current values of the fields of `UserForm`, by wire name."""
    return {
        "firstName": person.first_name,
        "lastName": person.last_name,
        "email": person.email,
        "referralCredit": credit_cents,
    }


def ban(session: Session, actor: User | None, user_id: int, form: BanForm) -> AdminUserView:
    """Ends all sessions, and with them the access of open pages. Banning again changes the reason."""
    staff, person = _lock_both(session, actor, user_id, Permission.BAN_USERS)
    _require_somebody_else(staff, person)
    if not person.is_banned or person.ban_reason != form.reason_or_default:
        accounts.lock_exclusively(session, person)
        person.banned_at = person.banned_at or clock.now()
        person.ban_reason = form.reason_or_default
        sessions.end_all(session, person)
        _record(session, staff, person, "user.banned")
    return admin_users.show(session, person)


def unban(session: Session, actor: User | None, user_id: int) -> AdminUserView:
    """Let a user sign in again. Without a ban, nothing changes."""
    staff, person = _lock_both(session, actor, user_id, Permission.BAN_USERS)
    if person.is_banned:
        person.banned_at, person.ban_reason = None, ""
        _record(session, staff, person, "user.unbanned")
    return admin_users.show(session, person)


def delete(session: Session, actor: User | None, user_id: int) -> None:
    """Remove a user from lists and statistics and end their sessions; the row stays (RULE delete-user)."""
    staff, person = _lock_both(session, actor, user_id, Permission.DELETE_USERS)
    _require_somebody_else(staff, person)
    accounts.lock_exclusively(session, person)
    person.deleted_at = clock.now()
    sessions.end_all(session, person)
    _record(session, staff, person, "user.deleted")


def sign_out(session: Session, actor: User | None, user_id: int) -> None:
    """End all sessions of a user. They may sign in again."""
    staff, person = _lock_both(session, actor, user_id, Permission.EDIT_USERS)
    sessions.end_all(session, person)
    _record(session, staff, person, "user.signed_out")


def grant(session: Session, actor: User | None, user_id: int, form: RoleForm) -> AdminUserView:
    """Grant a role; `customer` takes it away. Raises OwnerBySettings for owners by `ADMIN_EMAILS`."""
    staff, person = _lock_both(session, actor, user_id, Permission.GRANT_ROLES)
    if form.role is not person.role:
        _require_somebody_else(staff, person)
        if accounts.is_owner_by_settings(person):
            raise OwnerBySettings(person.verified_email)
        changed = {"from": person.role.value, "to": form.role.value}
        person.granted_role = form.role
        person.role = accounts.role_of(person)
        _record(session, staff, person, "user.role", **changed)
    return admin_users.show(session, person)


def _lock_both(session: Session, actor: User | None, user_id: int, permission: Permission) -> tuple[User, User]:
    """The actor and the user, locked in id order and read anew: the second of two who demote each other is refused."""
    staff = require(actor, permission)
    statement = select(User).where(col(User.id).in_([staff.id, user_id])).order_by(col(User.id))
    locked = statement.with_for_update(key_share=True).execution_options(populate_existing=True)
    found = {user.id: user for user in session.execute(locked).scalars()}
    if not staff.is_active:
        raise NotSignedIn()
    require(staff, permission)
    person = found.get(user_id)
    if person is None or person.deleted_at is not None:
        raise NotFound(USER_NOT_FOUND)
    if _RANKS[person.role] > _RANKS[staff.role]:
        raise HigherRole(person.role, staff.role)
    return staff, person


def _require_somebody_else(staff: User, person: User) -> None:
    if person.id == staff.id:
        raise Yourself()


def _require_unclaimed_email(session: Session, person: User, email: str) -> None:
    others = (col(User.verified_email) == email, col(User.id) != person.id, col(User.deleted_at).is_(None))
    if session.execute(select(col(User.id)).where(*others).limit(1)).first() is not None:
        raise InvalidInput({"email": "This email address belongs to another account."})


def _masked_email(person: User, email: str) -> str:
    """In full only for staff: audit entries cannot be removed, and a customer may have their data erased."""
    if person.is_staff or "@" not in email:
        return email
    name, _, domain = email.rpartition("@")
    return f"{name[:1]}…@{domain[:1]}….{domain.rpartition('.')[2]}"


def _record(session: Session, staff: User, person: User, action: str, **details: Any) -> None:
    session.add(person)
    session.flush()
    audit_log.append(session, staff, action, f"user:{person.id}", **details)
    for topic in (live.person(person.id), live.STAFF):
        announcements.publish(session, topic)
