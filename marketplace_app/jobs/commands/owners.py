"""`make-owner`: makes a user an owner without ADMIN_EMAILS. Also finds the user that other commands act for."""

import argparse
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.adapters import live
from marketplace_app.jobs.commands.console import OK, CommandError, require_database, say
from marketplace_app.models import Permission, Role, User
from marketplace_app.services import accounts
from marketplace_app.services.records import announcements, audit_log


def add_parsers(commands: Any) -> None:
    description = "Make someone who has signed in before an owner. For someone who has not, use ADMIN_EMAILS."
    parser = commands.add_parser("make-owner", help="make someone an owner", description=description)
    parser.add_argument(
        "email", metavar="EMAIL", help="the email address they sign in with, as verified by their provider"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    email = args.email.strip().lower()
    require_database()
    say(f"{email} {'is an owner now' if db.write(lambda session: grant(session, email)) else 'is already an owner'}.")
    return OK


def grant(session: Session, email: str) -> bool:
    """Make the user an owner. Returns False if this role was granted to them already.

    An owner by `ADMIN_EMAILS` alone is granted it too, and so stays one without that setting.

    Raises CommandError if the user does not exist, is banned, or is not unique.
    """
    user = _find(session, email)
    if user.role is Role.OWNER and user.granted_role is Role.OWNER:
        return False
    before, user.granted_role = user.role, Role.OWNER
    user.role = accounts.role_of(user)
    session.add(user)
    changed = {"from": before.value, "to": Role.OWNER.value}
    audit_log.append(session, None, "user.role", f"user:{user.id}", **changed)
    for topic in (live.user(user.id), live.STAFF):
        announcements.publish(session, topic)
    return True


def find_actor(session: Session, email: str, permission: Permission) -> User:
    """The user that a command acts for. Raises CommandError if there is none, or if they lack the permission."""
    user = _find(session, email.strip().lower())
    if not user.may(permission):
        raise CommandError(f"{user.verified_email} is not allowed to {permission.value}. Name an owner.")
    return user


def _find(session: Session, email: str) -> User:
    statement = select(User).where(col(User.verified_email) == email, col(User.deleted_at).is_(None)).with_for_update()
    found = session.execute(statement).scalars().all()
    if not found:
        raise CommandError(
            f"Nobody has signed in as {email} yet. Ask them to sign in once, then run this again; or add the address "
            "to ADMIN_EMAILS, which takes effect at their first sign-in."
        )
    if len(found) > 1:
        raise CommandError(
            f"{len(found)} accounts of different providers signed in as {email}. Do this in the admin dashboard."
        )
    user: User = found[0]
    if user.is_banned:
        raise CommandError(f"{email} is banned. Unban them first.")
    return user
