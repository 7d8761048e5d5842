"""axe finds nothing on any screen in any state, light and dark, wide and narrow; all works from the keyboard."""

import re
import uuid
from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from marketplace_app.models import LegalPage
from marketplace_app.pages.plain import PLAIN_PAGES
from tests.e2e.acts import (
    OWNER,
    horizontal_overflow,
    open_cart,
    pass_age_gate,
    sign_in,
    sign_in_as_adult,
    sign_in_by_request,
    toast,
)
from tests.e2e.conftest import BOTH_SIZES, DESKTOP, PHONE

pytestmark = pytest.mark.browser

ALL_RULES: dict[str, object] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
OF_COLOURS = ("color-contrast", "link-in-text-block")
COLOUR_RULES = ALL_RULES | {"runOnly": {"type": "rule", "values": OF_COLOURS}}
OTHER_RULES = ALL_RULES | {"rules": {rule: {"enabled": False} for rule in OF_COLOURS}}
AXE = Axe().axe_script
VIOLATIONS = "([within, options]) => axe.run(within ?? document, options).then((answer) => answer.violations)"
NARROWEST = 320
PAGES_OF_TEXT = (*(f"/{legal}" for legal in LegalPage), *(plain.route for plain in PLAIN_PAGES))

# Whether at least one element matches, and each match is wide enough for its contents.
ALL_FIT = """(selector) => {
  const found = [...document.querySelectorAll(selector)];
  return found.length > 0 && found.every((each) => each.scrollWidth <= each.clientWidth);
}"""


def expect_accessible(page: Page, where: str) -> None:
    """The current screen has no axe violation, light or dark; on a phone also at the narrowest width.

    All rules are checked once at each width. Only those of colours can find something else in the other scheme, and
    they take most of the time, so the narrowest width is checked without them.
    """
    page.mouse.move(0, 0)
    size = page.viewport_size
    assert size is not None
    _set_scheme(page, "dark")
    _expect_no_violations(page, f"{where}, dark", rules=COLOUR_RULES)
    _set_scheme(page, "light")
    _expect_no_violations(page, f"{where}, light")
    if size["width"] == PHONE[0]:
        page.set_viewport_size(size | {"width": NARROWEST})
        _expect_no_violations(page, f"{where}, {NARROWEST}", rules=OTHER_RULES)
        page.set_viewport_size(size)


def _set_scheme(page: Page, scheme: Literal["dark", "light"]) -> None:
    page.emulate_media(color_scheme=scheme)
    expect(page.locator(f"html[data-theme={scheme}]")).to_be_attached()


