"""How long a click takes to change the screen, in a real Chromium: in the store and in a bare Reflex app."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

from tools.bench import bare_button
from tools.bench.servers import Server
from tools.bench.table import Check, Goal, markdown, show
from tools.bench.weights import set_session_cookies

CLICKS = 200
PAUSE_MS = 150
# Clicks `control`, or chooses its `option`; returns the milliseconds until the text or label of `shown` has changed.
CLICK = """([shown, control, option]) => new Promise((resolve, reject) => {
  const textOf = () => document.querySelector(shown)?.textContent + document.querySelector(shown)?.ariaLabel;
  const before = textOf();
  const began = performance.now();
  const observer = new MutationObserver(() => {
    if (!document.querySelector(shown) || textOf() === before) return;
    observer.disconnect();
    resolve(performance.now() - began);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(() => reject(new Error(`nothing changed after ${control}`)), 30_000);
  const found = document.querySelector(control);
  if (option === undefined) return found.click();
  found.value = option;
  found.dispatchEvent(new Event("change", { bubbles: true }));
})"""
CART = 'button[aria-label^="Cart,"]'
FIRST_PRODUCT = "main li h2"
ADD = "main li:nth-child({}) button:not([aria-pressed]):not([aria-disabled=true])"
CATEGORY = 'nav[aria-label="Categories"] button:nth-child({})'
SORT = 'main select[aria-label="Sort"]'
SORT_OPTIONS = ("price-asc", "price-desc", "name-asc", "name-desc")
NEXT_PAGE = 'nav[aria-label="Pages"] > button:last-child'
HEADS = ("", "p50 ms", "p95", "p99", "max", "p50 / bare button", "goal")
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
RATIO = "ratio"
Goals = Mapping[str, Goal]
"""By the name of a quantile, or `RATIO`."""
GOALS: Goals = {"p50": Goal(10), "p99": Goal(40), RATIO: Goal(3)}
BUSY_GOALS: Goals = {"p95": Goal(150)}
GROWTH_GOAL = Goal(1.5)
Control = tuple[str, ...]
"""A CSS selector; of a `<select>`, also the option to choose."""


@dataclass(frozen=True)
class Clicks:
    what: str
    durations_ms: Sequence[float]
    goals: Goals = field(default_factory=dict)

    def quantile(self, part: float) -> float:
        ordered = sorted(self.durations_ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))]

    def ratio(self, other: "Clicks") -> float:
        return self.quantile(0.5) / other.quantile(0.5)


def measure_button(browser: Browser, button: Server) -> Clicks:
    page = open_page(browser, button)
    page.goto("/")
    page.locator(bare_button.BUTTON).wait_for()
    page.wait_for_function("document.querySelector('#counted').textContent === '0'")
    page.wait_for_timeout(1_000)  # until its socket is open
    measured = click(page, "bare Reflex button", bare_button.SHOWN, [(bare_button.BUTTON,)] * CLICKS)
    page.context.close()
    return measured


def measure_catalogue(browser: Browser, store: Server, *, note: str = "", goals: Goals = GOALS) -> list[Clicks]:
    page = open_page(browser, store)
    set_session_cookies(page, store.url, "clicks@example.org")
    acts: dict[str, tuple[str, list[Control]]] = {
        "add to cart": (CART, [(ADD.format(1 + number % 8),) for number in range(CLICKS)]),
        "filter": (FIRST_PRODUCT, [(CATEGORY.format(2 + number % 5),) for number in range(CLICKS)]),
        "sort": (FIRST_PRODUCT, [(SORT, SORT_OPTIONS[number % len(SORT_OPTIONS)]) for number in range(CLICKS)]),
        "page": (FIRST_PRODUCT, [(NEXT_PAGE,)] * CLICKS),
    }
    measured = []
    for what, (shown, controls) in acts.items():
        page.goto("/")
        page.locator(FIRST_PRODUCT).first.wait_for()
        pass_age_gate(page)
        measured.append(click(page, what + note, shown, controls, goals))
    page.context.close()
    return measured


def open_page(browser: Browser, server: Server) -> Page:
    return browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()


def click(page: Page, what: str, shown: str, controls: Sequence[Control], goals: Goals | None = None) -> Clicks:
    """Measure these clicks, and one before them that is not counted: it runs code for the first time."""
    durations_ms = []
    for control in (controls[-1], *controls):
        page.wait_for_timeout(PAUSE_MS)
        durations_ms.append(page.evaluate(CLICK, [shown, *control]))
    return Clicks(what, durations_ms[1:], goals or {})


def pass_age_gate(page: Page) -> None:
    gate = page.get_by_role("dialog").get_by_label("Date of birth")
    if gate.is_visible():
        gate.fill("1990-04-17")
        page.get_by_role("button", name="I am 21 or older").click()
        gate.wait_for(state="hidden")


def table(button: Clicks, others: Sequence[Clicks]) -> tuple[str, list[Check]]:
    rows = [_cells(button, ""), *(_cells(each, show(each.ratio(button))) for each in others)]
    return markdown(HEADS, rows), [check for each in others for check in _checks(each, button)]


def growth(usual: Sequence[Clicks], more: Sequence[Clicks], heads: Sequence[str]) -> tuple[str, list[Check]]:
    """How much slower the same clicks are with more products or tabs. `heads` names the usual and the larger number."""
    rows, checks = [], []
    for before, after in zip(usual, more, strict=True):
        checks.append(Check(before.what, after.ratio(before), GROWTH_GOAL))
        medians = (f"{show(each.quantile(0.5))} (p95 {show(each.quantile(0.95))})" for each in (before, after))
        rows.append([before.what, *medians, show(after.ratio(before)), GROWTH_GOAL.text()])
    return markdown(("p50 ms", *heads, "ratio of p50", "goal"), rows), checks


def _checks(clicks: Clicks, button: Clicks) -> list[Check]:
    return [
        Check(f"{clicks.what}: p50 / bare button", clicks.ratio(button), goal)
        if name == RATIO
        else Check(f"{clicks.what}: {name}", clicks.quantile(QUANTILES[name]), goal, "ms")
        for name, goal in clicks.goals.items()
    ]


def _cells(clicks: Clicks, ratio: str) -> list[str]:
    quantiles = (show(clicks.quantile(part)) for part in QUANTILES.values())
    goals = ", ".join(f"{name} {goal.text()}" for name, goal in clicks.goals.items())
    return [clicks.what, *quantiles, ratio, goals]
