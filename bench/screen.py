"""How long a click takes to change the screen, and what a first visit weighs, in a real Chromium."""

import os

from playwright.sync_api import Browser, Page, sync_playwright

from bench.servers import Store
from bench.table import Row, of_many, show
from bench.weights import BUDGETS, Visit, first_visit, remember
from tests.builders import draft
from tests.install_browser import find

CLICKS = 20
GOAL = "<= 30 ms"
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
ORDERS = 500
ADD = "main li:nth-child({}) button:not([disabled]):not([aria-disabled=true])"
SHELF = 'nav[aria-label="Categories"] button:nth-child({})'
NEXT_PAGE = 'nav[aria-label="Pages"] > button:last-child'


def measure(store: Store) -> list[Row]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find(), args=flags)
        rows = [*_clicks(browser, store), *_account_clicks(browser, store), *_weights(browser, store)]
        browser.close()
    return rows


def _clicks(browser: Browser, store: Store) -> list[Row]:
    page = browser.new_context(base_url=store.url, viewport={"width": 1280, "height": 900}).new_page()
    remember(page, store.url, "clicks@example.org")
    page.goto("/")
    page.locator(FIRST_PRODUCT).first.wait_for()
    _pass_age_gate(page)
    acts = {
        "add to cart": (CART, [ADD.format(1 + number % 8) for number in range(CLICKS)]),
        "filter": (FIRST_PRODUCT, [SHELF.format(2 + number % 5) for number in range(CLICKS)]),
        "page": (FIRST_PRODUCT, [NEXT_PAGE] * CLICKS),
    }
    return [_click_row(page, what, shown, buttons) for what, (shown, buttons) in acts.items()]


def _account_clicks(browser: Browser, store: Store) -> list[Row]:
    page = browser.new_context(base_url=store.url, viewport={"width": 1280, "height": 900}).new_page()
    remember(page, store.url, "orders@example.org")
    for _ in range(ORDERS):
        body = draft(items=[{"productId": 1, "quantity": 10}])
        answer = page.request.post("/api/orders", data=body, headers={"Origin": store.url})
        if answer.status == 403:
            page.request.post("/api/verify-age", data={"dateOfBirth": "1990-04-17"}, headers={"Origin": store.url})
    page.goto("/account?tab=orders")
    page.locator(FIRST_ORDER).first.wait_for()
    _pass_age_gate(page)
    return [_click_row(page, f"page of {ORDERS} orders", FIRST_ORDER, [NEXT_PAGE] * CLICKS, "<= 60 ms")]


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


def _weights(browser: Browser, store: Store) -> list[Row]:
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
