"""No layout shifts while a page loads, no horizontal overflow, and all controls are reachable at 200 % zoom."""

from collections.abc import Callable, Iterator
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders import draft
from tests.e2e.acts import horizontal_overflow, new_email, open_cart
from tests.e2e.conftest import DESKTOP, PHONE, Store
from tests.e2e.wire import cookie_of

pytestmark = pytest.mark.browser

WIDTHS = (320, 360, 390, 768, 1024, 1280, 1920)
MAX_SHIFT = 0.02
RECORD_SHIFTS = """
  localStorage.ageVerified = "true";
  localStorage.ageVerifiedDate = new Date().toISOString();
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      const moved = shift.sources.map(({node}) => (node?.outerHTML ?? String(node?.textContent)).slice(0, 120));
      if (!shift.hadRecentInput) window.shifts.push([shift.value, moved]);
    }
  }).observe({type: "layout-shift", buffered: true});
"""
SETTLE = """async () => {
  await document.fonts.ready;
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
}"""

PAGES: dict[str, tuple[str, Callable[[Page], Locator]]] = {
    "landing": ("/", lambda page: page.get_by_role("heading", name="Careful cannabis")),
    "grid": ("/", lambda page: page.get_by_text("66 products found")),
    "list": ("/?view=list", lambda page: page.get_by_text("66 products found")),
    "product": ("/product/1", lambda page: page.get_by_role("heading", name="Fern Hollow")),
    "checkout": ("/checkout", lambda page: page.get_by_label("City", exact=True)),
    "account": ("/account?tab=orders", lambda page: page.get_by_role("main").get_by_text("Fern Hollow × 3")),
}


AriaRole = Literal["button", "link", "tab", "textbox"]
MAIN_CONTROLS: dict[str, tuple[tuple[AriaRole, str], ...]] = {
    "landing": (("link", "Sign In to Shop"), ("link", "Browse Products"), ("link", "Create Your Account")),
    "grid": (("button", "Filters"), ("button", "Add to Cart"), ("button", "Page 2"), ("button", "Vapes")),
    "list": (("button", "Filters"), ("button", "Add to Cart"), ("button", "Next page")),
    "product": (("button", "Add to Cart"), ("tab", "Lab Results"), ("link", "Back to Products")),
    "checkout": (("textbox", "First name"), ("textbox", "Payment pickup instructions"), ("button", "Place Order")),
    "account": (("link", "FAQ"), ("button", "Menu"), ("button", "Cart, 3 items")),
}


@pytest.fixture(scope="module")
def session(store: Store) -> str:
    """The cookie of a user with the age check passed, one order, and a cart to check out."""
    session = cookie_of(store.url, new_email())
    three = {"productId": 1, "quantity": 3}
    with httpx.Client(base_url=store.url, verify=False, cookies={"session": session}) as client:
        client.post("/api/verify-age", json={"dateOfBirth": "1990-01-01"}).raise_for_status()
        client.post("/api/orders", json=draft(items=[three])).raise_for_status()
        client.post("/api/cart", json=three).raise_for_status()
    return session


@pytest.fixture
def visit(new_page: Callable[..., Page], store: Store, session: str) -> Iterator[Callable[..., Page]]:
    """A first visit in a fresh browser, until everything is loaded."""
    opened: list[Page] = []

    def open_page(name: str, size: tuple[int, int], zoom: int = 1) -> Page:
        page = new_page(size, zoom=zoom)
        opened.append(page)
        page.add_init_script(RECORD_SHIFTS)
        if name != "landing":
            cookies = {"session": session, "signed_in": "1"}
            page.context.add_cookies(
                [{"name": key, "value": value, "url": store.url} for key, value in cookies.items()]
            )
        address, arrived = PAGES[name]
        page.goto(address)
        expect(arrived(page)).to_be_visible()
        page.evaluate(SETTLE)
        return page

    yield open_page
    for page in opened:
        page.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_the_layout_does_not_shift_or_overflow(visit: Callable[..., Page], name: str) -> None:
    for size in (PHONE, DESKTOP):
        page = visit(name, size)
        shifts = page.evaluate("() => window.shifts")
        assert sum(value for value, _ in shifts) <= MAX_SHIFT, (size, shifts)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert horizontal_overflow(page) <= 0, width


def expect_reachable(control: Locator) -> None:
    """It can be scrolled into view, except for a fraction of a pixel, and nothing covers it."""
    control.click(trial=True)
    expect(control).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("name", PAGES)
def test_at_200_percent_zoom_every_control_can_be_reached(visit: Callable[..., Page], name: str) -> None:
    page = visit(name, (1280, 800), zoom=2)
    assert horizontal_overflow(page) <= 0
    for role, label in MAIN_CONTROLS[name]:
        expect_reachable(page.get_by_role(role, name=label, exact=True).locator("visible=true").first)


def test_at_200_percent_zoom_the_panels_can_be_used(visit: Callable[..., Page]) -> None:
    page = visit("grid", (1280, 800), zoom=2)
    drawer = open_cart(page)
    expect_reachable(drawer.get_by_role("button", name="More of"))
    expect_reachable(drawer.get_by_role("link", name="Proceed to Checkout"))
    expect_reachable(drawer.get_by_role("button", name="Close"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Filters", exact=True).click()
    sheet = page.get_by_role("dialog")
    expect_reachable(sheet.get_by_role("radio", name="Over $200"))
    expect_reachable(sheet.get_by_role("button", name="Show 66 products"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu", exact=True).click()
    menu = page.get_by_role("dialog", name="Menu")
    expect_reachable(menu.get_by_role("link", name="Account"))
    expect_reachable(menu.get_by_role("button", name="Logout"))


def test_at_200_percent_zoom_the_age_gate_can_be_passed(new_page: Callable[..., Page]) -> None:
    page = new_page((1280, 800), zoom=2)
    page.goto("/")
    gate = page.get_by_role("dialog")
    expect_reachable(gate.get_by_label("Date of birth"))
    expect_reachable(gate.get_by_role("button", name="I am 21 or older"))
    expect_reachable(gate.get_by_role("button", name="I am under 21"))
    assert horizontal_overflow(page) <= 0
