"""The storefront by touch, keyboard and screen reader."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import (
    OWNER,
    card,
    cart_button,
    create_product,
    fill_checkout,
    new_email,
    open_cart,
    open_checkout,
    place_button,
    place_order_by_request,
    quantity_stepper,
    sign_in_as_adult,
    sign_in_by_request,
    toast,
    wait_for_hydration,
)
from tests.e2e.conftest import BOTH_SIZES, DESKTOP, PHONE, Api
from tests.e2e.test_support import LATE_TICKET, write_ticket

pytestmark = pytest.mark.browser


def press(button: Locator) -> None:
    button.focus()
    button.press("Enter")


def test_adding_the_last_unit_twice_is_explained(page: Page, api: Api) -> None:
    made = create_product(api, stock=1)
    sign_in_as_adult(page, new_email(), to=f"/product/{made['id']}")
    button = page.get_by_role("main").get_by_role("button", name="Add to Cart")
    button.click()
    expect(toast(page)).to_contain_text("Added to Cart")
    button.click()
    expect(toast(page)).to_contain_text("Failed to Add")
    expect(toast(page)).to_contain_text(f"Only 1 of {made['name']} left. It is in your cart already.")
    drawer = open_cart(page)
    more = drawer.get_by_role("button", name=f"More of {made['name']}")
    expect(more).to_be_disabled()
    expect(more).to_have_accessible_description("Only 1 left.")
    expect(drawer.get_by_text("Only 1 left.")).to_be_visible()
    expect(drawer.get_by_role("button", name=f"Fewer of {made['name']}")).to_be_enabled()


def test_an_unrated_product_has_no_star(page: Page, api: Api) -> None:
    made = create_product(api)
    sign_in_as_adult(page, new_email())
    for view in ("grid", "list"):
        page.goto(f"/?search={made['name'].replace(' ', '+')}&view={view}")
        shown = card(page, made["name"])
        expect(shown.get_by_text("No reviews yet", exact=True)).to_be_visible()
        expect(shown).not_to_contain_text("0.0")
        expect(shown.locator("svg[viewBox='0 0 20 20']")).to_have_count(0)
    page.goto(f"/product/{made['id']}")
    expect(page.get_by_role("heading", name=made["name"], level=1)).to_be_visible()
    main = page.get_by_role("main")
    expect(main.get_by_text("No reviews yet", exact=True)).to_be_visible()
    expect(main).not_to_contain_text("0.0")
    expect(main.locator("svg[viewBox='0 0 20 20']")).to_have_count(0)
    described = orjson.loads(page.locator("script[type='application/ld+json']").first.text_content() or "")
    assert "aggregateRating" not in described


def test_an_order_has_one_number_for_customers_and_staff(page: Page, new_page: Callable[..., Page], api: Api) -> None:
    email = new_email()
    placed = place_order_by_request(api(email), "Whitfield")
    sign_in_as_adult(page, email, to=None)
    page.goto(f"/orders/{placed['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Order {placed['number']}")
    expect(page.get_by_role("main")).not_to_contain_text(placed["id"][-8:])
    page.goto("/account?tab=orders")
    expect(page.get_by_role("tabpanel", name="Orders")).to_contain_text(f"ID ending {placed['id'][-8:]}")
    page.get_by_role("button", name=f"View Details of order {placed['number']}").click()
    expect(toast(page)).to_contain_text(f"Order {placed['number']}")
    expect(toast(page)).not_to_contain_text(placed["id"][-8:])
    staff = new_page(PHONE)
    sign_in_by_request(staff, OWNER)
    staff.goto("/admin?tab=overview")
    expect(staff.get_by_role("link", name=f"{placed['number']} {placed['id'][:8]}", exact=True)).to_be_visible()
    staff.goto("/admin?tab=orders")
    row = staff.get_by_role("row").filter(has=staff.get_by_role("link", name=placed["id"][:8], exact=True))
    expect(row.get_by_text(str(placed["number"]), exact=True).locator("visible=true")).to_have_count(1)
    row.get_by_role("button", name=f"Edit order {placed['number']}").click()
    expect(staff.get_by_role("dialog", name=f"Order {placed['number']}", exact=True)).to_be_visible()


def test_the_focus_stays_on_the_clicked_button(page: Page, api: Api) -> None:
    made = create_product(api, stock=2)
    sign_in_as_adult(page, new_email(), to=f"/?search={made['name'].replace(' ', '+')}")
    button = card(page, made["name"]).get_by_role("button", name="Add to Cart")
    expect(button).to_be_visible()
    press(button)
    expect(toast(page)).to_contain_text("Added to Cart")
    expect(button).to_be_focused()
    drawer = open_cart(page)
    more = drawer.get_by_role("button", name=f"More of {made['name']}")
    press(more)
    expect(quantity_stepper(drawer, made["name"])).to_contain_text("2")
    expect(more).to_be_disabled()
    expect(more).to_be_focused()


def test_the_focus_goes_to_the_heading_of_the_new_page(page: Page) -> None:
    open_checkout(page, new_email())
    page.goto("/")
    wait_for_hydration(page)
    drawer = open_cart(page)
    press(drawer.get_by_role("link", name="Proceed to Checkout"))
    page.wait_for_url("**/checkout")
    expect(page.get_by_role("heading", name="Checkout", level=1)).to_be_focused()
    fill_checkout(page)
    press(place_button(page))
    page.wait_for_url("**/account?tab=orders")
    expect(page.get_by_role("heading", name="Account", level=1)).to_be_focused()
    page.goto("/product/1")
    press(page.get_by_role("link", name="Back to Products"))
    expect(page.get_by_role("heading", name="All Products", level=1)).to_be_focused()


def test_a_page_that_is_loaded_leaves_the_focus_to_the_browser(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/faq")
    wait_for_hydration(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()


def test_a_search_from_another_page_leads_to_its_results(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/faq")
    wait_for_hydration(page)
    box = page.get_by_role("combobox", name="Search products").locator("visible=true").first
    box.fill("fern")
    box.press("Enter")
    page.wait_for_url("**/?search=fern")
    expect(page.get_by_role("heading", name="Results for “fern”", level=1)).to_be_focused()


def test_disabled_buttons_do_nothing(page: Page, api: Api) -> None:
    email = new_email()
    ticket = write_ticket(api(email))
    sign_in_as_adult(page, email, to=f"/support?ticket={ticket['id']}")
    dialog = page.get_by_role("dialog", name=LATE_TICKET["subject"])
    send, box = dialog.get_by_role("button", name="Send Reply"), dialog.get_by_role("textbox")
    expect(send).to_be_disabled()
    send.click(force=True)
    box.fill("He has come.")
    expect(send).to_be_enabled()  # an answer of the server, so one to the click would have come before it
    expect(box).to_have_accessible_description("")
    press(send)
    expect(dialog).to_contain_text("He has come.")
    expect(toast(page)).to_have_count(0)
    expect(send).to_be_disabled()
    expect(send).to_be_focused()
    page.goto("/account?tab=referrals")
    box, apply = page.get_by_label("Referral code"), page.get_by_role("button", name="Apply Code")
    box.press("Enter")
    for text, is_enabled in (("K", True), ("", False)):  # answers of the server: one to Enter would have come before
        box.fill(text)
        expect(apply).to_be_enabled(enabled=is_enabled)
    expect(toast(page)).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, (390, 664), (768, 1024), DESKTOP])
def test_the_price_is_visible_without_scrolling(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email(), to="/product/1")
    price = page.get_by_role("main").get_by_text(re.compile(r"^\$[\d,]+\.\d\d$"))
    expect(price.first).to_be_attached()
    assert any(price.evaluate_all(_IS_READABLE))


# It is on the screen, and nothing covers any of it.
_IS_READABLE = """(prices) => prices.map((price) => {
  const box = price.getBoundingClientRect();
  const points = [[box.left + 2, box.top + 2], [box.right - 2, box.bottom - 2]];
  return box.width > 0 && points.every(([x, y]) => document.elementFromPoint(x, y) === price);
})"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_pick_says_why_and_can_be_added(new_page: Callable[..., Page], api: Api, size: tuple[int, int]) -> None:
    page, email = new_page(size), new_email()
    liked: dict[str, Any] = {"preferredEffects": ["Relaxed", "Happy", "Calm"], "preferredFlavors": ["Pine", "Citrus"]}
    api(email).post("/api/preferences", json=liked | {"preferredTypes": ["Hybrid"]}).raise_for_status()
    sign_in_as_adult(page, email)
    picks = page.get_by_role("region", name="Picked for you").get_by_role("listitem")
    expect(picks.first).to_be_visible()
    why = picks.locator("p").filter(has_text=re.compile("^Why: "))
    assert set(why.evaluate_all("(all) => all.map((each) => each.scrollWidth <= each.clientWidth)")) == {True}
    name = picks.first.get_by_role("link").inner_text()
    button = picks.first.get_by_role("button", name="Add to Cart")
    expect(button).to_have_accessible_description(name)
    button.click()
    expect(toast(page)).to_contain_text(f"{name} has been added to your cart.")
    page.goto("/preferences")
    summary = page.get_by_role("complementary", name="Your Current Preferences")
    expect(summary.get_by_role("heading", name="Flavors")).to_be_visible()
    expect(summary.get_by_text("Pine, Citrus", exact=True)).to_be_visible()


