"""Hearts in the catalogue and on a product's page, and the account's list."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER, card, cart_button, create_product, horizontal_overflow, new_email, sign_in_as_adult
from tests.e2e.conftest import BOTH_SIZES, PHONE, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_product_is_saved_in_the_list_found_in_the_account_and_bought(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int]
) -> None:
    made = create_product(api)
    page = new_page(size)
    sign_in_as_adult(page, new_email(), to=f"/?search={made['name'].replace(' ', '+')}")
    heart = card(page, made["name"]).get_by_role("button", name=f"Save {made['name']}")
    expect(heart).to_have_attribute("aria-pressed", "false")
    heart.press("Enter")
    expect(heart).to_have_attribute("aria-pressed", "true")
    expect(heart).to_be_focused()
    page.goto(f"/product/{made['id']}")
    expect(page.get_by_role("button", name=f"Save {made['name']}")).to_have_attribute("aria-pressed", "true")
    page.goto("/account?tab=saved")
    row = page.get_by_role("list", name="Saved products").get_by_role("listitem")
    expect(row).to_contain_text(made["name"])
    expect_accessible(page, "saved")
    row.get_by_role("button", name="Add to Cart").click()
    expect(cart_button(page)).to_have_accessible_name("Cart, 1 item")
    row.get_by_role("button", name=f"Remove {made['name']}").click()
    expect(page.get_by_text("Nothing saved yet.")).to_be_visible()
    expect(page.locator("#saved-products")).to_be_focused()


def test_clicking_a_heart_twice_changes_nothing(page: Page, api: Api) -> None:
    made, email = create_product(api), new_email()
    sign_in_as_adult(page, email, to=f"/product/{made['id']}")
    heart = page.get_by_role("button", name=f"Save {made['name']}")
    expect(heart).to_have_attribute("aria-pressed", "false")
    heart.evaluate("async (heart) => { heart.click(); await new Promise((go) => setTimeout(go, 5)); heart.click(); }")
    expect(heart).to_have_attribute("aria-pressed", "false")
    page.goto("/account?tab=saved")
    expect(page.get_by_text("Nothing saved yet.")).to_be_visible()


def test_another_tab_shows_the_heart_and_the_cart_at_once(page: Page, api: Api) -> None:
    made, email = create_product(api), new_email()
    found = f"/?search={made['name'].replace(' ', '+')}"
    sign_in_as_adult(page, email, to=f"/product/{made['id']}")
    other = page.context.new_page()
    other.goto(found)
    heart = card(other, made["name"]).get_by_role("button", name=f"Save {made['name']}")
    expect(heart).to_have_attribute("aria-pressed", "false")
    expect(cart_button(other)).to_have_accessible_name("Cart, 0 items")
    page.get_by_role("button", name=f"Save {made['name']}").click()
    expect(heart).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Add to Cart").first.click()
    expect(cart_button(other)).to_have_accessible_name("Cart, 1 item")
    heart.click()
    expect(page.get_by_role("button", name=f"Save {made['name']}")).to_have_attribute("aria-pressed", "false")


def test_an_archived_product_is_marked_as_no_longer_sold(page: Page, api: Api) -> None:
    made, email = create_product(api), new_email()
    sign_in_as_adult(page, email, to=f"/product/{made['id']}")
    page.get_by_role("button", name=f"Save {made['name']}").click()
    expect(page.get_by_role("button", name=f"Save {made['name']}")).to_have_attribute("aria-pressed", "true")
    api(OWNER).delete(f"/api/admin/products/{made['id']}").raise_for_status()
    page.goto("/account?tab=saved")
    row = page.get_by_role("list", name="Saved products").get_by_role("listitem")
    expect(row).to_contain_text("No longer sold")
    expect(row.get_by_role("link")).to_have_count(0)
    expect(row.get_by_role("button", name="Add to Cart")).to_have_count(0)


def test_a_sold_out_product_with_a_long_price_fits_a_phone(new_page: Callable[..., Page], api: Api) -> None:
    made = create_product(api, stock=0, price="1252.99")
    page = new_page(PHONE)
    sign_in_as_adult(page, new_email(), to=f"/product/{made['id']}")
    for label in ("Tell me when it's back", "We'll email you. Stop"):
        button = page.get_by_role("button", name=label)
        expect(button).to_be_visible()
        for width in (320, 360, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert horizontal_overflow(page) <= 0, (label, width)
            expect(button).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("button", name="Add to Cart")).to_be_in_viewport(ratio=1)
        button.click()


def test_a_shopper_asks_for_an_alert_on_a_sold_out_product(page: Page, api: Api) -> None:
    made = create_product(api, stock=0)
    sign_in_as_adult(page, new_email(), to=f"/product/{made['id']}")
    page.get_by_role("button", name="Tell me when it's back").click()
    stop = page.get_by_role("button", name="We'll email you. Stop")
    expect(stop).to_be_focused()
    page.goto("/account?tab=saved")
    row = page.get_by_role("list", name="Awaited products").get_by_role("listitem")
    expect(row).to_contain_text(made["name"])
    row.get_by_role("button", name=f"Stop waiting for {made['name']}").click()
    expect(row).to_have_count(0)
    page.goto(f"/product/{made['id']}")
    expect(page.get_by_role("button", name="Tell me when it's back")).to_be_visible()
