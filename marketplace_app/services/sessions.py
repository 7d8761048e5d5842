"""Sessions of signed-in browsers: started at sign-in, ended at sign-out, looked up with every request and event."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import bindparam, delete, select, update
from sqlmodel import Session, col

from marketplace_app import clock, codes
from marketplace_app.adapters import live
from marketplace_app.limits import SESSION_LIFETIME, SESSION_TOUCH_INTERVAL
from marketplace_app.models import SignInSession, User
from marketplace_app.models.base import attach, table_of
from marketplace_app.models.users import is_live
from marketplace_app.services.records import announcements

_USERS, _SESSIONS = table_of(User), table_of(SignInSession)
# Built once, because they are run with every request and event.
_BY_TOKEN = (
    select(*_USERS.c, _SESSIONS.c.last_seen_at, _SESSIONS.c.expires_at)
    .join(_SESSIONS, _SESSIONS.c.user_id == _USERS.c.id)
    .where(_SESSIONS.c.token_hash == bindparam("token_hash"))
)
# A writer locks the user's row until it commits: a ban or an erasure (`accounts.lock_exclusively`) waits for the
# writer, and a later writer sees the ban or erasure. FOR KEY SHARE is what foreign keys take: writers never wait for
# each other.
_BY_TOKEN_TO_WRITE = _BY_TOKEN.with_for_update(read=True, key_share=True, of=_USERS)

IDENTIFIED = "identified"
"""A key of `Session.info`: the id of the acting user, whose row this transaction has read and locked for its write."""


def start(session: Session, user: User) -> str:
    """Start a session; returns its token for the cookie, of which only the hash is stored. Deletes the user's
    sessions that have expired."""
    token = codes.new_token()
    at = clock.now()
    session.execute(
        delete(SignInSession).where(col(SignInSession.user_id) == user.id, col(SignInSession.expires_at) <= at)
    )
    row = SignInSession(
        token_hash=codes.fingerprint(token),
        user_id=user.id,
        created_at=at,
        last_seen_at=at,
        expires_at=at + SESSION_LIFETIME,
    )
    session.add(row)
    return token


def list_live(session: Session, user_id: int) -> list[SignInSession]:
    """Sessions that are still valid, most recently seen first."""
    at = clock.now()
    statement = select(SignInSession).where(col(SignInSession.user_id) == user_id)
    rows = session.execute(statement.order_by(col(SignInSession.last_seen_at).desc())).scalars()
    return [row for row in rows if row.is_live(at)]


def end(session: Session, token: str | None) -> None:
    if token:
        session.execute(delete(SignInSession).where(col(SignInSession.token_hash) == codes.fingerprint(token)))


def end_all(session: Session, user: User) -> None:
    """End all sessions of a user; their open pages are notified."""
    announcements.publish(session, live.user(user.id))
    session.execute(delete(SignInSession).where(col(SignInSession.user_id) == user.id))


_PAST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Visitor:
    """The caller, as their cookie identifies them."""

    user: User | None = None
    is_due_for_touch: bool = False
    """Whether `last_seen_at` of the session is old enough to be updated."""
    valid_until: datetime = _PAST
    """Until then, looking up the cookie again gives the same visitor, as long as nothing is written."""


GUEST = Visitor()


def identify(session: Session, token: str | None, *, to_write: bool = False) -> Visitor:
    """The user of a session cookie; GUEST if it is unknown or expired, or its user is banned or deleted.

    With `to_write` the user can be neither banned nor erased until this transaction ends. Without it, the user is a
    copy of the row that belongs to no database session and cannot be changed.
    """
    if not token:
        return GUEST
    statement = _BY_TOKEN_TO_WRITE if to_write else _BY_TOKEN
    found = session.connection().execute(statement, {"token_hash": codes.fingerprint(token)}).first()
    if found is None:
        return GUEST
    *values, last_seen_at, expires_at = found
    at, columns = clock.now(), dict(zip(_USERS.c.keys(), values, strict=True))
    user = attach(session, User, columns) if to_write else User.model_construct(**columns)
    if not is_live(at, last_seen_at, expires_at) or not user.is_active:
        return GUEST
    if to_write:
        session.info[IDENTIFIED] = user.id
    touch_due_at = last_seen_at + SESSION_TOUCH_INTERVAL
    return Visitor(user, touch_due_at < at, min(touch_due_at, expires_at))


def touch(session: Session, token: str) -> None:
    """Record that the session is in use, so that it does not end for idleness.

    Call it only if `Visitor.is_due_for_touch`, so that not every request is a write.
    """
    session.execute(
        update(SignInSession)
        .where(col(SignInSession.token_hash) == codes.fingerprint(token))
        .values(last_seen_at=clock.now())
    )
