"""Buying, from the first click to the order in the list, with all failures on the way."""

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app import messages
from tests.e2e.acts import (
    CHECKOUT_FORM,
    OWNER,
    SocketProxy,
    add_to_cart,
    add_to_cart_by_request,
    card,
    create_product,
    fill_checkout,
    new_email,
    open_cart,
    open_checkout,
    place_button,
    quantity_stepper,
    run_sql,
    sign_in,
    sign_in_as_adult,
    toast,
    wait_for_requests,
)
from tests.e2e.conftest import DESKTOP, PHONE, Api, Store
from tests.e2e.wire import cookie_of

pytestmark = pytest.mark.browser

LEGAL_LINE = "21+, keep out of reach of children, not analyzed by FDA, limited side effect information"
WATCH_TOASTS = """
  const seen = {most: 0, from: 0, until: 0};
  const look = () => {
    const count = document.querySelectorAll("[data-sonner-toast]").length;
    seen.most = Math.max(seen.most, count);
    if (count) seen.from ||= Date.now();
    else if (seen.from) seen.until ||= Date.now();
    if (seen.from) sessionStorage.toasts = JSON.stringify(seen);
  };
  new MutationObserver(look).observe(document, {childList: true, subtree: true});
"""


def toasts_seen(page: Page) -> dict[str, int]:
    """The largest number of toasts at once, and when there were any (`WATCH_TOASTS`)."""
    seen: dict[str, int] = page.evaluate("() => JSON.parse(sessionStorage.toasts)")
    return seen


