"""A whole store on a port of its own, and a real browser: any policy violation or script error fails the test.

Each of two workers has a store. In one the owner's tests add products; in the other the products stay as seeded.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright
from sqlalchemy import text

from marketplace_app import db
from tests.databases import new_folder_in_memory
from tests.e2e.quick_sign_in import STORE_OF, token_of
from tests.e2e.running import ROOT, Redis, Store, one_at_a_time, running, scaled_settings, wait_until_ready
from tests.install_browser import find_chromium

WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
FIRST_PORT = int(os.environ.get("TEST_PORT", "8790"))
PORT = FIRST_PORT + 20 * WORKER
FRAMING_PORT = PORT + 5  # of another site, which may show the store in a frame
PAGES = f".web-tests-{FIRST_PORT}"  # where they are built, once for all workers
BUILD_SETTINGS = {"ORIGINAL_HOST": "original.example", "REFLEX_WEB_WORKDIR": PAGES}
IS_SCALED = "STORE_SCALED" in os.environ
DESKTOP, PHONE = (1280, 900), (390, 844)
BOTH_SIZES = [pytest.param(PHONE, id="390"), pytest.param(DESKTOP, id="1280", marks=pytest.mark.sizes)]
"""For a test that walks the same way at both: `make test` does so on a phone, `make test-sizes` on a desktop."""
# Chromium itself logs every failed request; tests check the store's answers themselves.
EXPECTED_CONSOLE = ("Failed to load resource",)
# Test files that need the products as they were seeded, because they count them.
AS_SEEDED = ("catalogue", "header", "invitation", "invite", "layout", "preferences", "self_check", "waiting")
# The first worker builds the pages; another meanwhile runs tests of a store that needs none. The longest come early.
FIRST_GROUPS = ("as seeded", "test_crash", "owner", "test_cluster", "test_attacked_store", "test_accessibility")
Api = Callable[[str], httpx.Client]
__all__ = ["ROOT", "Store", "wait_until_ready"]  # re-exported for the tests


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the files that can share a store. With one worker, the owner's tests come last."""
    here = [item for item in items if item.get_closest_marker("browser")]
    others = [item for item in items if item not in here]
    for item in here:
        item.add_marker(pytest.mark.xdist_group(_group_of(item)))
    names = dict.fromkeys(_group_of(item) for item in here)
    is_parallel = "PYTEST_XDIST_WORKER" in os.environ
    groups = (
        [*FIRST_GROUPS, *names] if is_parallel else ["as seeded", *(name for name in names if name != "owner"), "owner"]
    )
    items[:] = others + sorted(here, key=lambda item: groups.index(_group_of(item)))


def _group_of(item: pytest.Item) -> str:
    name = item.path.stem.removeprefix("test_")
    if name.startswith("admin_"):
        return "owner"
    return "as seeded" if name in AS_SEEDED or item.path.parent != Path(__file__).parent else item.path.stem


@pytest.fixture(scope="session")
def store() -> Iterator[Store]:
    """`make run`'s own command, with an empty database, as a user would start it.

    With `STORE_SCALED=1` it is a store on several machines: PostgreSQL, Redis and Caddy before two processes with two
    workers each, where lost state would show.
    """
    module = "tests.e2e.scaled_store" if IS_SCALED else "marketplace_app.jobs.serve"
    folder = Path(tempfile.mkdtemp(prefix="store-e2e-")) if IS_SCALED else new_folder_in_memory("store-e2e-")
    settings = {
        **BUILD_SETTINGS,
        "PREVIEW_ORIGINS": f"http://localhost:{FRAMING_PORT},http://127.0.0.1:{FRAMING_PORT}",
    }
    with ExitStack() as opened:
        opened.callback(shutil.rmtree, folder, ignore_errors=True)
        if IS_SCALED:
            redis = Redis(PORT + 2)
            opened.callback(redis.kill)
            redis.start()
            settings |= scaled_settings(folder, redis)
        with one_at_a_time():
            started = opened.enter_context(running(module, PORT, folder, settings))
        _refill_stock(started.database_url)
        yield started


def _refill_stock(database_url: str) -> None:
    """Refill stock, so that tests do not sell out products for each other; sold-out products stay sold out."""
    engine = db.make_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE products SET stock = stock + 100000 WHERE stock > 0"))
    engine.dispose()


def chromium_flags() -> list[str]:
    return ["--no-sandbox"] if os.geteuid() == 0 else []


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_flags())
        yield opened
        opened.close()


@pytest.fixture
def new_page(store: Store, browser: Browser) -> Iterator[Callable[..., Page]]:
    """A browser of another user: `new_page()` or `new_page(PHONE)`. Policy violations fail the test at its end."""
    contexts: list[BrowserContext] = []
    script_errors: list[str] = []

    def on_console_message(message: ConsoleMessage, allowed_error: str | None) -> None:
        is_ours = store.url in message.location.get("url", store.url)
        if message.type == "error" and is_ours and not message.text.startswith(EXPECTED_CONSOLE):
            record_error(message.text, allowed_error)

    def record_error(text: str, allowed_error: str | None) -> None:
        if allowed_error is None or allowed_error not in text:
            script_errors.append(text)

    def open_page(
        size: tuple[int, int] = DESKTOP,
        *,
        scheme: str = "light",
        has_motion: bool = False,
        zoom: int = 1,
        allowed_error: str | None = None,
        service_workers: Literal["allow", "block"] = "block",
    ) -> Page:
        """Service workers cache files for a next visit. Most tests make only one, and are a seventh faster without."""
        context = browser.new_context(
            base_url=store.url,
            viewport={"width": size[0] // zoom, "height": size[1] // zoom},
            device_scale_factor=zoom,
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="no-preference" if has_motion else "reduce",
            service_workers=service_workers,
        )
        contexts.append(context)
        STORE_OF[context] = store
        context.add_init_script(
            "document.addEventListener('securitypolicyviolation',"
            " e => console.error('policy violated: ' + e.violatedDirective + ' ' + e.blockedURI))"
        )
        page = context.new_page()
        page.on("console", lambda message: on_console_message(message, allowed_error))
        page.on("pageerror", lambda error: record_error(str(error), allowed_error))
        page.set_default_timeout(10_000)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert script_errors == []


@pytest.fixture
def api(store: Store) -> Iterator[Api]:
    """A REST client of a user, as on another device."""
    with ExitStack() as opened:

        def sign_in(email: str) -> httpx.Client:
            cookies = {"session": token_of(store, email)}
            return opened.enter_context(httpx.Client(base_url=store.url, verify=False, cookies=cookies))

        yield sign_in


@pytest.fixture
def no_runs(store: Store) -> None:
    """Ends the runs that other tests have left, since a driver is out on one run at a time."""
    engine = db.make_engine(store.database_url)
    with engine.begin() as connection:
        for statement in (
            "UPDATE run_stops SET ended_at = added_at, outcome = 'removed', flag = NULL WHERE ended_at IS NULL",
            "UPDATE runs SET closed_at = departed_at WHERE closed_at IS NULL AND departed_at IS NOT NULL",
            "DELETE FROM runs WHERE departed_at IS NULL",
        ):
            connection.execute(text(statement))
    engine.dispose()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()
