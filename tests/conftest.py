"""A real database built by the real migrations, on SQLite and on PostgreSQL, and the users of most tests.

Alice and Bob shop. Charlie is banned. Ada is the admin. Zoe has signed in but never verified her age.
"""

import atexit
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

os.environ.update(
    ENVIRONMENT="development",
    PORT="8000",
    DATABASE_URL="sqlite:///unused/never.db",
    OIDC_ISSUER="",
    # Reflex cleans this folder when it starts: two workers must not share one.
    REFLEX_STATES_WORKDIR=tempfile.mkdtemp(prefix="store-states-"),
)

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session
from starlette.types import ASGIApp

from marketplace_app import config, db, end_startup
from marketplace_app.adapters import rates, storage, versioned_cache
from marketplace_app.api import catalogue_answers
from marketplace_app.api.app import make_api
from marketplace_app.auth import oidc
from marketplace_app.models import Role, User
from marketplace_app.services import sessions
from marketplace_app.web import headers
from marketplace_app.web.catalogue_answers import CatalogueAnswers
from marketplace_app.web.direct_calls import DirectCalls
from marketplace_app.web.headers import SecurityHeaders
from marketplace_app.web.request_filter import RequestFilter
from marketplace_app.web.request_ids import RequestIds
from tests.builders import make_user
from tests.databases import PostgreSql, Sqlite
from tests.documented import DocumentedAnswers

end_startup()
atexit.register(shutil.rmtree, os.environ["REFLEX_STATES_WORKDIR"], ignore_errors=True)

BASE_URL = "http://localhost:8000"
SignIn = Callable[[User], TestClient]
"""What the fixture `as_user` is: it signs a user in and returns their client."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """`make attack` reads from the report what each test tries."""
    if mark := item.get_closest_marker("attack"):
        item.user_properties.append(("attack", mark.args[0]))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """PostgreSQL takes longer to start than most files of tests take on SQLite, so it waits to be asked for."""
    if asks_for_postgresql(config):
        return
    left_out = [item for item in items if item.get_closest_marker("postgresql")]
    items[:] = [item for item in items if not item.get_closest_marker("postgresql")]
    config.hook.pytest_deselected(items=left_out)
    getattr(config, "workeroutput", left_out_counts)["postgresql"] = len(left_out)


def asks_for_postgresql(config: pytest.Config) -> bool:
    """By name in -m, -k or a path, or by the id of a test."""
    words = (config.option.markexpr, config.option.keyword, *config.args)
    return any("postgresql" in each or "::" in each for each in words)


left_out_counts: dict[str, int] = {}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of xdist tells how many it has left out; all collect the same."""
    left_out_counts.update(postgresql=getattr(node, "workeroutput", {}).get("postgresql", 0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if count := left_out_counts.get("postgresql"):
        terminalreporter.write_line(f"Not run: {count} tests on PostgreSQL. -m postgresql runs them.")


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


@pytest.fixture(scope="session")
def databases() -> Iterator[Callable[[str], Sqlite | PostgreSql]]:
    """Started when a test first needs one."""
    folder = Path(tempfile.mkdtemp(prefix="store-tests-"))
    started: dict[str, Sqlite | PostgreSql] = {}

    def start(kind: str) -> Sqlite | PostgreSql:
        if kind not in started:
            started[kind] = Sqlite() if kind == "sqlite" else PostgreSql(folder)
        return started[kind]

    yield start
    for server in started.values():
        server.close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def engine(
    request: pytest.FixtureRequest, databases: Callable[[str], Sqlite | PostgreSql], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    """A database of this test's own, and the one that the store uses."""
    server = databases(request.param)
    borrowed = server.borrow()
    # Another test may have used a database of this name.
    versioned_cache.clear_all()
    db._observer.cache_clear()
    monkeypatch.setattr(db, "get_engine", lambda: borrowed)
    yield borrowed
    server.give_back(borrowed)


ON_SQLITE = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
"""For a test whose outcome does not depend on the database: a form's refusals, what a screen shows."""


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
    """The REST API behind the ASGI layers that it has in the store, with the current settings."""
    app = _api_of(repr(config.get_settings()))
    app.state.catalogue_cache = catalogue_answers.make_cache()
    return DocumentedAnswers(RequestIds(SecurityHeaders(RequestFilter(DirectCalls(CatalogueAnswers(app))))))


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
    """A guest."""
    guest = TestClient(shop, base_url=BASE_URL)
    guest.portal = event_loop_thread
    yield guest
    guest.close()


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


@pytest.fixture
def ada(as_user: SignIn, cast: Cast) -> TestClient:
    """The owner."""
    return as_user(cast.ada)
