"""How long a click takes to change the screen, and what a first visit transfers, in a real Chromium."""

import os
import sqlite3
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.builders import draft
from tests.install_browser import find
from tools.bench.servers import Database, Server
from tools.bench.table import Row, of_many, show
from tools.bench.weights import BUDGETS, Visit, first_visit, remember
from tools.bench.wrk import CLIENT_CORE, pinned_to

CLICKS = 20
GOAL = "<= 10 ms"
PAUSE_MS = 250
# From the click to the first change of the screen after which `shown()` says something else than before.
CLICK = """([button, shown]) => new Promise((resolve, reject) => {
  const look = () => document.querySelector(shown)?.textContent + document.querySelector(shown)?.ariaLabel;
  const before = look();
  const began = performance.now();
  const observer = new MutationObserver(() => {
    if (!document.querySelector(shown) || look() === before) return;
    observer.disconnect();
    resolve(performance.now() - began);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(() => reject(new Error(`nothing changed after ${button}`)), 5000);
  document.querySelectorAll(button)[0].click();
})"""
CART = 'button[aria-label^="Cart,"]'
FIRST_PRODUCT = "main li h2"
FIRST_ORDER = "#panel-orders li h2"
FIRST_TICKET = 'ul[aria-label="Support tickets"] li'
MANY = 500
ADD = "main li:nth-child({}) button:not([aria-pressed]):not([aria-disabled=true])"
CATEGORY = 'nav[aria-label="Categories"] button:nth-child({})'
NEXT_PAGE = 'nav[aria-label="Pages"] > button:last-child'


def measure(store: Server, database: Database) -> list[Row]:
    """The browser keeps off the server's core."""
    with pinned_to(CLIENT_CORE), sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find(), args=flags)
        rows = [*_clicks(browser, store), *_account_clicks(browser, store, database), *_weights(browser, store)]
        browser.close()
    return rows


def _clicks(browser: Browser, store: Server) -> list[Row]:
    page = browser.new_context(base_url=store.url, viewport={"width": 1280, "height": 900}).new_page()
    remember(page, store.url, "clicks@example.org")
    page.goto("/")
    page.locator(FIRST_PRODUCT).first.wait_for()
    _pass_age_gate(page)
    acts = {
        "add to cart": (CART, [ADD.format(1 + number % 8) for number in range(CLICKS)]),
        "filter": (FIRST_PRODUCT, [CATEGORY.format(2 + number % 5) for number in range(CLICKS)]),
        "page": (FIRST_PRODUCT, [NEXT_PAGE] * CLICKS),
    }
    return [_click_row(page, what, shown, buttons) for what, (shown, buttons) in acts.items()]


def _account_clicks(browser: Browser, store: Server, database: Database) -> list[Row]:
    """The account and support of somebody who has been a customer for long."""
    page = browser.new_context(base_url=store.url, viewport={"width": 1280, "height": 900}).new_page()
    remember(page, store.url, "regular@example.org")
    with sqlite3.connect(database.file) as database:
        database.execute("UPDATE products SET stock = 100000 WHERE id <= 20")
    _post(page, store, "/api/verify-age", {"dateOfBirth": "1990-04-17"})
    for number in range(MANY):
        _post(page, store, "/api/orders", draft(items=[{"productId": 1 + number % 20, "quantity": 13}]))
        _post(page, store, "/api/support/tickets", {"subject": f"Question {number}", "message": "Where is my order?"})
    rows = []
    for what, address, shown in (("orders", "/account?tab=orders", FIRST_ORDER), ("tickets", "/support", FIRST_TICKET)):
        page.goto(address)
        page.locator(shown).first.wait_for()
        _pass_age_gate(page)
        rows.append(_click_row(page, f"page of {MANY} {what}", shown, [NEXT_PAGE] * CLICKS, "<= 60 ms"))
    return rows


def _post(page: Page, store: Server, path: str, body: dict[str, Any]) -> None:
    answer = page.request.post(path, data=body, headers={"Origin": store.url})
    if not answer.ok:
        raise SystemExit(f"{path}: {answer.status} {answer.text()}")


def _click_row(page: Page, what: str, shown: str, buttons: list[str], goal: str = GOAL) -> Row:
    taken = []
    for button in buttons:
        page.wait_for_timeout(PAUSE_MS)
        taken.append(page.evaluate(CLICK, [button, shown]))
    return of_many(f"click to changed screen: {what}", taken, "ms", goal)


def _pass_age_gate(page: Page) -> None:
    gate = page.get_by_role("dialog").get_by_label("Date of birth")
    if gate.is_visible():
        gate.fill("1990-04-17")
        page.get_by_role("button", name="I am 21 or older").click()
        gate.wait_for(state="hidden")


def _weights(browser: Browser, store: Server) -> list[Row]:
    landing = browser.new_page()
    catalogue = browser.new_page()
    remember(catalogue, store.url, "weights@example.org")
    visits = {
        "landing": first_visit(landing, store.url, "main h1"),
        "catalogue": first_visit(catalogue, store.url, FIRST_PRODUCT),
    }
    return [row for name, visit in visits.items() for row in _weight_rows(name, visit)]


def _weight_rows(name: str, visit: Visit) -> list[Row]:
    return [
        Row(f"first visit of the {name}: {kind}", _weight(visit, kind), goal=f"<= {budget} kB")
        for kind, budget in BUDGETS.items()
    ]


def _weight(visit: Visit, kind: str) -> str:
    return show(visit.kilobytes[kind], "kB") if kind in visit.kilobytes else "not asked for"
