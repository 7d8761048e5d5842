"""How long a click takes to change the screen, in a real Chromium, and what it takes in a bare Reflex app."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from tools.bench import bare_button
from tools.bench.servers import Server
from tools.bench.table import markdown, show
from tools.bench.weights import set_session_cookies

CLICKS = 200
PAUSE_MS = 150
# From the click to the first change of the screen after which `shown` says something else than before.
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
  setTimeout(() => reject(new Error(`nothing changed after ${button}`)), 30_000);
  document.querySelectorAll(button)[0].click();
})"""
CART = 'button[aria-label^="Cart,"]'
FIRST_PRODUCT = "main li h2"
ADD = "main li:nth-child({}) button:not([aria-pressed]):not([aria-disabled=true])"
CATEGORY = 'nav[aria-label="Categories"] button:nth-child({})'
NEXT_PAGE = 'nav[aria-label="Pages"] > button:last-child'
HEADS = ("", "p50 ms", "p95", "p99", "max", "p50 / bare button", "goal")
GOAL, BUSY_GOAL = "p50 <= 10, p99 <= 40, ratio <= 3", "p95 <= 150"


@dataclass(frozen=True)
class Clicks:
    what: str
    taken: Sequence[float]
    """Milliseconds."""
    goal: str = ""

    def quantile(self, part: float) -> float:
        ordered = sorted(self.taken)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def of_button(browser: Browser, button: Server) -> Clicks:
    page = open_page(browser, button)
    page.goto("/")
    page.locator(bare_button.BUTTON).wait_for()
    page.wait_for_function("document.querySelector('#counted').textContent === '0'")
    page.wait_for_timeout(1_000)  # until its socket is open
    return click(page, "bare Reflex button", bare_button.SHOWN, [bare_button.BUTTON] * CLICKS)


def of_catalogue(browser: Browser, store: Server, *, note: str = "", goal: str = GOAL) -> list[Clicks]:
    page = open_page(browser, store)
    set_session_cookies(page, store.url, "clicks@example.org")
    acts = {
        "add to cart": (CART, [ADD.format(1 + number % 8) for number in range(CLICKS)]),
        "filter": (FIRST_PRODUCT, [CATEGORY.format(2 + number % 5) for number in range(CLICKS)]),
        "page": (FIRST_PRODUCT, [NEXT_PAGE] * CLICKS),
    }
    measured = []
    for what, (shown, buttons) in acts.items():
        page.goto("/")
        page.locator(FIRST_PRODUCT).first.wait_for()
        pass_age_gate(page)
        measured.append(click(page, what + note, shown, buttons, goal))
    page.context.close()
    return measured


def open_page(browser: Browser, server: Server) -> Page:
    return browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()


def click(page: Page, what: str, shown: str, buttons: Sequence[str], goal: str = "") -> Clicks:
    """The first click is not counted: it runs code for the first time."""
    taken = []
    for button in (buttons[-1], *buttons):
        page.wait_for_timeout(PAUSE_MS)
        taken.append(page.evaluate(CLICK, [button, shown]))
    return Clicks(what, taken[1:], goal)


def pass_age_gate(page: Page) -> None:
    gate = page.get_by_role("dialog").get_by_label("Date of birth")
    if gate.is_visible():
        gate.fill("1990-04-17")
        page.get_by_role("button", name="I am 21 or older").click()
        gate.wait_for(state="hidden")


def table(button: Clicks, others: Sequence[Clicks]) -> str:
    base = button.quantile(0.5)
    return markdown(HEADS, [_cells(button, ""), *(_cells(each, show(each.quantile(0.5) / base)) for each in others)])


def growth(by_size: Mapping[int, Sequence[Clicks]]) -> str:
    """The same clicks with the usual number of products, which is given first, and with a larger one."""
    usual, large = by_size.values()
    rows = []
    for before, after in zip(usual, large, strict=True):
        medians = before.quantile(0.5), after.quantile(0.5)
        rows.append([before.what, *map(show, medians), show(medians[1] / medians[0]), "<= 1.5"])
    return markdown(("", *(f"{size:,} products" for size in by_size), "ratio", "goal"), rows)


def _cells(clicks: Clicks, ratio: str) -> list[str]:
    quantiles = (show(clicks.quantile(part)) for part in (0.5, 0.95, 0.99, 1))
    return [clicks.what, *quantiles, ratio, clicks.goal]