def _expect_no_violations(
    page: Page, where: str, within: str | None = None, rules: dict[str, object] = ALL_RULES
) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = [
        f"{where}: {each['id']}: {node['target']} {node['failureSummary']}"
        for each in page.evaluate(VIOLATIONS, [within, rules])
        for node in each["nodes"]
    ]
    assert found == []
    assert horizontal_overflow(page) <= 0, where
    assert page.locator("h1:visible").count() == 1, where


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_screen_is_accessible(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    page.goto("/")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect_accessible(page, "age gate")
    pass_age_gate(page)
    expect(toast(page)).to_be_visible()
    expect_accessible(page, "landing")
    page.goto("/no-such-page")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect_accessible(page, "404")
    page.goto("/faq#response")
    expect(page.get_by_text("Within 1 hour")).to_be_visible()
    expect_accessible(page, "faq")
    for panel in ("install", "privacy"):
        page.evaluate("(panel) => { document.documentElement.dataset.panel = panel; }", panel)
        expect(page.locator(f"[data-panel={panel}]").last).to_be_visible()
        expect_accessible(page, f"{panel} panel")
    page.goto("/test")
    expect(page.get_by_text("Number of products:")).to_be_visible()
    expect_accessible(page, "product test")
    page.goto("/welcome")
    expect(page.get_by_role("main").get_by_role("link", name="Sign In to Shop")).to_be_visible()
    expect_accessible(page, "welcome")
    page.goto("/?auth_error=true")
    expect(page.get_by_role("link", name="Sign In to Continue")).to_be_visible()
    expect_accessible(page, "auth error")
    sign_in(page, f"axe-{uuid.uuid4().hex[:8]}@example.org")
    expect(page.get_by_role("status").filter(has_text="products found")).to_be_visible()
    expect_accessible(page, "catalogue")
    page.goto("/?view=list&type=Indica")
    expect(page.get_by_role("status").filter(has_text="products found")).to_be_visible()
    expect_accessible(page, "list")
    page.goto("/?effect=Relaxed&minThc=20&maxThc=25")
    expect(page.get_by_role("status").filter(has_text="found")).to_be_visible()
    expect_accessible(page, "more filters")
    page.goto("/?search=zzzz")
    expect(page.get_by_role("button", name="Clear Filters")).to_be_visible()
    expect_accessible(page, "empty")
    page.goto("/?search=fren+holow")
    expect(page.get_by_text("Showing results for 'fern hollow'.")).to_be_visible()
    expect_accessible(page, "corrected")
    page.goto("/product/2")
    page.get_by_role("tab", name="Lab Results").click()
    expect(page.get_by_role("tab", name="Lab Results")).to_have_attribute("aria-selected", "true")
    expect_accessible(page, "product")
    page.get_by_role("main").get_by_role("button", name="Add to Cart").click()
    expect(toast(page)).to_be_visible()
    drawer = open_cart(page)
    expect_accessible(page, "cart under the minimum")
    drawer.get_by_role("button", name="More of").click()
    expect(drawer.get_by_role("link", name="Proceed to Checkout")).to_be_visible()
    expect_accessible(page, "cart")
    page.goto("/checkout")
    page.get_by_role("button", name="Place Order").locator("visible=true").first.click()
    expect(page.get_by_role("alert").filter(has_text="need attention")).to_be_visible()
    expect_accessible(page, "checkout with errors")
    page.goto("/account?tab=orders")
    expect(page.get_by_role("tabpanel", name="Orders").get_by_text("No orders yet.")).to_be_visible()
    expect_accessible(page, "orders")
    page.goto("/account?tab=settings")
    page.get_by_role("button", name="Add Address").click()
    dialog = page.get_by_role("dialog", name="Add address")
    dialog.get_by_role("button", name="Save Address").click()
    expect(dialog.get_by_text("Delivery address is required")).to_be_visible()
    expect_accessible(page, "an address with errors")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect_accessible(page, "settings")
    page.goto("/account/privacy")
    expect(page.get_by_role("heading", name="What the store keeps about you")).to_be_visible()
    expect_accessible(page, "privacy")
    page.goto("/product/999999")
    expect(page.get_by_text("Product not found.")).to_be_visible()
    expect_accessible(page, "product not found")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_pages_of_text_and_forms_of_staff_are_accessible(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    """Those that no other test visits."""
    page = new_page(size)
    sign_in_by_request(page, OWNER)
    for address in (*PAGES_OF_TEXT, "/admin/products/import", "/admin/delivery"):
        page.goto(address)
        expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        expect_accessible(page, address)


@pytest.mark.parametrize(
    "size", [pytest.param((360, 740), id="360"), pytest.param(DESKTOP, id="1280", marks=pytest.mark.sizes)]
)
def test_every_component_is_accessible(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    """The gallery shows each in every state, on light and on dark at once."""
    page = new_page(size)
    page.goto("/dev/gallery")
    expect(page.get_by_role("heading", name="Gallery", level=1)).to_be_visible()
    _expect_no_violations(page, "gallery")
    menus = ("The menu of a guest", "The menu of a shopper", "The menu of an owner")
    for opener in ("A dialog", "The cart", "A sheet", *menus):
        page.get_by_role("button", name=opener, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        _expect_no_violations(page, opener, within="[role=dialog]:not([hidden])")
        page.keyboard.press("Escape")
    for kind in ("A success", "A failure"):
        page.get_by_role("button", name=f"Show: {kind}", exact=True).click()
        expect(toast(page)).to_be_visible()
    _expect_no_violations(page, "a toast", within="[data-sonner-toaster]")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(ALL_FIT, "nav[aria-label^=Pages]"), "pages are cut off on the narrowest phone"


def test_dialogs_trap_the_focus_and_return_it(page: Page) -> None:
    sign_in_as_adult(page, "keyboard@example.org")
    cart = page.get_by_role("button", name=re.compile("^Cart"))
    cart.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Cart")
    expect(drawer).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert drawer.evaluate("node => node.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(cart).to_be_focused()


def test_the_first_tab_stop_skips_to_the_content(page: Page) -> None:
    sign_in_as_adult(page, "keyboard@example.org", to="/product/2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Midnight Orchard")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_a_product_is_added_to_the_cart_without_a_mouse(page: Page) -> None:
    sign_in_as_adult(page, f"keys-{uuid.uuid4().hex[:8]}@example.org")
    page.goto("/product/2")
    tab = page.get_by_role("tab", name="Description")
    tab.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Ingredients")).to_have_attribute("aria-selected", "true")
    add = page.get_by_role("main").get_by_role("button", name="Add to Cart")
    add.focus()
    page.keyboard.press("Space")
    expect(toast(page)).to_contain_text("Added to Cart")
