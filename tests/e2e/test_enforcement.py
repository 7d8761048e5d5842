"""The rules of states at the checkout (RULE enforcement, RULE address-kinds)."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import (
    add_to_cart_by_request,
    fill_checkout,
    horizontal_overflow,
    new_email,
    place_button,
    run_sql,
    sign_in_as_adult,
    toast,
)
from tests.e2e.conftest import BOTH_SIZES, Store
from tests.e2e.state_rules import add_rules, enforced, sourced

pytestmark = pytest.mark.browser
HOMES_ONLY = "Deliveries in Oklahoma go to homes only: not to businesses, hotels or dormitories."
NOT_YET = "We don't deliver to Idaho yet. Please choose an address in another state."


@pytest.fixture
def rules(store: Store) -> Iterator[None]:
    """Oklahoma takes deliveries to homes, from eight to six; the rules of Idaho are not reviewed."""
    lines = {"hours": sourced({"opens": "08:00", "closes": "18:00"}), "addressKinds": sourced(["residence"])}
    add_rules(store, "OK", **lines)
    add_rules(store, "ID", is_reviewed=False, **lines)
    with enforced(store):
        yield


@pytest.fixture
def windows(store: Store) -> Iterator[None]:
    """In one ZIP code of Oklahoma, every day from ten to twelve and from five to seven."""
    run_sql(store, "INSERT INTO zones (id, name) VALUES (8, 'Downtown')")
    run_sql(store, "INSERT INTO zone_zips (zip_code, zone_id) VALUES ('73102', 8)")
    names = "zone_id, weekday, opens_minute, closes_minute, cutoff_minutes, capacity"
    for weekday in range(7):
        for opens in (10, 17):
            times = f"{opens} * 60, {opens + 2} * 60"
            run_sql(store, f"INSERT INTO windows ({names}) VALUES (8, {weekday}, {times}, 0, 50)")
    yield
    run_sql(store, "DELETE FROM zones")


def open_checkout(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    add_to_cart_by_request(page, "Fern Hollow", 3)
    page.goto("/checkout")
    expect(page.get_by_label("City", exact=True)).to_be_visible()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_checkout_says_what_the_state_does_not_allow_and_which_addresses_it_does(
    new_page: Callable[..., Page], rules: None, size: tuple[int, int]
) -> None:
    page = new_page(size)
    open_checkout(page)
    fill_checkout(page, **{"City": "Boise", "State": "Idaho", "Zip code": "83702"})
    page.get_by_label("Zip code", exact=True).blur()
    summary = page.get_by_role("complementary", name="Order summary")
    expect(summary.get_by_text(NOT_YET)).to_be_visible()
    place_button(page).click()
    expect(toast(page)).to_contain_text(NOT_YET)
    assert page.url.endswith("/checkout")
    page.get_by_label("Zip code", exact=True).fill("73102")
    page.get_by_label("State", exact=True).fill("oklahoma")
    page.get_by_label("State", exact=True).blur()
    expect(page.get_by_role("status").filter(has_text=HOMES_ONLY)).to_be_visible()
    expect(summary.get_by_text("We don't deliver")).to_have_count(0)
    assert horizontal_overflow(page) == 0
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")


def test_times_outside_the_hours_of_the_state_are_not_offered(page: Page, rules: None, windows: None) -> None:
    open_checkout(page)
    fill_checkout(page, **{"City": "Oklahoma City", "State": "OK", "Zip code": "73102"})
    page.get_by_label("Zip code", exact=True).blur()
    times = page.get_by_role("group", name="Choose a time")
    expect(times.get_by_text("10:00 AM to 12:00 PM").first).to_be_visible()
    expect(times.get_by_text("5:00 PM to 7:00 PM")).to_have_count(0)
