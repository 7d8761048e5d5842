"""The date of birth that some rules want on an order's record (RULE order-record)."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import (
    OWNER,
    add_to_cart_by_request,
    fill_checkout,
    horizontal_overflow,
    new_email,
    place_button,
    sign_in_as_adult,
    sign_in_by_request,
)
from tests.e2e.conftest import BOTH_SIZES, Store
from tests.e2e.state_rules import add_rules, enforced, sourced
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser
VERMONT = {"Address": "12 Maple Lane", "City": "Burlington", "State": "VT", "Zip code": "05401"}


@pytest.fixture
def rules(store: Store) -> Iterator[None]:
    """Those of Vermont require a birth date; those of other states are not known."""
    add_rules(store, "VT", record=sourced({"items": ["birth_date"], "keepDays": 30}))
    with enforced(store):
        yield


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_checkout_asks_for_the_birth_date_says_why_and_staff_see_it(
    new_page: Callable[..., Page], rules: None, size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email(), to=None)
    add_to_cart_by_request(page, "Fern Hollow", 3)
    page.goto("/checkout")
    field = page.locator("#birthDate")
    expect(page.get_by_label("City", exact=True)).to_be_visible()
    expect(field).to_have_count(0)

    fill_checkout(page, **VERMONT)
    page.get_by_label("Zip code", exact=True).blur()
    expect(field).to_have_attribute("autocomplete", "bday")
    expect(field).to_have_accessible_description(
        "The rules of Vermont ask for your date of birth on the order's record. It is kept with this order alone, "
        "for 30 days after the order has ended."
    )
    assert horizontal_overflow(page) == 0
    place_button(page).click()
    summary = page.get_by_role("alert")
    expect(summary.get_by_role("link", name="Date of birth is required")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("2019-03-09")
    place_button(page).click()
    expect(summary.get_by_role("link", name="younger than 21")).to_be_visible()
    expect_accessible(page, "checkout with a date of birth")
    field.fill("1987-03-09")
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    page.goto("/privacy")
    expect(page.get_by_role("article")).to_contain_text("kept with that order alone, for as long as the rules say")
    page.goto("/account?tab=orders")
    page.get_by_role("button", name="View Details").click()
    page.wait_for_url("**/orders/*")
    expect(page.get_by_role("heading", name=re.compile(r"^Order \d+$"), level=1)).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text("1987")

    staff = new_page(size)
    sign_in_by_request(staff, OWNER)
    staff.goto(f"/admin/orders/{page.url.rsplit('/', 1)[-1]}")
    expect(staff.get_by_role("heading", name="Record", exact=True)).to_be_visible()
    expect(staff.get_by_text("Mar 09, 1987")).to_be_visible()
    expect(staff.get_by_text("30 days after the order has ended")).to_be_visible()
    assert horizontal_overflow(staff) == 0