def test_a_search_is_named_by_its_heading(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/?search=fern")
    expect(page.get_by_role("heading", level=1)).to_have_text("Results for “fern”")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("All Products")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_several_of_a_product_are_added_from_its_page(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int]
) -> None:
    made = create_product(api, name=f"Quantities {uuid.uuid4().hex[:8]}", stock=3)
    page = new_page(size)
    sign_in_as_adult(page, new_email(), to=f"/product/{made['id']}")
    main = page.get_by_role("main")
    stepper = main.get_by_role("group", name=f"Quantity of {made['name']}")
    fewer = stepper.get_by_role("button", name=f"Fewer of {made['name']}")
    more = stepper.get_by_role("button", name=f"More of {made['name']}")
    expect(fewer).to_have_attribute("aria-disabled", "true")
    expect(stepper).to_have_text("1")
    more.click()
    expect(stepper).to_have_text("2")
    main.get_by_role("button", name="Add to Cart").click()
    expect(toast(page)).to_contain_text(f"{made['name']} has been added to your cart.")
    expect(cart_button(page)).to_have_accessible_name("Cart, 2 items")
    expect(stepper).to_have_text("1")
    expect(main.get_by_text("2 in your cart", exact=True)).to_be_visible()
    expect(more).to_have_attribute("aria-disabled", "true")
    main.get_by_role("button", name="Add to Cart").click()
    expect(main.get_by_text("3 in your cart, the most you can order", exact=True)).to_be_visible()
    expect(cart_button(page)).to_have_accessible_name("Cart, 3 items")
    expect(stepper).to_have_text("1")
    main.get_by_role("button", name="Add to Cart").click()
    expect(
        toast(page).filter(has_text=f"Only 3 of {made['name']} left. All 3 are in your cart already.")
    ).to_be_visible()
    expect(cart_button(page)).to_have_accessible_name("Cart, 3 items")


