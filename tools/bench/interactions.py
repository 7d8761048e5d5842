"""Interaction to next paint (INP) of a scripted visit: a phone with a quarter of this machine's speed.

Chromium itself reports how long each interaction took, from the input until the next frame was painted.
"""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, Page, ViewportSize

from tools.bench.clicks import CART, FIRST_PRODUCT, pass_age_gate
from tools.bench.servers import Server
from tools.bench.table import Goal, Row, of_many
from tools.bench.weights import set_session_cookies

VISITS = 5
SLOWDOWN = 4
PHONE: ViewportSize = {"width": 390, "height": 844}
SETTLE_MS = 700
"""How long to wait after each act, so that its last frames are not counted as the next one's."""
GOAL = Goal(200)
"""The published threshold of a good INP: https://web.dev/articles/inp."""
# Chromium reports nothing below 16 ms; such an interaction is counted as 16.
OBSERVE = """
  window.interactions = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) window.interactions.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
TAKE_LONGEST = "Math.max(16, ...window.interactions.splice(0))"
Act = Callable[[Page], None]


def measure(browser: Browser, store: Server) -> list[Row]:
    """The longest interaction of each act, and of all of them, which is the visit's INP."""
    visits = [_visit(browser, store, f"interactions-{number}@example.org") for number in range(VISITS)]
    rows = [of_many(what, [visit[what] for visit in visits], "ms") for what in ACTS]
    return [*rows, of_many("the whole visit (INP)", [max(visit.values()) for visit in visits], "ms", GOAL)]


def _visit(browser: Browser, store: Server, email: str) -> dict[str, float]:
    context = browser.new_context(base_url=store.url, viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    set_session_cookies(page, store.url, email)
    page.goto("/")
    page.locator(FIRST_PRODUCT).first.wait_for()
    pass_age_gate(page)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.wait_for_timeout(SETTLE_MS)
    page.evaluate(TAKE_LONGEST)
    longest = {what: _longest_interaction(page, act) for what, act in ACTS.items()}
    context.close()
    return longest


def _longest_interaction(page: Page, act: Act) -> float:
    act(page)
    page.wait_for_timeout(SETTLE_MS)
    longest: float = page.evaluate(TAKE_LONGEST)
    return longest


def _filters(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Filters")


def _open_filters(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Filters")).tap()
    _filters(page).wait_for()


def _close_filters(page: Page) -> None:
    page.keyboard.press("Escape")
    _filters(page).wait_for(state="hidden")


def _type_search(page: Page) -> None:
    page.get_by_role("button", name="Search").first.tap()
    page.get_by_role("combobox").first.press_sequentially("midnight", delay=120)


def _leave_search(page: Page) -> None:
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")


def _open_product(page: Page) -> None:
    page.locator(FIRST_PRODUCT).first.tap()
    page.wait_for_url("**/product/*")
    page.get_by_role("heading", level=1).wait_for()


def _open_checkout(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("link", name=re.compile("Checkout")).tap()
    page.wait_for_url("**/checkout")


ACTS: dict[str, Act] = {
    "open the filters": _open_filters,
    "tick a filter": lambda page: _filters(page).get_by_role("checkbox").first.tap(force=True),
    "close the filters": _close_filters,
    "type a search": _type_search,
    "leave the search": _leave_search,
    "add to the cart": lambda page: page.get_by_role("button", name="Add to Cart").first.tap(),
    "open a product": _open_product,
    "add it to the cart": lambda page: page.get_by_role("button", name="Add to Cart").first.tap(),
    "open the cart": lambda page: page.locator(CART).first.tap(),
    "go to the checkout": _open_checkout,
    "type a name": lambda page: page.get_by_label("First name").press_sequentially("Maya", delay=100),
}
