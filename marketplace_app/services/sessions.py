"""Sessions of signed-in browsers: started at sign-in, ended at sign-out, looked up with every request and event."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import bindparam, delete, select, update
from sqlmodel import Session, col

from marketplace_app import clock, codes
from marketplace_app.adapters import live
from marketplace_app.limits import SESSION_LIFETIME, SESSION_TOUCH_INTERVAL
from marketplace_app.models import SignInSession, User
from marketplace_app.models.base import table_of
from marketplace_app.models.users import is_live
from marketplace_app.services.records import announcements

# Built once, because they are run with every request and event.
_TIMES = (col(SignInSession.last_seen_at), col(SignInSession.expires_at))
_IS_ITS_SESSION = col(SignInSession.user_id) == col(User.id)
_HAS_TOKEN = col(SignInSession.token_hash) == bindparam("token_hash")
_USER_COLUMNS = table_of(User).c
_BY_TOKEN = select(*_USER_COLUMNS, *_TIMES).join(SignInSession, _IS_ITS_SESSION).where(_HAS_TOKEN)
# A writer holds the user's row until it commits, so that a ban or an erasure (`accounts.lock_exclusively`) waits
# for it, and a writer that comes later sees it. FOR KEY SHARE, as foreign keys take it: two writers never wait.
_BY_TOKEN_TO_WRITE = (
    select(User, *_TIMES)
    .join(SignInSession, _IS_ITS_SESSION)
    .where(_HAS_TOKEN)
    .with_for_update(read=True, key_share=True, of=User)
)

IDENTIFIED = "identified"
"""A key of `Session.info`: the id of the user whose write the transaction is, who was read and locked in it."""


def start(session: Session, user: User) -> str:
    """Start a session; returns its token for the cookie, of which only the hash is stored. Deletes expired sessions."""
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
    announcements.publish(session, live.person(user.id))
    session.execute(delete(SignInSession).where(col(SignInSession.user_id) == user.id))


_PAST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Visitor:
    """The caller, by their cookie."""

    user: User | None = None
    is_due_for_touch: bool = False
    """Whether `last_seen_at` of the session is old enough to be updated."""
    valid_until: datetime = _PAST
    """Until then, the answer stays the same as long as nothing is written."""


GUEST = Visitor()


def identify(session: Session, token: str | None, *, to_write: bool = False) -> Visitor:
    """The user of a session cookie; GUEST if it is unknown or expired, or its user is banned or deleted.

    With `to_write` the user can be neither banned nor erased until this transaction ends. Without, it is a copy of the
    row that no session knows, and that cannot be changed: making one costs a tenth of an object of the ORM.
    """
    if not token:
        return GUEST
    found = _find_locked(session, token) if to_write else _find_copy(session, token)
    if found is None:
        return GUEST
    user, last_seen_at, expires_at = found
    at = clock.now()
    if not is_live(at, last_seen_at, expires_at) or not user.is_active:
        return GUEST
    if to_write:
        session.info[IDENTIFIED] = user.id
    touched_at = last_seen_at + SESSION_TOUCH_INTERVAL
    return Visitor(user, touched_at < at, min(touched_at, expires_at))


def _find_locked(session: Session, token: str) -> tuple[User, datetime, datetime] | None:
    found = session.execute(_BY_TOKEN_TO_WRITE, {"token_hash": codes.fingerprint(token)}).first()
    return tuple(found) if found else None


def _find_copy(session: Session, token: str) -> tuple[User, datetime, datetime] | None:
    found = session.connection().execute(_BY_TOKEN, {"token_hash": codes.fingerprint(token)}).first()
    if found is None:
        return None
    *values, last_seen_at, expires_at = found
    return User.model_construct(**dict(zip(_USER_COLUMNS.keys(), values, strict=True))), last_seen_at, expires_at


def touch(session: Session, token: str) -> None:
    """Record that the session is in use, so that it does not expire. Not with every request, to avoid writes."""
    session.execute(
        update(SignInSession)
        .where(col(SignInSession.token_hash) == codes.fingerprint(token))
        .values(last_seen_at=clock.now())
    )
