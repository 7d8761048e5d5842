"""Transactions: what is tried again, what waits, and what a database that fails means for answers and `/readyz`."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError, InternalError, OperationalError
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.errors import Unavailable
from marketplace_app.models import Category, Counter
from tests.conftest import Cast


def test_a_broken_constraint_is_not_tried_again(engine: Engine, cast: Cast) -> None:
    tries: list[int] = []

    def work(session: Session) -> None:
        tries.append(1)
        session.add(Category(name="THC Flower"))

    with pytest.raises(IntegrityError):
        db.write(work)
    assert len(tries) == 1


def test_a_failure_leaves_nothing_behind(engine: Engine) -> None:
    def work(session: Session) -> None:
        session.add(Counter(name="half", value=1))
        session.flush()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        db.write(work)
    assert db.read(lambda session: session.get(Counter, "half")) is None


def test_a_lock_that_is_held_too_long_is_a_503_and_one_that_is_released_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's own wait is shortened here; the store's is five seconds, six times."""
    monkeypatch.setattr(db, "SQLITE_PRAGMAS", ("journal_mode=WAL", "busy_timeout=20"))
    monkeypatch.setattr(db, "ATTEMPTS", 2)
    engine = db.make_engine(f"sqlite:///{tmp_path / 'held.db'}")
    db.write(lambda session: session.execute(text("CREATE TABLE t (x)")), engine)
    holder = sqlite3.connect(tmp_path / "held.db", isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable):
        db.write(lambda session: session.execute(text("INSERT INTO t VALUES (1)")), engine)
    threading.Timer(0.03, holder.execute, ["ROLLBACK"]).start()
    monkeypatch.setattr(db, "ATTEMPTS", 6)
    db.write(lambda session: session.execute(text("INSERT INTO t VALUES (1)")), engine)
    holder.close()
    engine.dispose()


def test_a_writer_whose_turn_does_not_come_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db, "TURN_SECONDS", 0.05)
    engine = db.make_engine(f"sqlite:///{tmp_path / 'turns.db'}")
    tries: list[int] = []

    def second(session: Session) -> None:
        tries.append(1)

    def first(session: Session) -> None:
        with ThreadPoolExecutor(1) as pool, pytest.raises(Unavailable):
            pool.submit(db.write, second, engine).result()

    db.write(first, engine)
    assert tries == []
    db.write(second, engine)
    assert tries == [1]
    engine.dispose()


def test_what_may_be_left_out_is_not_waited_for(tmp_path: Path) -> None:
    engine = db.make_engine(f"sqlite:///{tmp_path / 'notes.db'}")
    tries: list[int] = []

    def note(session: Session) -> None:
        tries.append(1)

    def writer(session: Session) -> None:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(db.try_write, note, engine).result(5) is False

    db.write(writer, engine)
    assert tries == []
    assert db.try_write(note, engine) is True
    assert tries == [1]
    engine.dispose()


def test_a_full_disk_leaves_the_note_out(tmp_path: Path) -> None:
    engine = db.make_engine(f"sqlite:///{tmp_path / 'full.db'}")
    db.write(lambda session: session.execute(text("CREATE TABLE t (x)")), engine)

    def fill(session: Session) -> None:
        session.execute(text("PRAGMA max_page_count = 2"))
        session.execute(text("INSERT INTO t VALUES (zeroblob(100000))"))

    assert db.try_write(fill, engine) is False
    engine.dispose()


def test_readers_never_wait_for_writers(tmp_path: Path) -> None:
    engine = db.make_engine(f"sqlite:///{tmp_path / 'readers.db'}")

    def write(session: Session) -> int:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(db.read, lambda other: other.execute(text("SELECT 1")).scalar_one(), engine).result(5)

    assert db.write(write, engine) == 1
    engine.dispose()


def test_a_database_that_is_gone_is_a_503_and_not_ready(
    client: TestClient, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = db.make_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
    monkeypatch.setattr(db, "get_engine", lambda: gone)
    assert client.get("/readyz").json() == {
        "status": "unavailable",
        "reason": "database",
        "problems": [{"dependency": "database", "message": "The database cannot be reached."}],
    }
    response = client.get("/api/products")
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert client.get("/healthz").status_code == 200


def test_a_database_without_its_migrations_is_not_ready(client: TestClient, session: Session) -> None:
    assert client.get("/readyz").json() == {"status": "ready"}
    session.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    session.commit()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["reason"]) == (503, "migrations")


def test_the_previous_release_still_serves_after_the_next_one_has_migrated(
    client: TestClient, session: Session
) -> None:
    session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    session.commit()
    assert client.get("/readyz").json() == {"status": "ready"}
    assert client.get("/api/products").status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("state", ["53100", "53200", "58030"])
def test_postgresql_without_disk_or_memory_is_a_503(engine: Engine, state: str) -> None:
    def fail(session: Session) -> None:
        session.execute(text(f"DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '{state}'; END $$"))

    for run in (db.write, db.read):
        with pytest.raises(Unavailable):
            run(fail)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("limit", ["lock_timeout", "statement_timeout"])
def test_a_reader_that_waits_too_long_is_told_to_try_again(engine: Engine, limit: str) -> None:
    def wait_for_the_lock(session: Session) -> None:
        session.execute(text(f"SET LOCAL {limit} = '20ms'"))
        session.execute(text("SELECT count(*) FROM categories"))

    with engine.begin() as connection:
        connection.execute(text("LOCK TABLE categories"))
        with pytest.raises(Unavailable):
            db.read(wait_for_the_lock)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_commit_during_which_postgresql_stops_is_a_503(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """As psycopg reports it when the server has no room for its log: it answers, and then closes the connection."""

    def commit(_session: Session) -> None:
        raise InternalError("COMMIT", {}, psycopg.InternalError("received 2 results from command 'COMMIT'"))

    monkeypatch.setattr(Session, "commit", commit)
    with pytest.raises(Unavailable):
        db.write(lambda session: session.execute(text("SELECT 1")))


@pytest.mark.parametrize("run", [db.write, db.read])
def test_a_pooler_without_a_connection_to_postgresql_is_a_503(engine: Engine, run: Callable[..., object]) -> None:
    """As PgBouncer reports it, to a client whose own connection stays open."""

    def fail(_session: Session) -> None:
        raise OperationalError("BEGIN", {}, psycopg.errors.ProtocolViolation("server login has been failing"))

    with pytest.raises(Unavailable):
        run(fail)
