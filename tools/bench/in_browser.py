"""What happens in a real Chromium: how long clicks and interactions take, and what a first visit transfers."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from marketplace_app.jobs.identity import DEMO_OWNER
from tests.builders import draft
from tests.install_browser import find_chromium
from tools.bench import clicks, interactions
from tools.bench.bare_button import bare_button
from tools.bench.clicks import FIRST_PRODUCT, Clicks
from tools.bench.servers import Database, Server
from tools.bench.table import Check, Goal, Row
from tools.bench.tabs import busy_tabs
from tools.bench.weights import (
    BUDGETS,
    CHECKOUT_FORM,
    LATER_PAGE_BUDGETS,
    OVERVIEW_FIGURES,
    Visit,
    first_visit,
    set_session_cookies,
)
from tools.bench.wrk import CLIENT_CORE, CORES, pinned_to

FIRST_ORDER = "#panel-orders li h2"
FIRST_TICKET = 'ul[aria-label="Support tickets"] li'
ORDERS_AND_TICKETS = 500
"""How many of each."""
PAGES_TURNED = 20
BUSY_TABS = 100


def measure_clicks(store: Server, database: Database, folder: Path) -> tuple[str, list[Check]]:
    with bare_button(folder) as button, _chromium(CLIENT_CORE) as browser:
        bare = clicks.measure_button(browser, button)
        usual = clicks.measure_catalogue(browser, store)
        with busy_tabs(store, database.shopper_tokens[:BUSY_TABS], database.products):
            note = f", {BUSY_TABS} busy tabs"
            busy = clicks.measure_catalogue(browser, store, note=note, goals=clicks.BUSY_GOALS)
        return clicks.table(bare, [*usual, *busy, *_account_clicks(browser, store, database)])


def measure_catalogue_clicks(store: Server) -> list[Clicks]:
    with _chromium(CLIENT_CORE) as browser:
        return clicks.measure_catalogue(browser, store)


def measure_interactions(store: Server) -> list[Row]:
    with _chromium(*CORES) as browser:
        return interactions.measure(browser, store)


def measure_weights(store: Server) -> list[Row]:
    with _chromium(*CORES) as browser:
        landing, catalogue, checkout, overview = (clicks.open_page(browser, store) for _ in range(4))
        for page, email in (
            (catalogue, "weights@example.org"),
            (checkout, "heavy@example.org"),
            (overview, DEMO_OWNER),
        ):
            set_session_cookies(page, store.url, email)
        _post(checkout, store, "/api/cart", {"productId": 1, "quantity": 1})
        visits = [
            ("landing", first_visit(landing, store.url, "main h1"), BUDGETS),
            ("catalogue", first_visit(catalogue, store.url, FIRST_PRODUCT), BUDGETS),
            ("checkout", first_visit(checkout, f"{store.url}/checkout", CHECKOUT_FORM), LATER_PAGE_BUDGETS),
            ("admin overview", first_visit(overview, f"{store.url}/admin", OVERVIEW_FIGURES), LATER_PAGE_BUDGETS),
        ]
    return [row for visit in visits for row in _weight_rows(*visit)]


@contextmanager
def _chromium(*cores: int) -> Iterator[Browser]:
    with pinned_to(*cores), sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        yield browser
        browser.close()


def _account_clicks(browser: Browser, store: Server, database: Database) -> list[Clicks]:
    """The account and the support page of a long-standing customer."""
    page = clicks.open_page(browser, store)
    set_session_cookies(page, store.url, "regular@example.org")
    with sqlite3.connect(database.file) as connection:
        connection.execute("UPDATE products SET stock = 100000 WHERE id <= 20")  # enough for all of the orders
    _post(page, store, "/api/verify-age", {"dateOfBirth": "1990-04-17"})
    for number in range(ORDERS_AND_TICKETS):
        # 13 of any of these products reach the minimum order.
        _post(page, store, "/api/orders", draft(items=[{"productId": 1 + number % 20, "quantity": 13}]))
        _post(page, store, "/api/support/tickets", {"subject": f"Question {number}", "message": "Where is my order?"})
    measured = []
    for what, address, shown in (("orders", "/account?tab=orders", FIRST_ORDER), ("tickets", "/support", FIRST_TICKET)):
        page.goto(address)
        page.locator(shown).first.wait_for()
        clicks.pass_age_gate(page)
        title, controls = f"page of {ORDERS_AND_TICKETS} {what}", [(clicks.NEXT_PAGE,)] * PAGES_TURNED
        measured.append(clicks.click(page, title, shown, controls, {"p50": Goal(60)}))
    return measured


def _post(page: Page, store: Server, path: str, body: dict[str, Any]) -> None:
    answer = page.request.post(path, data=body, headers={"Origin": store.url})
    if not answer.ok:
        raise SystemExit(f"{path}: {answer.status} {answer.text()}")


def _weight_rows(name: str, visit: Visit, budgets: Mapping[str, float]) -> list[Row]:
    return [
        Row(f"first visit to the {name}: {kind}", visit.kilobytes.get(kind), "kB", goal=Goal(budget))
        for kind, budget in budgets.items()
    ]
