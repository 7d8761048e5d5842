"""Writers on the event loop of a SQLite store share commits: who waits, who is refused, and who is told what."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import live, request_ids
from marketplace_app.errors import NotFound, StoreError, Unavailable
from marketplace_app.models import Category, Counter
from marketplace_app.services.records import announcements

Work = Callable[[Session], Any]


def writing(name: str, *then: Work) -> Work:
    """Writes a row, announces it, then does what else is given; returns the name."""

    def work(session: Session) -> str:
        session.add(Counter(name=name, value=1))
        session.flush()
        announcements.publish(session, name)
        for each in then:
            each(session)
        return name

    return work


def refuse(_session: Session) -> None:
    raise NotFound()


def written() -> set[str]:
    names = text("SELECT name FROM counters WHERE name LIKE 'row%'")
    return set(db.read(lambda session: session.execute(names).scalars().all()))


@contextmanager
def turn_taken(engine: Engine) -> Iterator[None]:
    """Somebody writes for as long as this takes, so that all others wait."""
    is_writing, may_end = threading.Event(), threading.Event()

    def work(_session: Session) -> None:
        is_writing.set()
        may_end.wait(10)

    holder = threading.Thread(target=db.write, args=(work, engine))
    holder.start()
    is_writing.wait(10)
    try:
        yield
    finally:
        may_end.set()
        holder.join()


async def all_waiting(engine: Engine, works: list[Work]) -> list[Any]:
    """Their answers and exceptions. The first waits for its turn, and all others for the first."""
    with turn_taken(engine) if engine.dialect.name == "sqlite" else nullcontext():
        tasks = [asyncio.create_task(answered(db.write_async(works[0])))]
        await asyncio.sleep(0.02)
        tasks += [asyncio.create_task(answered(db.write_async(work))) for work in works[1:]]
        await asyncio.sleep(0.05)
    return await asyncio.gather(*tasks)


async def answered(call: Awaitable[Any]) -> Any:
    try:
        return await call
    except Exception as error:
        return error


@contextmanager
def commits_of(engine: Engine) -> Iterator[list[int]]:
    seen: list[int] = []

    def note(_connection: Any) -> None:
        seen.append(1)

    event.listen(engine, "commit", note)
    try:
        yield seen
    finally:
        event.remove(engine, "commit", note)


def test_those_who_wait_share_a_commit(engine: Engine) -> None:
    names = [f"row{number}" for number in range(10)]
    with commits_of(engine) as commits:
        assert asyncio.run(all_waiting(engine, [writing(name) for name in names])) == names
    assert written() == set(names)
    # The first alone, and then the nine others together.
    assert len(commits) == (2 if engine.dialect.name == "sqlite" else 10)


def test_each_logs_under_the_id_of_its_own_request(engine: Engine) -> None:
    async def call(request_id: str) -> str:
        request_ids.begin(request_id)
        return await db.write_async(lambda _session: request_ids.current())

    async def calls() -> list[str]:
        with turn_taken(engine) if engine.dialect.name == "sqlite" else nullcontext():
            tasks = [asyncio.create_task(call(f"request-{number}")) for number in range(5)]
            await asyncio.sleep(0.05)
        return list(await asyncio.gather(*tasks))

    assert asyncio.run(calls()) == [f"request-{number}" for number in range(5)]


def test_at_most_sixteen_share_one(engine: Engine) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL commits each transaction by itself")
    with commits_of(engine) as commits:
        asyncio.run(all_waiting(engine, [writing(f"row{number}") for number in range(1 + 17)]))
    assert (len(commits), len(written())) == (1 + 1 + 1, 18)


def test_a_refusal_undoes_its_own_writes_and_no_others(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    published: set[str] = set()
    monkeypatch.setattr(live, "call_listeners", published.update)
    works = [writing("row0"), writing("row1"), writing("row2", refuse), writing("row3")]
    answers = asyncio.run(all_waiting(engine, works))
    assert [each if isinstance(each, str) else type(each) for each in answers] == ["row0", "row1", NotFound, "row3"]
    assert written() == {"row0", "row1", "row3"}
    if engine.dialect.name == "sqlite":
        assert published == written()


@pytest.mark.parametrize("failing", [1, 2, 4])
def test_an_unexpected_failure_is_its_own_callers_alone(engine: Engine, failing: int) -> None:
    """A broken constraint ends the transaction that they share, so each gets one of its own."""
    works = [writing(f"row{number}") for number in range(5)]
    works[failing] = writing("broken", lambda session: session.add(Category(name="THC Flower")))
    answers = asyncio.run(all_waiting(engine, works))
    assert isinstance(answers.pop(failing), IntegrityError)
    assert set(answers) == written() == {f"row{number}" for number in range(5) if number != failing}


def test_a_refusal_after_a_broken_constraint_does_not_take_the_others_along(engine: Engine) -> None:
    """SQLAlchemy has rolled back what they share by then, savepoints included."""

    def break_and_refuse(session: Session) -> None:
        try:
            session.add(Category(name="THC Flower"))
            session.flush()
        except IntegrityError:
            raise NotFound() from None

    works = [writing("row0"), writing("row1"), writing("gone", break_and_refuse), writing("row3")]
    answers = asyncio.run(all_waiting(engine, works))
    assert isinstance(answers.pop(2), NotFound)
    assert set(answers) == written() == {"row0", "row1", "row3"}


def test_nobody_is_answered_before_the_commit(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """And if it fails, as on a full disk, everybody learns so and nothing is kept."""
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL commits each transaction by itself")

    def fail(connection: sqlite3.Connection) -> None:
        connection.rollback()  # as SQLite does by itself then
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(engine.dialect, "do_commit", fail)
    answers = asyncio.run(all_waiting(engine, [writing(f"row{number}") for number in range(5)]))
    assert {type(each) for each in answers} == {Unavailable}
    assert written() == set()


def test_a_writer_that_waits_too_long_is_told_so_and_not_run(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL has time-outs of its own")
    monkeypatch.setattr(db, "TURN_SECONDS", 0.02)
    answers = asyncio.run(all_waiting(engine, [writing(f"row{number}") for number in range(4)]))
    assert {type(each) for each in answers} == {Unavailable}
    assert isinstance(answers[0], StoreError)
    assert written() == set()


def test_a_writer_that_has_gone_while_waiting_is_not_run(engine: Engine) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("on PostgreSQL nobody waits")

    async def give_up() -> None:
        with turn_taken(engine):
            first = asyncio.create_task(db.write_async(writing("row0")))
            await asyncio.sleep(0.02)
            gone, last = (asyncio.create_task(db.write_async(writing(f"row{number}"))) for number in (1, 2))
            await asyncio.sleep(0.02)
            gone.cancel()
        assert [await first, await last] == ["row0", "row2"]

    asyncio.run(give_up())
    assert written() == {"row0", "row2"}
