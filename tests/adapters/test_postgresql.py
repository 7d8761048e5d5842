"""What PostgreSQL is asked for when the store connects: directly, and through a pooler."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Queue
from threading import Thread
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

import rxconfig
from marketplace_app import db
from marketplace_app.adapters import live, postgresql
from marketplace_app.config import get_settings
from marketplace_app.jobs import serve
from marketplace_app.jobs.commands import postgresql as programs
from marketplace_app.marketplace_app import app
from marketplace_app.states.events.live import live_tabs
from tests.databases import PostgreSql, Sqlite

POOLER = "postgresql+psycopg://shop:one@127.0.0.1:6432/shop"
DIRECT = "postgresql+psycopg://shop:two@127.0.0.1:5432/shop"
PREPARED = text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%twelve%'")


@pytest.fixture
def server(databases: Callable[[str], Sqlite | PostgreSql]) -> PostgreSql:
    started = databases("postgresql")
    assert isinstance(started, PostgreSql)
    return started


@pytest.fixture
def direct(server: PostgreSql) -> Iterator[str]:
    """The URL of a database of this test's own, past any pooler."""
    name = f"direct_{uuid4().hex}"
    server._run(f"CREATE DATABASE {name}")
    yield server.direct_engine(name).url.render_as_string(hide_password=False)
    server._run(f"DROP DATABASE {name} WITH (FORCE)")


def startup_packet(**arguments: str) -> bytes:
    """What a connection begins with; nobody answers it."""
    received: list[bytes] = []

    def receive(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            received.append(connection.recv(4096))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=receive, args=[listener])
        thread.start()
        address = f"postgresql+psycopg://shop@127.0.0.1:{listener.getsockname()[1]}/shop"
        engine = db.make_engine(f"{address}?sslmode=disable&gssencmode=disable", **arguments)
        with suppress(OperationalError), engine.connect():
            pass
        thread.join()
        engine.dispose()
    return received[0]


def test_settings_are_asked_for_directly_and_not_of_a_pooler() -> None:
    """PgBouncer refuses a connection that asks for `options`."""
    assert b"options\x00-c lock_timeout=3000 -c statement_timeout=5000" in startup_packet()
    assert b"options" not in startup_packet(direct_url=DIRECT)


def test_a_server_that_vanishes_is_noticed_by_every_connection(direct: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {name: str(value) for name, value in postgresql.IF_THE_SERVER_VANISHES.items()}
    pooled = db.make_engine(direct, direct_url=direct)
    for engine in (db.make_engine(direct), pooled, pooled.get_execution_options()["separate_engine"]):
        with engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            assert driver.info.get_parameters().items() >= expected.items()
        engine.dispose()
    listening: Queue[dict[str, Any]] = Queue()

    def refuse(_dsn: str, **arguments: Any) -> None:
        listening.put(arguments)
        raise psycopg.OperationalError

    monkeypatch.setattr(live.psycopg, "connect", refuse)
    stop = live.listen(DIRECT)
    assert listening.get(timeout=5).items() >= postgresql.IF_THE_SERVER_VANISHES.items()
    stop()


def test_an_event_may_hold_its_tab_for_as_long_as_a_write_is_tried() -> None:
    longest = db.ATTEMPTS * int(postgresql._SETTINGS["statement_timeout"])
    assert longest < rxconfig.config.redis_lock_expiration < 2 * longest


def test_nothing_is_prepared_on_a_connection_that_others_use_too(direct: str) -> None:
    for engine, prepared in ((db.make_engine(direct), 1), (db.make_engine(direct, direct_url=direct), 0)):
        with engine.connect() as connection:
            for _ in range(12):
                connection.execute(text("SELECT 12 AS twelve"))
            assert connection.scalar(PREPARED) == prepared
        engine.dispose()


def test_the_role_gives_the_settings_to_connections_of_a_pooler(direct: str) -> None:
    as_pooled, unpooled = db.make_engine(direct, direct_url=direct), db.make_engine(direct)
    with as_pooled.connect() as connection:
        assert postgresql.differing_settings(connection)["lock_timeout"] == "0"
    with unpooled.begin() as connection:
        assert postgresql.differing_settings(connection) == {}
        for _ in range(2):  # every migration repeats it
            postgresql.set_role_defaults(connection)
    as_pooled.dispose()
    with as_pooled.connect() as connection:
        assert postgresql.differing_settings(connection) == {}
    as_pooled.dispose()
    unpooled.dispose()


def test_what_is_written_separately_goes_past_the_pooler(direct: str) -> None:
    """Its callers hold a connection of the pooler, and all of them could wait for one more."""
    engine = db.make_engine(f"{direct}&application_name=pooler", direct_url=f"{direct}&application_name=past")
    name = text("SELECT current_setting('application_name')")
    with engine.connect() as connection:
        assert connection.scalar(name) == "pooler"
        assert postgresql.write_separately(connection, name, {}) == "past"
    engine.dispose()


def test_a_start_is_refused_while_the_pooler_has_connections_without_the_settings(
    direct: str, configure: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(DATABASE_URL=f"{direct}&application_name=pooler", DATABASE_DIRECT_URL=direct)
    settings = get_settings()
    pooler = db.make_engine(settings.database_url, direct_url=direct)
    monkeypatch.setattr(db, "get_engine", lambda: pooler)
    with pytest.raises(SystemExit, match="PostgreSQL settings: lock_timeout is 0, statement_timeout is 0"):
        serve._require_settings_behind_pooler(settings)
    unpooled = db.make_engine(direct)
    with unpooled.begin() as connection:
        postgresql.set_role_defaults(connection)
    unpooled.dispose()
    pooler.dispose()
    serve._require_settings_behind_pooler(settings)
    pooler.dispose()


def test_a_start_without_the_pooler_says_so(configure: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    configure(DATABASE_URL="postgresql+psycopg://shop@127.0.0.1:1/shop", DATABASE_DIRECT_URL=DIRECT)
    settings = get_settings()
    gone = db.make_engine(settings.database_url, direct_url=DIRECT)
    monkeypatch.setattr(db, "get_engine", lambda: gone)
    with pytest.raises(SystemExit, match="The pooler that DATABASE_URL names does not reach the database"):
        serve._require_settings_behind_pooler(settings)
    gone.dispose()


def test_listening_for_changes_goes_past_the_pooler(
    configure: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    listened: list[str] = []
    monkeypatch.setattr(live, "listen", lambda url: listened.append(url) or (lambda: None))
    configure(DATABASE_URL=POOLER, DATABASE_DIRECT_URL=DIRECT)

    async def serve_for_a_moment() -> None:
        async with live_tabs(app):
            pass

    asyncio.run(serve_for_a_moment())
    assert listened == [DIRECT]


def test_backups_go_past_the_pooler(configure: Callable[..., None]) -> None:
    configure(DATABASE_URL=POOLER, DATABASE_DIRECT_URL=DIRECT)
    assert programs._url_without_password() == "postgresql://shop@127.0.0.1:5432/shop"
    assert programs._url().password == "two"
    configure(DATABASE_URL=POOLER, DATABASE_DIRECT_URL="")
    assert programs._url_without_password() == "postgresql://shop@127.0.0.1:6432/shop"
