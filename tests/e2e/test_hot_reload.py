"""`make dev` on a copy of the store: saved changes appear without a reload."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from marketplace_app.framework.deferred_hydration import EARLY_SCRIPTS
from marketplace_app.web.before_hydration import CONTROLS_WITHOUT_REACT
from tests.e2e.conftest import PAGES, PORT, Store, wait_until_ready
from tests.e2e.running import ROOT, copy_checkout

pytestmark = [pytest.mark.browser, pytest.mark.stores]

DEV_PORT = PORT + 10
URL = f"http://localhost:{DEV_PORT}"
COMPILED_WITHIN_MS = 60_000


@pytest.fixture
def working_copy(store: Store, tmp_path: Path) -> Iterator[Path]:
    """Uses the packages that the store under test has installed."""
    copy_checkout(tmp_path, PAGES, pages_to=".web")
    environment = os.environ | {
        "PORT": str(DEV_PORT),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'store.db'}",
        "PYTHONWARNINGS": "ignore",
    }
    environment.pop("OIDC_ISSUER", None)
    log = tmp_path / "store.log"
    with log.open("w") as lines:
        process = subprocess.Popen(
            [sys.executable, "-m", "marketplace_app.jobs.serve", "--reload"],
            cwd=tmp_path,
            env=environment,
            stdout=lines,
            stderr=lines,
            start_new_session=True,
        )
        try:
            wait_until_ready(URL, process, log)
            yield tmp_path / "marketplace_app"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)


def save(file: Path, old: str, new: str) -> None:
    before = file.read_text()
    assert old in before
    file.write_text(before.replace(old, new))


def test_saved_files_are_reloaded(working_copy: Path, browser: Browser) -> None:
    expect.set_options(timeout=COMPILED_WITHIN_MS)
    page = browser.new_page(base_url=URL)
    try:
        open_faq(page)
        change_text(page, working_copy)
        change_colours(page, working_copy)
        make_a_mistake(page, working_copy)
    finally:
        expect.set_options(timeout=5_000)
        page.close()
    assert httpx.get(f"{URL}/api/products").status_code == 200
    assert CONTROLS_WITHOUT_REACT in httpx.get(f"{URL}{EARLY_SCRIPTS}").text
    assert lock_of(working_copy.parent) == lock_of(ROOT)


def lock_of(checkout: Path) -> object:
    return json.loads((checkout / "reflex.lock" / "package-lock.json").read_text())


def open_faq(page: Page) -> None:
    page.goto("/faq")
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions, answered")


def change_text(page: Page, working_copy: Path) -> None:
    save(working_copy / "pages" / "faq.py", "Questions, answered", "Questions and answers")
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions and answers")


def change_colours(page: Page, working_copy: Path) -> None:
    """The theme is read by Reflex's configuration, before the store is."""
    save(working_copy / "theme" / "tokens.py", '"paper": "#f6f4ee"', '"paper": "#ffeeee"')
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 238, 238)")


def make_a_mistake(page: Page, working_copy: Path) -> None:
    """A syntax error is reported in the terminal; the next saved change is shown as usual."""
    page_module = working_copy / "pages" / "faq.py"
    save(page_module, "def faq()", "def faq((")
    page.wait_for_timeout(2_000)
    save(page_module, "def faq((", "def faq()")
    save(page_module, "Questions and answers", "Questions, answered")
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions, answered")
