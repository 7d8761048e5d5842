"""The actor is looked up in every transaction, so it must be cheap."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, select

from marketplace_app import clock, db
from marketplace_app.auth import acting
from marketplace_app.errors import Unavailable
from marketplace_app.limits import SESSION_LIFETIME, SESSION_TOUCH_INTERVAL
from marketplace_app.models import SignInSession, User
from marketplace_app.services import sessions
from tests.conftest import Cast
from tests.counting import count_statements


def test_identifying_the_actor_takes_one_statement(engine: Engine, cast: Cast) -> None:
    token = db.write(lambda session: sessions.start(session, cast.alice))

    def name(_session: Session, actor: User | None) -> str:
        return actor.first_name if actor else "nobody"

    with count_statements(engine) as statements:
        assert acting.read(token, name) == "Alice"
        assert acting.write(token, name) == "Alice"
    assert len(statements) == 2


def ban(session: Session, user: User) -> None:
    row = session.get_one(User, user.id)
    row.banned_at, row.ban_reason = clock.now(), "Resold what he bought."


def current(token: str) -> User | None:
    return asyncio.run(acting.actor_of_async(token))


@pytest.fixture
def token(engine: Engine, cast: Cast) -> str:
    return db.write(lambda session: sessions.start(session, cast.alice))


def test_on_sqlite_an_event_reads_the_session_again_only_after_a_write(engine: Engine, token: str, cast: Cast) -> None:
    assert current(token) == cast.alice
    with count_statements(engine) as statements:
        assert current(token) == cast.alice
    # On PostgreSQL every event reads it.
    assert len(statements) == (0 if db.change_mark() is not None else 1)
    db.write(lambda session: sessions.start(session, cast.bob))
    with count_statements(engine) as statements:
        assert current(token) == cast.alice
    assert len(statements) == 1


@pytest.mark.parametrize(
    "end",
    [
        lambda session, token, _user: sessions.end(session, token),
        lambda session, _token, user: sessions.end_all(session, user),
        lambda session, _token, user: ban(session, user),
    ],
    ids=["signed out", "signed out everywhere", "banned"],
)
def test_the_end_of_a_session_counts_for_the_next_event(
    end: Callable[[Session, str, User], None], token: str, cast: Cast
) -> None:
    assert current(token) == cast.alice
    db.write(lambda session: end(session, token, cast.alice))
    assert current(token) is None


def test_a_session_expires_though_nothing_is_written(token: str, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    assert current(token) == cast.alice
    later = clock.now() + SESSION_LIFETIME
    monkeypatch.setattr(clock, "now", lambda: later)
    assert current(token) is None


def test_events_keep_a_session_in_use(session: Session, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert current(token)
    later = clock.now() + SESSION_TOUCH_INTERVAL + timedelta(seconds=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert current(token)
    assert session.exec(select(SignInSession.last_seen_at)).all() == [later]


def test_the_user_of_a_read_is_a_copy_that_cannot_be_changed(session: Session, cast: Cast, token: str) -> None:
    columns = User.__table__.columns.keys()  # type: ignore[attr-defined]

    def facts(_session: Session, actor: User | None) -> dict[str, object]:
        return {name: getattr(actor, name) for name in columns}

    def rename(_session: Session, actor: User | None) -> None:
        assert actor is not None
        actor.first_name = "Mallory"

    session.rollback()
    row = session.get_one(User, cast.alice.id, populate_existing=True)
    assert acting.read(token, facts) == {name: getattr(row, name) for name in columns}
    with pytest.raises(AttributeError):
        acting.read(token, rename)


def test_a_read_is_answered_while_somebody_writes_and_touches_the_session_later(
    token: str, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = clock.now() + 2 * SESSION_TOUCH_INTERVAL
    monkeypatch.setattr(clock, "now", lambda: later)

    def write(session: Session) -> None:
        session.connection()
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(acting.read, token, lambda _session, actor: actor).result(10) == cast.alice

    seen = select(SignInSession.last_seen_at)
    db.write(write)
    if db.get_engine().dialect.name == "sqlite":
        assert db.read(lambda session: session.exec(seen).one()) < later
    assert current(token) == cast.alice
    assert db.read(lambda session: session.exec(seen).one()) == later


def test_a_read_is_answered_if_its_session_cannot_be_touched(
    token: str, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_session: Session, _token: str) -> None:
        raise Unavailable

    later = clock.now() + 2 * SESSION_TOUCH_INTERVAL
    monkeypatch.setattr(clock, "now", lambda: later)
    monkeypatch.setattr(sessions, "touch", fail)
    assert current(token) == cast.alice
