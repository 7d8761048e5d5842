"""Buying, from the first click to the order in the list, and everything that can go otherwise (S1 sections 4, 5, 8)."""

import re
import uuid
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.e2e.acts import card, change, open_cart, sign_in, sign_in_of_age, toast
from tests.e2e.conftest import DESKTOP, PHONE, Store

pytestmark = pytest.mark.browser

FORM = {
    "First name": "Nora",
    "Last name": "Whitfield",
    "Contact phone": "503 555 0142",
    "Address": "214 Larch Street",
    "City": "Portland",
    "State": "OR",
    "Zip code": "97201",
    "Delivery instructions": "Side entrance, the green door.",
    "Payment pickup instructions": "Envelope under the mat.",
}


def somebody() -> str:
    return f"{uuid.uuid4().hex[:12]}@example.org"


def add(page: Page, product: str, times: int = 1) -> None:
    page.goto(f"/?search={product.replace(' ', '+')}")
    for _ in range(times):
        card(page, product).get_by_role("button", name="Add to Cart").click()
        expect(toast(page)).to_contain_text(f"{product} has been added to your cart.")


def fill(page: Page, **changes: str) -> None:
    for label, value in (FORM | changes).items():
        page.get_by_label(label, exact=True).fill(value)


def quantity(drawer: Locator, product: str) -> Locator:
    return drawer.get_by_role("group", name=f"Quantity of {product}")


def place_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Place Order").locator("visible=true").first