def test_the_quantity_stops_at_what_the_cart_leaves_of_the_stock(page: Page, api: Api) -> None:
    made = create_product(api, stock=3)
    sign_in_as_adult(page, new_email(), to=f"/product/{made['id']}")
    main = page.get_by_role("main")
    more = main.get_by_role("button", name=f"More of {made['name']}")
    main.get_by_role("button", name="Add to Cart").click()
    expect(main.get_by_text("1 in your cart", exact=True)).to_be_visible()
    more.click()
    expect(main.get_by_role("group", name=f"Quantity of {made['name']}")).to_have_text("2")
    expect(more).to_have_attribute("aria-disabled", "true")


def test_a_product_page_repeats_nothing(page: Page, api: Api) -> None:
    made = create_product(api, description="Cool pine. Then wet stone.", type="Indica", strain="Indica")
    sign_in_as_adult(page, new_email(), to=f"/product/{made['id']}")
    main = page.get_by_role("main")
    expect(main.get_by_text("Cool pine.", exact=True)).to_be_visible()
    expect(main.get_by_text("Cool pine. Then wet stone.", exact=True)).to_have_count(1)
    expect(main.get_by_text("Type", exact=True)).to_be_visible()
    expect(main.get_by_text("Strain", exact=True)).to_have_count(0)
