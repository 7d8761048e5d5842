"""Every way into a service passes here, from REST and from the screen alike: one transaction, one acting person."""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import User
from marketplace_app.services import sessions

P = ParamSpec("P")
T = TypeVar("T")
Operation = Callable[Concatenate[Session, User | None, P], T]


def read(token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that only looks, as whoever the session cookie stands for."""
    due = False

    def work(session: Session) -> T:
        nonlocal due
        actor = sessions.find_user(session, token)
        due = actor is not None and token is not None and sessions.is_due_for_touch(session, token)
        return operation(session, actor, *args, **kwargs)

    answer = db.read(work)
    if due and token is not None:
        db.write(lambda session: sessions.touch(session, token))
    return answer


def write(token: str | None, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that changes something; its transaction is committed when it returns."""

    def work(session: Session) -> T:
        actor = sessions.find_user(session, token)
        if actor is not None and token is not None and sessions.is_due_for_touch(session, token):
            sessions.touch(session, token)
        return operation(session, actor, *args, **kwargs)

    return db.write(work)


def look_up(token: str | None) -> User | None:
    return read(token, _actor) if token else None


def _actor(_session: Session, actor: User | None) -> Any:
    return actor