def ready_to_check_out(page: Page, email: str) -> None:
    sign_in_of_age(page, email)
    add(page, "Fern Hollow", 3)
    page.goto("/checkout")
    expect(page.get_by_role("heading", name="Checkout", level=1)).to_be_visible()
    expect(page.get_by_text("$133.00").first).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_a_whole_purchase(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    email = somebody()
    sign_in_of_age(page, email)
    add(page, "Fern Hollow")
    drawer = open_cart(page)
    expect(drawer.get_by_text("Minimum order: $100")).to_be_visible()
    expect(drawer.get_by_text("Add $52 more to continue")).to_be_visible()
    expect(drawer.get_by_role("button", name="Add $52 More")).to_be_disabled()
    more = quantity(drawer, "Fern Hollow").get_by_role("button", name="More", exact=True)
    more.click()
    expect(drawer.get_by_text("Add $4 more to continue")).to_be_visible()
    more.click()
    expect(drawer.get_by_text("Add $56 more for free delivery")).to_be_visible()
    expect(drawer.get_by_text("$144.00").first).to_be_visible()
    expect(drawer.get_by_text("−$36.00")).to_be_visible()
    drawer.get_by_role("link", name="Proceed to Checkout").click()
    page.wait_for_url("**/checkout")
    for text in ("48 hours", "contactless", "$200 or more", "exact cash", "no change"):
        expect(page.get_by_role("main").get_by_text(re.compile(re.escape(text))).first).to_be_visible()
    fill(page)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    expect(toast(page)).to_contain_text("Order Placed Successfully!")
    expect(toast(page)).to_contain_text(
        "Your order will be delivered within 48 hours. Payment will be collected on delivery."
    )
    listed = page.get_by_role("main")
    for text in ("pending", "$133.00", "Fern Hollow × 3", "214 Larch Street, Portland, OR 97201", "503 555 0142"):
        expect(listed.get_by_text(text, exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 0 items")


def test_signing_out_leaves_nothing_for_the_next_person(page: Page) -> None:
    email = somebody()
    sign_in_of_age(page, email)
    add(page, "Fern Hollow", 2)
    page.get_by_role("banner").get_by_role("button", name="Logout").click()
    expect(toast(page)).to_contain_text("Logged out successfully")
    expect(toast(page)).to_contain_text("You have been signed out of your account.")
    expect(page.get_by_role("link", name=re.compile("Sign In to Shop"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 0 items")
    page.goto("/account?tab=orders")
    sign_in(page, somebody(), "/account")
    expect(page.get_by_role("main")).not_to_contain_text(email)
    expect(page.get_by_role("main")).not_to_contain_text("Fern Hollow")
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 0 items")


def test_a_failed_sign_out_says_so(page: Page) -> None:
    sign_in_of_age(page, somebody())
    page.route("**/api/auth/logout", lambda route: route.abort())
    page.get_by_role("banner").get_by_role("button", name="Logout").click()
    expect(toast(page)).to_contain_text("Logout failed")
    expect(toast(page)).to_contain_text("There was an error signing out. Please try again.")


def test_a_visitors_cart_asks_to_sign_in(page: Page) -> None:
    page.goto("/no-such-page")
    drawer = open_cart(page)
    expect(drawer.get_by_text("Please sign in to view your cart")).to_be_visible()
    expect(drawer.get_by_role("link", name="Sign In")).to_have_attribute("href", re.compile("^/api/login"))


def test_an_empty_cart_says_so(page: Page) -> None:
    sign_in_of_age(page, somebody())
    drawer = open_cart(page)
    expect(drawer.get_by_text("Your cart is empty")).to_be_visible()
    drawer.get_by_role("button", name="Continue Shopping").click()
    expect(drawer).to_be_hidden()


def test_decreasing_below_one_removes_and_so_does_the_bin(page: Page) -> None:
    sign_in_of_age(page, somebody())
    add(page, "Fern Hollow")
    add(page, "Midnight Orchard")
    drawer = open_cart(page)
    quantity(drawer, "Fern Hollow").get_by_role("button", name="Fewer").click()
    expect(toast(page)).to_contain_text("Item Removed")
    expect(toast(page)).to_contain_text("Item has been removed from your cart.")
    expect(drawer.get_by_text("Fern Hollow")).to_have_count(0)
    drawer.get_by_role("button", name="Remove Midnight Orchard").click()
    expect(drawer.get_by_text("Your cart is empty")).to_be_visible()


def test_what_fails_in_the_cart_is_said_in_the_specifications_words(page: Page, store: Store) -> None:
    sign_in_of_age(page, somebody())
    page.goto("/?search=Quiet+Mint")
    expect(card(page, "Quiet Mint")).to_be_visible()
    change(store, "UPDATE products SET stock = 0 WHERE name = 'Quiet Mint'")
    try:
        card(page, "Quiet Mint").get_by_role("button", name="Add to Cart").click()
        expect(toast(page)).to_contain_text("Failed to Add")
        expect(toast(page)).to_contain_text("Could not add item to cart. Please try again.")
    finally:
        change(store, "UPDATE products SET stock = 40 WHERE name = 'Quiet Mint'")
    add(page, "Quiet Mint")
    drawer = open_cart(page)
    change(store, "UPDATE products SET stock = 1 WHERE name = 'Quiet Mint'")
    try:
        quantity(drawer, "Quiet Mint").get_by_role("button", name="More", exact=True).click()
        expect(toast(page)).to_contain_text("Update Failed")
        expect(toast(page)).to_contain_text("Could not update item quantity.")
    finally:
        change(store, "UPDATE products SET stock = 40 WHERE name = 'Quiet Mint'")
    change(store, "DELETE FROM cart_lines")
    drawer.get_by_role("button", name="Remove Quiet Mint").click()
    expect(toast(page)).to_contain_text("Remove Failed")
    expect(toast(page)).to_contain_text("Could not remove item from cart.")


def test_adding_after_a_sign_out_elsewhere_asks_to_sign_in_and_leads_there(page: Page, store: Store) -> None:
    email = somebody()
    sign_in_of_age(page, email)
    page.goto("/?search=Quiet+Mint")
    expect(card(page, "Quiet Mint")).to_be_visible()
    change(store, "DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = :email)", email=email)
    card(page, "Quiet Mint").get_by_role("button", name="Add to Cart").click()
    expect(toast(page)).to_contain_text("Please Sign In")
    expect(toast(page)).to_contain_text("You need to sign in to add items to your cart.")
    page.wait_for_url("**/oauth2/authorize**")


def test_a_banned_person_loses_the_page_and_is_told_why_at_sign_in(page: Page, store: Store) -> None:
    email = somebody()
    sign_in_of_age(page, email)
    add(page, "Quiet Mint")
    change(
        store,
        "UPDATE users SET banned_at = CURRENT_TIMESTAMP, ban_reason = 'Resold products' WHERE email = :email",
        email=email,
    )
    card(page, "Quiet Mint").get_by_role("button", name="Add to Cart").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.locator("input[name=sub]").fill(email)
    page.get_by_role("button", name="Authorize").click()
    expect(toast(page)).to_contain_text("Sign-in failed")
    expect(toast(page)).to_contain_text("Resold products. Please contact support@example.com.")


def test_checkout_errors_stand_beside_their_fields_and_in_a_summary(page: Page) -> None:
    ready_to_check_out(page, somebody())
    place_button(page).click()
    sentences = (
        "First name is required",
        "Last name is required",
        "Valid phone number is required",
        "Delivery address is required",
        "City is required",
        "State is required",
        "Valid zip code is required",
        "Delivery instructions are required",
        "Payment pickup instructions are required",
    )
    summary = page.get_by_role("alert").filter(has_text="need attention")
    expect(summary).to_be_focused()
    for sentence in sentences:
        expect(summary.get_by_text(sentence)).to_be_visible()
    for label, sentence in zip(FORM, sentences, strict=True):
        field = page.get_by_label(label, exact=True)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(sentence))
    summary.get_by_text("Valid zip code is required").click()
    zip_code = page.get_by_label("Zip code", exact=True)
    expect(zip_code).to_be_focused()
    zip_code.fill("97201")
    zip_code.press("Tab")
    expect(zip_code).not_to_have_attribute("aria-invalid", "true")


def test_what_was_typed_survives_a_refusal(page: Page) -> None:
    ready_to_check_out(page, somebody())
    fill(page, **{"Zip code": "9"})
    place_button(page).click()
    expect(page.get_by_text("Valid zip code is required").first).to_be_visible()
    for label, value in (FORM | {"Zip code": "9"}).items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)


def test_a_price_that_changed_meanwhile_is_shown_before_anything_is_bought(page: Page, store: Store) -> None:
    ready_to_check_out(page, somebody())
    fill(page)
    change(store, "UPDATE products SET price_cents = 5000 WHERE name = 'Fern Hollow'")
    try:
        place_button(page).click()
        expect(page.get_by_text("Prices or stock have changed. Please look over the new total.")).to_be_visible()
        expect(page.get_by_text("$137.50").first).to_be_visible()
        place_button(page).click()
        page.wait_for_url("**/account?tab=orders")
        expect(page.get_by_role("main").get_by_text("$137.50")).to_be_visible()
    finally:
        change(store, "UPDATE products SET price_cents = 4800 WHERE name = 'Fern Hollow'")


def test_sold_out_meanwhile_is_an_order_failed(page: Page, store: Store) -> None:
    ready_to_check_out(page, somebody())
    fill(page)
    change(store, "UPDATE products SET stock = 0 WHERE name = 'Fern Hollow'")
    try:
        place_button(page).click()
        expect(toast(page)).to_contain_text("Order Failed")
        expect(toast(page)).to_contain_text("There was an error processing your order. Please try again.")
        expect(page.get_by_text("Fern Hollow is out of stock.").first).to_be_visible()
    finally:
        change(store, "UPDATE products SET stock = 64 WHERE name = 'Fern Hollow'")


def test_an_empty_cart_at_checkout_leads_home_with_a_notice(page: Page) -> None:
    sign_in_of_age(page, somebody())
    page.goto("/checkout")
    expect(toast(page)).to_contain_text("Empty Cart")
    expect(toast(page)).to_contain_text("Your cart is empty. Add some products before checkout.")
    expect(page.get_by_role("heading", name="All Products", level=1)).to_be_visible()


def test_a_visitor_at_checkout_is_told_and_sent_to_sign_in(page: Page) -> None:
    page.goto("/checkout")
    expect(toast(page)).to_contain_text("Please Sign In")
    expect(toast(page)).to_contain_text("You need to sign in to checkout.")
    page.wait_for_url("**/oauth2/authorize**")


def test_a_session_that_ends_during_checkout_is_said_and_nothing_is_bought(page: Page, store: Store) -> None:
    email = somebody()
    ready_to_check_out(page, email)
    fill(page)
    change(store, "DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = :email)", email=email)
    place_button(page).click()
    expect(toast(page)).to_contain_text("Session Expired")
    expect(toast(page)).to_contain_text("Please sign in again to complete your order.")
    page.wait_for_url("**/oauth2/authorize**")


def test_who_has_not_proved_their_age_meets_the_gate_at_checkout(page: Page) -> None:
    sign_in(page, somebody())
    add(page, "Fern Hollow", 3)
    page.goto("/checkout")
    fill(page)
    place_button(page).click()
    gate = page.get_by_role("dialog")
    expect(gate.get_by_role("heading", name=re.compile("You must be 21"))).to_be_visible()
    gate.get_by_label("Date of birth").fill("1990-04-17")
    gate.get_by_role("button", name="I am 21 or older").click()
    expect(gate).to_be_hidden()
    expect(page.get_by_label("City", exact=True)).to_have_value("Portland")
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")


def test_the_minimum_holds_at_checkout_too(page: Page) -> None:
    sign_in_of_age(page, somebody())
    add(page, "Fern Hollow")
    page.goto("/checkout")
    expect(page.get_by_role("button", name="Add $52 More").first).to_be_disabled()


def test_two_tabs_share_one_cart(page: Page) -> None:
    sign_in_of_age(page, somebody())
    other = page.context.new_page()
    add(other, "Fern Hollow", 2)
    page.reload()
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 2 items")


class Line:
    """The page's socket, with scissors."""

    def __init__(self, page: Page) -> None:
        self.open: list[WebSocketRoute] = []
        self.cut_when = "\0"
        page.route_web_socket(re.compile("/_event"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        self.open.append(socket)
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            server.send(message)
            if self.cut_when in str(message):
                self.cut_when = "\0"
                socket.close()

        socket.on_message(pass_on)

    def cut(self) -> None:
        self.open[-1].close()


def test_nothing_typed_is_lost_when_the_line_drops_and_returns(page: Page) -> None:
    line = Line(page)
    ready_to_check_out(page, somebody())
    fill(page)
    line.cut()
    for label, value in FORM.items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders", timeout=20_000)


def test_an_order_whose_answer_is_lost_is_one_order_and_is_shown(page: Page) -> None:
    line = Line(page)
    email = somebody()
    ready_to_check_out(page, email)
    fill(page)
    line.cut_when = "checkout_state.place"
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders", timeout=20_000)
    expect(toast(page)).to_contain_text("Order Placed Successfully!")
    expect(page.get_by_role("main").get_by_text("pending", exact=True)).to_have_count(1)


def test_the_browser_is_never_asked_to_keep_private_answers(store: Store) -> None:
    assert httpx.get(f"{store.url}/api/auth/user").headers["cache-control"] == "no-store"