def amount(totals: Locator, label: str) -> Locator:
    """The amount in one row of the totals, in the drawer or at the checkout."""
    return (
        totals.locator("dl > div").filter(has=totals.page.locator("dt", has_text=re.compile(f"^{label}"))).locator("dd")
    )


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_a_whole_purchase(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    email = new_email()
    sign_in_as_adult(page, email)
    add_to_cart(page, "Fern Hollow")
    drawer = open_cart(page)
    expect(drawer.get_by_text("Minimum order: $100")).to_be_visible()
    expect(drawer.get_by_text("Add $52 more to continue")).to_be_visible()
    expect(drawer.get_by_role("button", name="Add $52 More")).to_be_disabled()
    more = quantity_stepper(drawer, "Fern Hollow").get_by_role("button", name="More of")
    more.click()
    expect(drawer.get_by_text("Add $4 more to continue")).to_be_visible()
    more.click()
    expect(drawer.get_by_text("Add $56 more for free delivery")).to_be_visible()
    line = drawer.get_by_role("listitem")
    for text in ("Fern Hollow", "3", "$144.00"):
        expect(line.get_by_text(text, exact=True)).to_be_visible()
    expect(line).to_contain_text("$48.00 each")
    expect(line.locator("img")).to_have_attribute("src", "/pictures/fern-hollow-640.webp")
    sums = {"Subtotal": "$144.00", "Delivery": "$25.00", "First purchase, 25%": "−$36.00", "Total": "$133.00"}
    for label, shown in sums.items():
        expect(amount(drawer, label)).to_have_text(shown)
    drawer.get_by_role("link", name="Proceed to Checkout").click()
    page.wait_for_url("**/checkout")
    for text in ("48 hours", "contactless", "$200 or more", "exact cash", "no change"):
        expect(page.get_by_role("main").get_by_text(re.compile(re.escape(text))).first).to_be_visible()
    summary = page.get_by_role("complementary", name="Order summary")
    expect(summary.get_by_role("listitem")).to_contain_text(["Fern Hollow"])
    for label, shown in sums.items():
        expect(amount(summary, label)).to_have_text(shown)
    expect(summary.get_by_text(re.compile(r"Delivery by \w{3} \d\d, \d{4}, "))).to_be_visible()
    expect(summary.get_by_text(LEGAL_LINE, exact=True)).to_be_visible()
    fill_checkout(page)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    expect(toast(page)).to_contain_text("Order Placed Successfully!")
    expect(toast(page)).to_contain_text(
        "Your order will be delivered within 48 hours. Payment will be collected on delivery."
    )
    listed = page.get_by_role("tabpanel", name="Orders")
    for text in ("pending", "$133.00", "Fern Hollow × 3", "214 Larch Street, Portland, OR 97201", "503 555 0142"):
        expect(listed.get_by_text(text, exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 0 items")


def test_delivery_is_free_from_two_hundred_dollars_on(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    add_to_cart_by_request(page, "Fern Hollow", 4)
    page.goto("/")
    drawer = open_cart(page)
    expect(drawer.get_by_text("Add $8 more for free delivery")).to_be_visible()
    expect(amount(drawer, "Delivery")).to_have_text("$25.00")
    quantity_stepper(drawer, "Fern Hollow").get_by_role("button", name="More of").click()
    expect(amount(drawer, "Subtotal")).to_have_text("$240.00")
    expect(amount(drawer, "Delivery")).to_have_text("$0.00")
    expect(drawer.get_by_text("more for free delivery")).to_have_count(0)
    expect(drawer.get_by_text("Minimum order")).to_have_count(0)


def test_a_referred_user_gets_a_hundred_dollars_off(page: Page, store: Store) -> None:
    email, friend = new_email(), new_email()
    cookie_of(store.url, friend)
    sign_in_as_adult(page, email, to=None)
    run_sql(
        store,
        "UPDATE users SET referred_by_id = (SELECT id FROM users WHERE email = :friend) WHERE email = :email",
        friend=friend,
        email=email,
    )
    add_to_cart_by_request(page, "Fern Hollow", 3)
    page.goto("/checkout")
    summary = page.get_by_role("complementary", name="Order summary")
    expect(amount(summary, "Referral")).to_have_text("−$100.00")
    expect(amount(summary, "Total, in cash")).to_have_text("$33.00")


def test_credit_is_spent_when_its_box_is_ticked(page: Page, store: Store) -> None:
    email = new_email()
    sign_in_as_adult(page, email)
    run_sql(
        store,
        "INSERT INTO credit_entries (user_id, amount_cents, reason, sequence, note, created_at)"
        " SELECT id, 4000, 'adjustment', 1, '', CURRENT_TIMESTAMP FROM users WHERE email = :email",
        email=email,
    )
    add_to_cart_by_request(page, "Fern Hollow", 3)
    page.goto("/checkout")
    summary = page.get_by_role("complementary", name="Order summary")
    expect(amount(summary, "Total, in cash")).to_have_text("$133.00")
    box = page.get_by_role("checkbox", name="Use my referral credit ($40.00)")
    expect(box).not_to_be_checked()
    box.click()
    expect(box).to_be_checked()
    expect(amount(summary, "Referral credit")).to_have_text("−$40.00")
    expect(amount(summary, "Total, in cash")).to_have_text("$93.00")
    fill_checkout(page)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    expect(page.get_by_role("tabpanel", name="Orders").get_by_text("$93.00", exact=True)).to_be_visible()


def test_a_user_without_credit_has_no_credit_checkbox(page: Page) -> None:
    open_checkout(page, new_email())
    expect(page.get_by_role("checkbox", name="Save this address")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(1)


def test_toasts_come_one_at_a_time_and_go_after_five_seconds(page: Page) -> None:
    sign_in_as_adult(page, new_email())
    page.add_init_script(WATCH_TOASTS)
    page.goto("/?search=quiet")
    for _ in range(2):
        card(page, "Quiet Mint").get_by_role("button", name="Add to Cart").click()
        expect(toast(page)).to_contain_text("Quiet Mint has been added to your cart.")
    expect(toast(page)).to_have_count(0, timeout=20_000)
    seen = toasts_seen(page)
    assert seen["most"] == 1
    assert 5000 <= seen["until"] - seen["from"] < 15_000


def test_signing_out_removes_all_data_from_the_browser(page: Page) -> None:
    email = new_email()
    sign_in_as_adult(page, email)
    add_to_cart(page, "Fern Hollow", 2)
    page.get_by_role("banner").get_by_role("button", name="Logout").click()
    expect(toast(page)).to_contain_text("Logged out successfully")
    expect(toast(page)).to_contain_text("You have been signed out of your account.")
    expect(page.get_by_role("link", name=re.compile("Sign In to Shop"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 0 items")
    page.goto("/account?tab=orders")
    sign_in(page, new_email(), "/account")
    expect(page.get_by_role("main")).not_to_contain_text(email)
    expect(page.get_by_role("main")).not_to_contain_text("Fern Hollow")
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 0 items")


def test_a_failed_sign_out_says_so(page: Page) -> None:
    sign_in_as_adult(page, new_email())
    page.route("**/api/auth/logout", lambda route: route.abort())
    page.get_by_role("banner").get_by_role("button", name="Logout").click()
    expect(toast(page)).to_contain_text("Logout failed")
    expect(toast(page)).to_contain_text("There was an error signing out. Please try again.")


def test_a_guests_cart_asks_to_sign_in(page: Page) -> None:
    page.goto("/no-such-page")
    drawer = open_cart(page)
    expect(drawer.get_by_text("Please sign in to view your cart")).to_be_visible()
    expect(drawer.get_by_role("link", name="Sign In")).to_have_attribute("href", "/api/login")


def test_an_empty_cart_says_so(page: Page) -> None:
    sign_in_as_adult(page, new_email())
    drawer = open_cart(page)
    expect(drawer.get_by_text("Your cart is empty")).to_be_visible()
    drawer.get_by_role("button", name="Continue Shopping").click()
    expect(drawer).to_be_hidden()


def test_decreasing_below_one_removes_and_so_does_the_bin(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    add_to_cart_by_request(page, "Fern Hollow")
    add_to_cart_by_request(page, "Midnight Orchard")
    page.goto("/")
    drawer = open_cart(page)
    quantity_stepper(drawer, "Fern Hollow").get_by_role("button", name="Fewer of").click()
    expect(toast(page)).to_contain_text("Item Removed")
    expect(toast(page)).to_contain_text("Item has been removed from your cart.")
    expect(drawer.get_by_text("Fern Hollow")).to_have_count(0)
    drawer.get_by_role("button", name="Remove Midnight Orchard").click()
    expect(drawer.get_by_text("Your cart is empty")).to_be_visible()


def test_failures_in_the_cart_have_messages_of_their_own(page: Page, store: Store) -> None:
    sign_in_as_adult(page, new_email(), to="/?search=Quiet+Mint")
    expect(card(page, "Quiet Mint")).to_be_visible()
    run_sql(store, "UPDATE products SET stock = 0 WHERE name = 'Quiet Mint'")
    try:
        card(page, "Quiet Mint").get_by_role("button", name="Add to Cart").click()
        expect(toast(page)).to_contain_text("Failed to Add")
        expect(toast(page)).to_contain_text("Could not add item to cart. Please try again.")
    finally:
        run_sql(store, "UPDATE products SET stock = 100000 WHERE name = 'Quiet Mint'")
    add_to_cart(page, "Quiet Mint")
    drawer = open_cart(page)
    run_sql(store, "UPDATE products SET stock = 1 WHERE name = 'Quiet Mint'")
    try:
        quantity_stepper(drawer, "Quiet Mint").get_by_role("button", name="More of").click()
        expect(toast(page)).to_contain_text("Update Failed")
        expect(toast(page)).to_contain_text("Could not update item quantity.")
    finally:
        run_sql(store, "UPDATE products SET stock = 100000 WHERE name = 'Quiet Mint'")
    run_sql(store, "DELETE FROM cart_lines")
    drawer.get_by_role("button", name="Remove Quiet Mint").click()
    expect(drawer.get_by_text("Your cart is empty")).to_be_visible()  # as if it had been removed in another tab
    expect(toast(page)).not_to_contain_text("Remove Failed")


def test_adding_after_a_sign_out_elsewhere_asks_to_sign_in_and_leads_there(page: Page, store: Store) -> None:
    email = new_email()
    sign_in_as_adult(page, email, to="/?search=Quiet+Mint")
    expect(card(page, "Quiet Mint")).to_be_visible()
    wait_for_requests(page)
    run_sql(store, "DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = :email)", email=email)
    card(page, "Quiet Mint").get_by_role("button", name="Add to Cart").click()
    expect(toast(page)).to_contain_text("Please Sign In")
    expect(toast(page)).to_contain_text("You need to sign in to add items to your cart.")
    page.wait_for_url("**/oauth2/authorize**")


def test_a_banned_user_loses_access_and_sees_the_reason_at_sign_in(page: Page, store: Store) -> None:
    email = new_email()
    sign_in_as_adult(page, email)
    add_to_cart(page, "Quiet Mint")
    wait_for_requests(page)
    run_sql(
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


def test_checkout_errors_are_beside_their_fields_and_in_a_summary(page: Page) -> None:
    open_checkout(page, new_email())
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
    for label, sentence in zip(CHECKOUT_FORM, sentences, strict=True):
        field = page.get_by_label(label, exact=True)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(sentence))
    summary.get_by_text("Valid zip code is required").click()
    zip_code = page.get_by_label("Zip code", exact=True)
    expect(zip_code).to_be_focused()
    zip_code.fill("97201")
    zip_code.press("Tab")
    expect(zip_code).not_to_have_attribute("aria-invalid", "true")


def test_browsers_can_fill_the_form_in(page: Page) -> None:
    open_checkout(page, new_email())
    fields = {
        "First name": "given-name",
        "Last name": "family-name",
        "Contact phone": "tel",
        "Address": "street-address",
        "City": "address-level2",
        "State": "address-level1",
        "Zip code": "postal-code",
    }
    for label, token in fields.items():
        expect(page.get_by_label(label, exact=True)).to_have_attribute("autocomplete", token)


def test_values_that_are_too_short_are_reported_on_blur(page: Page) -> None:
    open_checkout(page, new_email())
    too_short = {
        "Zip code": ("9720", "97201", "Valid zip code is required"),
        "Contact phone": ("503555014", "5035550142", "Valid phone number is required"),
    }
    for label, (short, enough, sentence) in too_short.items():
        field = page.get_by_label(label, exact=True)
        field.fill(short)
        field.press("Tab")
        expect(field).to_have_accessible_description(re.compile(sentence))
        field.fill(enough)
        field.press("Tab")
        expect(page.get_by_text(sentence)).to_have_count(0)


def test_typed_values_survive_a_refusal(page: Page) -> None:
    open_checkout(page, new_email())
    fill_checkout(page, **{"Zip code": "9"})
    place_button(page).click()
    expect(page.get_by_text("Valid zip code is required").first).to_be_visible()
    for label, value in (CHECKOUT_FORM | {"Zip code": "9"}).items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)


def test_a_price_that_changed_meanwhile_is_shown_before_anything_is_bought(page: Page, store: Store) -> None:
    open_checkout(page, new_email())
    fill_checkout(page)
    run_sql(store, "UPDATE products SET price_cents = 5000 WHERE name = 'Fern Hollow'")
    try:
        place_button(page).click()
        expect(page.get_by_text("Prices or stock have changed. Please review the new total.")).to_be_visible()
        expect(page.get_by_text("$137.50").first).to_be_visible()
        place_button(page).click()
        page.wait_for_url("**/account?tab=orders")
        expect(page.get_by_role("tabpanel", name="Orders").get_by_text("$137.50")).to_be_visible()
    finally:
        run_sql(store, "UPDATE products SET price_cents = 4800 WHERE name = 'Fern Hollow'")


def test_a_price_that_the_owner_changes_is_shown_where_it_is_on_the_screen(
    new_page: Callable[..., Page], api: Api
) -> None:
    made, email = create_product(api, price="60.00"), new_email()
    checkout, product = new_page(), new_page()
    sign_in_as_adult(product, email, to=f"/product/{made['id']}")
    sign_in_as_adult(checkout, email, to=None)
    add_to_cart_by_request(checkout, made["name"], 2)
    checkout.goto("/checkout")
    checkout.get_by_label("City", exact=True).fill("Portland")
    for page in (checkout, product):
        expect(page.get_by_text("$120.00" if page is checkout else "$60.00").first).to_be_visible()
    wanted = ("name", "description", "category", "type", "potency", "stock")
    body = {name: made[name] for name in wanted} | {"price": "70.00"}
    api(OWNER).put(f"/api/admin/products/{made['id']}", json=body).raise_for_status()
    expect(checkout.get_by_text("$140.00").first).to_be_visible(timeout=2_000)
    expect(checkout.get_by_text("$120.00")).to_have_count(0)
    expect(checkout.get_by_text("Prices or stock have changed. Please review the new total.")).to_be_visible()
    expect(checkout.get_by_label("City", exact=True)).to_have_value("Portland")
    expect(product.get_by_text("$70.00").first).to_be_visible(timeout=2_000)
    more = product.get_by_role("button", name=f"More of {made['name']}")
    chosen = product.get_by_role("group", name=f"Quantity of {made['name']}")
    for _ in range(3):
        more.click()
    expect(chosen).to_have_text("4")
    api(OWNER).put(f"/api/admin/products/{made['id']}", json=body | {"price": "70.00", "stock": 5}).raise_for_status()
    expect(chosen).to_have_text("3", timeout=2_000)
    expect(more).to_be_disabled()
    api(OWNER).delete(f"/api/admin/products/{made['id']}").raise_for_status()
    expect(product.get_by_role("heading", name="Product not found.")).to_be_visible(timeout=2_000)


def test_an_order_of_products_sold_out_meanwhile_fails(page: Page, store: Store) -> None:
    open_checkout(page, new_email())
    fill_checkout(page)
    run_sql(store, "UPDATE products SET stock = 0 WHERE name = 'Fern Hollow'")
    try:
        place_button(page).click()
        expect(toast(page)).to_contain_text("Order Failed")
        expect(toast(page)).to_contain_text("There was an error processing your order. Please try again.")
        expect(page.get_by_text("Fern Hollow is out of stock.").first).to_be_visible()
    finally:
        run_sql(store, "UPDATE products SET stock = 100000 WHERE name = 'Fern Hollow'")


def test_an_empty_cart_at_checkout_leads_home_with_a_notice(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/checkout")
    expect(toast(page)).to_contain_text("Empty Cart")
    expect(toast(page)).to_contain_text("Your cart is empty. Add some products before checkout.")
    expect(page.get_by_role("heading", name="All Products", level=1)).to_be_visible()


def test_a_guest_at_checkout_is_redirected_to_sign_in(page: Page) -> None:
    page.add_init_script(WATCH_TOASTS)
    with page.expect_request("**/api/login?**") as sign_in_request:
        page.goto("/checkout")
        expect(toast(page)).to_contain_text("Please Sign In")
        expect(toast(page)).to_contain_text("You need to sign in to checkout.")
    page.wait_for_url("**/oauth2/authorize**")
    left_at = sign_in_request.value.timing["startTime"]
    page.goto("/shipping")
    # The 1.5 seconds begin with the message's arrival, and a busy browser draws the toast a little later.
    assert 1000 <= left_at - toasts_seen(page)["from"] < 6000


def test_a_session_that_ends_during_checkout_is_reported_and_nothing_is_bought(page: Page, store: Store) -> None:
    email = new_email()
    open_checkout(page, email)
    fill_checkout(page)
    wait_for_requests(page)
    run_sql(store, "DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = :email)", email=email)
    place_button(page).click()
    expect(toast(page)).to_contain_text("Session Expired")
    expect(toast(page)).to_contain_text("Please sign in again to complete your order.")
    page.wait_for_url("**/oauth2/authorize**")


def test_the_minimum_holds_at_checkout_too(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    add_to_cart_by_request(page, "Fern Hollow")
    page.goto("/checkout")
    expect(page.get_by_role("button", name="Add $52 More").first).to_be_disabled()
    summary = page.get_by_role("complementary", name="Order summary")
    expect(summary.get_by_text("Minimum order: $100")).to_be_visible()
    expect(summary.get_by_text("Add $52 more to continue")).to_be_visible()


@pytest.mark.parametrize(
    ("meanwhile", "title", "text"),
    [
        (
            "UPDATE cart_lines SET quantity = 1",
            "Minimum Order Required",
            "Minimum order amount is $100.00. Please add more items to your cart.",
        ),
        ("DELETE FROM cart_lines", "Empty Cart", "Your cart is empty. Add some products before checkout."),
    ],
    ids=["too little", "nothing"],
)
def test_a_cart_that_shrank_in_another_tab_is_not_ordered(
    page: Page, store: Store, meanwhile: str, title: str, text: str
) -> None:
    email = new_email()
    open_checkout(page, email)
    fill_checkout(page)
    run_sql(store, f"{meanwhile} WHERE user_id = (SELECT id FROM users WHERE email = :email)", email=email)
    place_button(page).click()
    expect(toast(page)).to_contain_text(title)
    expect(toast(page)).to_contain_text(text)
    page.goto("/account?tab=orders")
    expect(page.get_by_text("No orders yet.")).to_be_visible()


def test_two_tabs_share_one_cart(page: Page) -> None:
    sign_in_as_adult(page, new_email())
    other = page.context.new_page()
    add_to_cart(other, "Fern Hollow", 2)
    page.reload()
    expect(page.get_by_role("button", name=re.compile("^Cart"))).to_have_accessible_name("Cart, 2 items")


def test_a_reconnect_loses_nothing_typed(page: Page) -> None:
    socket = SocketProxy(page)
    open_checkout(page, new_email())
    fill_checkout(page)
    socket.cut()
    for label, value in CHECKOUT_FORM.items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders", timeout=20_000)


def test_a_tab_of_another_version_goes_on_and_says_so(page: Page) -> None:
    socket = SocketProxy(page)
    open_checkout(page, new_email())
    fill_checkout(page)
    socket.rewrites = {'"state_schema":"[^"]+"': '"state_schema":"another"'}
    socket.cut()
    expect(toast(page)).to_contain_text(messages.PAGE_OUTDATED.title)
    toast(page).get_by_role("button", name="Close").click()
    expect(toast(page)).to_have_count(0)
    socket.rewrites |= {"checkout_state[.]place": "checkout_state.place_in_another_version"}
    place_button(page).click()
    expect(toast(page)).to_contain_text(messages.PAGE_OUTDATED.title)
    for label, value in CHECKOUT_FORM.items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    socket.rewrites.popitem()
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders", timeout=20_000)


def test_an_order_whose_answer_is_lost_is_one_order_and_is_shown(page: Page) -> None:
    socket = SocketProxy(page)
    email = new_email()
    open_checkout(page, email)
    fill_checkout(page)
    socket.cut_when = "checkout_state.place"
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders", timeout=20_000)
    expect(toast(page)).to_contain_text("Order Placed Successfully!")
    expect(page.get_by_role("main").get_by_text("pending", exact=True)).to_have_count(1)


def test_private_answers_are_never_cached(store: Store) -> None:
    assert httpx.get(f"{store.url}/api/auth/user").headers["cache-control"] == "no-store"
