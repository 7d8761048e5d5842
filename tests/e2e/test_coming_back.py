"""Repeat purchases, saved addresses, referral links and cancelling."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders import draft
from tests.e2e.acts import (
    CHECKOUT_FORM,
    OWNER,
    SocketProxy,
    add_to_cart_by_request,
    fill_checkout,
    new_email,
    place_button,
    place_order_by_request,
    sign_in,
    sign_in_as_adult,
    sign_in_by_request,
    toast,
)
from tests.e2e.conftest import BOTH_SIZES, Api

pytestmark = pytest.mark.browser

ADDRESS = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
INSTRUCTIONS = {"deliveryInstructions": "Ring twice.", "paymentInstructions": "In the mailbox."}


def field(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


def open_checkout_with_three(page: Page) -> None:
    add_to_cart_by_request(page, "Fern Hollow", 3)
    page.goto("/checkout")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_second_purchase_takes_three_clicks(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email())
    open_checkout_with_three(page)
    fill_checkout(page)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    page.get_by_role("button", name="Buy again").click()
    page.get_by_role("link", name="Checkout", exact=True).click()
    page.wait_for_url("**/checkout")
    for label, value in CHECKOUT_FORM.items():
        expect(field(page, label)).to_have_value(value)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    expect(page.get_by_role("main").get_by_text("pending", exact=True)).to_have_count(2)


def test_data_from_checkout_is_saved_in_the_profile(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/account")
    expect(page.get_by_text("Not set")).to_have_count(2)
    open_checkout_with_three(page)
    fill_checkout(page)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    page.goto("/account")
    expect(page.get_by_role("tabpanel", name="Profile")).to_contain_text("Whitfield")
    expect(page.get_by_text("Not set")).to_have_count(0)


def test_another_saved_address_is_chosen_at_checkout(page: Page, api: Api) -> None:
    email = new_email()
    me = api(email)
    me.post("/api/addresses", json=ADDRESS | INSTRUCTIONS | {"label": "Home"}).raise_for_status()
    me.post("/api/addresses", json=ADDRESS | {"street": "9 Elm Row", "label": "Work"}).raise_for_status()
    sign_in_as_adult(page, email)
    open_checkout_with_three(page)
    expect(field(page, "Address")).to_have_value("214 Larch Street")
    expect(field(page, "Payment pickup instructions")).to_have_value("In the mailbox.")
    field(page, "First name").fill("Nora")
    choose = field(page, "Deliver to")
    choose.select_option(label="Work: 9 Elm Row, Portland, OR 97201")
    expect(field(page, "Address")).to_have_value("9 Elm Row")
    expect(field(page, "Delivery instructions")).to_have_value("")
    choose.select_option(label="Another address")
    expect(field(page, "City")).to_have_value("")
    expect(field(page, "First name")).to_have_value("Nora")


def test_an_address_is_saved_only_if_asked_for(page: Page, api: Api) -> None:
    email = new_email()
    sign_in_as_adult(page, email)
    open_checkout_with_three(page)
    fill_checkout(page)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    assert api(email).get("/api/addresses").json() == []
    open_checkout_with_three(page)
    page.get_by_role("checkbox", name="Save this address").check()
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    (stored,) = api(email).get("/api/addresses").json()
    assert (stored["street"], stored["deliveryInstructions"]) == (
        CHECKOUT_FORM["Address"],
        CHECKOUT_FORM["Delivery instructions"],
    )
    assert stored["isDefault"]


def test_a_reconnect_keeps_changes_to_a_prefilled_form(page: Page, api: Api) -> None:
    socket = SocketProxy(page)
    email = new_email()
    api(email).post("/api/addresses", json=ADDRESS | INSTRUCTIONS).raise_for_status()
    sign_in_as_adult(page, email)
    open_checkout_with_three(page)
    expect(field(page, "Address")).to_have_value("214 Larch Street")
    fill_checkout(page, Address="77 Oak Lane")
    socket.cut()
    page.get_by_role("checkbox", name="Save this address").check()
    expect(field(page, "Address")).to_have_value("77 Oak Lane")
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders", timeout=20_000)
    expect(page.get_by_role("main").get_by_text("77 Oak Lane, Portland, OR 97201")).to_be_visible()


def test_names_phone_and_addresses_are_edited_in_the_settings(page: Page, api: Api) -> None:
    email = new_email()
    sign_in_as_adult(page, email, to="/account?tab=settings")
    field(page, "First name").fill("Nora")
    field(page, "Phone").fill("555")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(toast(page)).to_contain_text("Valid phone number is required")
    expect(field(page, "First name")).to_have_value("Nora")
    field(page, "Phone").fill("503 555 0142")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(toast(page)).to_contain_text("Profile saved")
    me = api(email).get("/api/auth/user").json()
    assert (me["firstName"], me["phone"]) == ("Nora", "503 555 0142")

    page.get_by_role("button", name="Add Address").click()
    dialog = page.get_by_role("dialog", name="Add address")
    dialog.get_by_role("button", name="Save Address").click()
    expect(dialog.get_by_text("Delivery address is required")).to_be_visible()
    for label, value in (("Label", "Home"), ("Address", "214 Larch Street"), ("City", "Portland"), ("State", "OR")):
        dialog.get_by_label(label, exact=True).fill(value)
    dialog.get_by_label("Zip code", exact=True).fill("97201")
    dialog.get_by_role("button", name="Save Address").click()
    expect(dialog).to_be_hidden()
    rows = page.get_by_role("list", name="Addresses").get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Default")
    api(email).post("/api/addresses", json=ADDRESS | {"label": "Work"}).raise_for_status()
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Make Default Work").click()
    expect(page.locator("#addresses")).to_be_focused()
    expect(rows.first).to_contain_text("Work")
    page.get_by_role("button", name="Edit Home").click()
    edit = page.get_by_role("dialog", name="Edit address")
    expect(edit.get_by_label("Address", exact=True)).to_have_value("214 Larch Street")
    edit.get_by_role("button", name="Save Address").click()
    expect(edit).to_be_hidden()
    page.get_by_role("button", name="Remove Work").click()
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Default")
    (stored,) = api(email).get("/api/addresses").json()
    assert {name: stored[name] for name in ADDRESS} | {"label": stored["label"]} == ADDRESS | {"label": "Home"}


def test_checkout_shows_the_age_gate(page: Page) -> None:
    sign_in_by_request(page, new_email())
    open_checkout_with_three(page)
    gate = page.get_by_role("dialog")
    expect(gate.get_by_role("heading", name=re.compile("You must be 21"))).to_be_visible()
    page.evaluate("() => { document.getElementById('city').value = 'Portland'; }")
    pass_gate(page)
    expect(field(page, "City")).to_have_value("Portland")
    fill_checkout(page)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")


def referral_code(api: Api) -> str:
    """The code of a new member called Nora."""
    nora = api(new_email())
    nora.put("/api/auth/user", json={"firstName": "Nora", "lastName": "Whitfield"}).raise_for_status()
    return str(nora.get("/api/referrals/my-code").json()["referralCode"])


def pass_gate(page: Page) -> None:
    gate = page.get_by_role("dialog")
    gate.get_by_label("Date of birth").fill("1990-04-17")
    gate.get_by_role("button", name="I am 21 or older").click()
    expect(gate).to_be_hidden()


def test_a_friend_follows_a_link_through_age_gate_and_sign_in(new_page: Callable[..., Page], api: Api) -> None:
    theirs, email = new_page(), new_email()
    nora = new_email()
    api(nora).put("/api/auth/user", json={"firstName": "Nora", "lastName": "Whitfield"}).raise_for_status()
    sign_in_as_adult(theirs, nora, "/account?tab=referrals")
    link = theirs.get_by_role("button", name="Share link").get_attribute("data-copy") or ""

    friend = new_page()
    friend.goto(re.sub(r"^https?://[^/]+", "", link))
    friend.wait_for_url("**/welcome")
    pass_gate(friend)
    expect(friend.get_by_role("heading", name="Nora sent you $100 off your first order", level=1)).to_be_visible()
    expect(friend.get_by_text("Whitfield")).to_have_count(0)
    friend.get_by_role("main").get_by_role("link", name="Sign In to Shop").click()
    friend.locator("input[name=sub]").fill(email)
    friend.get_by_role("button", name="Authorize").click()
    expect(toast(friend)).to_contain_text("Referral Applied!")
    expect(toast(friend)).to_contain_text(
        "You've been referred by Nora. You'll get $100 off when you make your first purchase!"
    )
    open_checkout_with_three(friend)
    expect(friend.get_by_role("main").get_by_text("−$100.00").first).to_be_visible()
    friend.goto("/account?tab=referrals")
    expect(friend.get_by_text("You were referred by Nora.")).to_be_visible()


def test_an_old_referral_link_opens_the_welcome_page(page: Page, api: Api) -> None:
    page.goto(f"/account?tab=referrals&code={referral_code(api).lower()}")
    page.wait_for_url("**/welcome")
    expect(page.get_by_role("heading", name="Nora sent you $100 off your first order")).to_be_attached()
    expect(toast(page)).to_have_count(0)


def test_an_unknown_code_makes_no_offer(page: Page) -> None:
    for code in ("ZZZZZZZZ", "nothing"):
        page.goto(f"/r/{code}")
        page.wait_for_url("**/welcome")
        expect(page.get_by_role("heading", name="Welcome", level=1, exact=True, include_hidden=True)).to_be_attached()
        expect(page.get_by_text("sent you")).to_have_count(0)


def test_a_members_code_is_applied_at_once(page: Page, api: Api) -> None:
    code = referral_code(api)
    sign_in_as_adult(page, new_email(), to=f"/r/{code}")
    expect(toast(page)).to_contain_text("Referral Applied!")
    expect(page.get_by_role("heading", name="All Products", level=1)).to_be_visible()
    page.goto(f"/r/{code}")
    expect(page.get_by_text("You have already used a referral code.")).to_be_visible()


def test_a_customer_with_orders_sees_why_the_code_is_refused(page: Page, api: Api) -> None:
    email = new_email()
    me = api(email)
    me.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).raise_for_status()
    me.post("/api/orders", json=draft(items=[{"productId": 1, "quantity": 3}])).raise_for_status()
    page.goto(f"/r/{referral_code(api)}")
    page.wait_for_url("**/welcome")
    sign_in(page, email)
    expect(toast(page)).to_contain_text("Referral codes are for a first purchase, and you have already ordered.")
    page.reload()
    expect(page.get_by_role("heading", name="All Products", level=1)).to_be_visible()
    expect(toast(page)).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_pending_order_is_cancelled_from_its_page(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int]
) -> None:
    email = new_email()
    placed = place_order_by_request(api(email), "Whitfield")
    page = new_page(size)
    sign_in_as_adult(page, email, to=f"/orders/{placed['id']}")
    main = page.get_by_role("main")
    main.get_by_role("button", name="Cancel Order").click()
    question = page.get_by_role("dialog", name=f"Cancel Order {placed['number']}?")
    question.get_by_role("button", name="Keep Order").click()
    expect(question).to_be_hidden()
    expect(main.get_by_text("pending", exact=True)).to_be_visible()
    main.get_by_role("button", name="Cancel Order").click()
    question.get_by_role("button", name="Cancel Order").click()
    expect(toast(page)).to_contain_text("Order Cancelled")
    expect(main.get_by_text("This order was cancelled.")).to_be_visible()
    expect(main.get_by_role("button", name="Cancel Order")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_an_order_confirmed_meanwhile_cannot_be_cancelled(page: Page, api: Api) -> None:
    email = new_email()
    placed = place_order_by_request(api(email), "Whitfield")
    sign_in_as_adult(page, email, to=f"/orders/{placed['id']}")
    main = page.get_by_role("main")
    expect(main.get_by_role("button", name="Cancel Order")).to_be_visible()
    api(OWNER).put(f"/api/admin/orders/{placed['id']}", json={"status": "confirmed"}).raise_for_status()
    expect(main.get_by_text("Your order is confirmed.")).to_be_visible()
    expect(main.get_by_role("button", name="Cancel Order")).to_have_count(0)


def test_a_ticket_opened_from_an_order_names_the_order(page: Page, new_page: Callable[..., Page], api: Api) -> None:
    email = new_email()
    placed = place_order_by_request(api(email), "Whitfield")
    sign_in_as_adult(page, email, to=f"/orders/{placed['id']}")
    page.get_by_role("button", name="Ask about this order").click()
    form = page.get_by_role("dialog", name="Create Support Ticket")
    expect(form.get_by_label("Subject")).to_have_value(f"Order {placed['number']}")
    form.get_by_label("Message").fill("Could it come after six?")
    form.get_by_role("button", name="Create Ticket").click()
    page.wait_for_url("**/support?ticket=*")
    see = page.get_by_role("dialog").get_by_role("link", name="See the order")
    expect(see).to_have_attribute("href", f"/orders/{placed['id']}")
    ticket = page.url.rpartition("=")[2]
    staff = new_page()
    sign_in_by_request(staff, OWNER)
    staff.goto(f"/support?ticket={ticket}")
    seen = staff.get_by_role("dialog").get_by_role("link", name="See the order")
    expect(seen).to_have_attribute("href", f"/admin/orders/{placed['id']}")
