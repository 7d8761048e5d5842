"""Every call of a service, from REST or from a screen, goes through here: one transaction, one acting user."""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.auth import known_sessions
from marketplace_app.models import User
from marketplace_app.services import products, sessions

P = ParamSpec("P")
T = TypeVar("T")
Operation = Callable[Concatenate[Session, User | None, P], T]


def read(token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that only reads, as the user of the session cookie."""
    is_due_for_touch = False

    def work(session: Session) -> T:
        nonlocal is_due_for_touch
        visitor = _identify(session, token)
        is_due_for_touch = visitor.is_due_for_touch
        return operation(session, visitor.user, *args, **kwargs)

    answer = db.read(work)
    if is_due_for_touch and token:
        db.write(lambda session: sessions.touch(session, token))
    return answer


def write(token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that changes something; its transaction is committed when it returns.

    Until then the acting user can be neither banned nor erased, so no service has to check that again.
    """

    def work(session: Session) -> T:
        visitor = _identify(session, token, to_write=True)
        if visitor.is_due_for_touch and token:
            sessions.touch(session, token)
        return operation(session, visitor.user, *args, **kwargs)

    return db.write(work)


def _identify(session: Session, token: str | None, *, to_write: bool = False) -> sessions.Visitor:
    visitor = sessions.identify(session, token, to_write=to_write)
    if token and visitor.user is not None:
        known_sessions.remember(token, visitor.user.id)
    return visitor


def catalogue_cache(*, max_size: int, size_of: Callable[[T], int] = lambda _: 1) -> AsyncVersionedCache[T]:
    """For answers that are the same to everybody until the catalogue changes."""
    return AsyncVersionedCache(
        lambda: read(None, products.version), max_size=max_size, size_of=size_of, read_change_mark=db.change_mark
    )


def actor_of(token: str | None) -> User | None:
    """The user of the session cookie; None for a guest."""
    return read(token, _actor) if token else None


def _actor(_session: Session, actor: User | None) -> Any:
    return actor
