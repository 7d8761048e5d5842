"""Calls a service as the user of a session cookie, in one transaction.

REST and screens call services through here, except for what is public and read without a user, such as the sitemap.
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from anyio import to_thread
from cachetools import LRUCache
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.auth import known_sessions
from marketplace_app.codes import fingerprint
from marketplace_app.models import User
from marketplace_app.services import sessions
from marketplace_app.services.products import products

P = ParamSpec("P")
T = TypeVar("T")
Operation = Callable[Concatenate[Session, User | None, P], T]

_MAX_VISITORS = 5_000
_VISITORS: LRUCache[str, tuple[int, sessions.Visitor]] = LRUCache(_MAX_VISITORS)
"""By the fingerprint of a session cookie: the `db.change_mark` at which the visitor was looked up, and the visitor."""


def read(token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that only reads, as the user of the session cookie."""
    return _read_and_touch(token, lambda session, visitor: operation(session, visitor.user, *args, **kwargs))


def _read_and_touch(token: str | None, work: Callable[[Session, sessions.Visitor], T]) -> T:
    def identify_and_work(session: Session) -> tuple[T, bool]:
        visitor = _identify(session, token)
        return work(session, visitor), visitor.is_due_for_touch

    answer, is_due_for_touch = db.read(identify_and_work)
    if is_due_for_touch and token:
        db.try_write(lambda session: sessions.touch(session, token))
    return answer


def write(token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that changes something; its transaction is committed when it returns.

    Until then the acting user can be neither banned nor erased, so no service has to check that again.
    """
    return db.write(_writing(token, operation, *args, **kwargs))


async def write_async(token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The same from the event loop, for what is called often and takes a few milliseconds at most."""
    return await db.write_async(_writing(token, operation, *args, **kwargs))


def _writing(
    token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs
) -> Callable[[Session], T]:
    """The work of a transaction: identify the visitor, record that their session is in use, and call the service."""

    def work(session: Session) -> T:
        visitor = _identify(session, token, to_write=True)
        if visitor.is_due_for_touch and token:
            sessions.touch(session, token)
        return operation(session, visitor.user, *args, **kwargs)

    return work


def _identify(session: Session, token: str | None, *, to_write: bool = False) -> sessions.Visitor:
    visitor = sessions.identify(session, token, to_write=to_write)
    if token and visitor.user is not None:
        known_sessions.remember(token, visitor.user.id)
    return visitor


def catalogue_cache(*, max_size: int, size_of: Callable[[T], int] = lambda _: 1) -> AsyncVersionedCache[T]:
    """For answers that are the same for everybody until the catalogue changes."""
    return AsyncVersionedCache(
        lambda: read(None, products.version), max_size=max_size, size_of=size_of, read_change_mark=db.change_mark
    )


def actor_of(token: str | None) -> User | None:
    """The user of the session cookie; None for a guest."""
    return _visitor(token).user if token else None


async def actor_of_async(token: str | None) -> User | None:
    """The same on the event loop. On SQLite, an earlier answer is used again until anything is written.

    So a ban or a sign-out counts at once, as with `actor_of`, but most events need no worker thread. On PostgreSQL,
    where only a query could tell whether anything was written, the user is looked up every time.
    """
    if not token:
        return None
    key, mark = fingerprint(token), db.change_mark()  # before looking up: a write in between changes the mark
    if mark is None:
        return await to_thread.run_sync(actor_of, token)
    known = _VISITORS.get(key)
    if known is None or known[0] != mark or clock.now() >= known[1].valid_until:
        known = (mark, await to_thread.run_sync(_visitor, token))
        _VISITORS[key] = known
    return known[1].user


def _visitor(token: str) -> sessions.Visitor:
    return _read_and_touch(token, lambda _session, visitor: visitor)
