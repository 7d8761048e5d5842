"""Choosing a delivery time at the checkout (RULE choose-time), and the order's page."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.e2e.acts import (
    SocketProxy,
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

pytestmark = pytest.mark.browser
FIVE_TO_SEVEN = "17 * 60, 19 * 60, 0"  # in minutes: opens, closes, cutoff


@pytest.fixture
def zone(store: Store) -> Iterator[None]:
    """$12 in 97201, from five to seven on three days; tomorrow is full, and two are left on the day after."""
    tomorrow = clock.today(get_settings().timezone) + timedelta(days=1)
    run_sql(store, "INSERT INTO zones (id, name, fee_cents) VALUES (7, 'East side', 1200)")
    run_sql(store, "INSERT INTO zone_zips (zip_code, zone_id) VALUES ('97201', 7)")
    for days, capacity in ((0, 1), (1, 2), (2, 50)):
        weekday = (tomorrow + timedelta(days=days)).weekday()
        names = "id, zone_id, weekday, opens_minute, closes_minute, cutoff_minutes, capacity"
        run_sql(store, f"INSERT INTO windows ({names}) VALUES ({70 + days}, 7, {weekday}, {FIVE_TO_SEVEN}, {capacity})")
    day = {"day": tomorrow.isoformat(), "start": f"{tomorrow} 17:00:00", "end": f"{tomorrow} 19:00:00"}
    names = "window_id, day, starts_at, ends_at, capacity, taken"
    run_sql(store, f"INSERT INTO slots ({names}) VALUES (70, :day, :start, :end, 1, 1)", **day)
    yield
    run_sql(store, "DELETE FROM zones")


def times(page: Page) -> Locator:
    return page.get_by_role("group", name="Choose a time").get_by_role("radio")


def open_checkout_with(page: Page, quantity: int) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    add_to_cart_by_request(page, "Fern Hollow", quantity)
    page.goto("/checkout")
    expect(page.get_by_label("City", exact=True)).to_be_visible()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_time_is_chosen_by_keyboard_and_shown_on_the_order(
    new_page: Callable[..., Page], zone: None, size: tuple[int, int]
) -> None:
    page = new_page(size)
    open_checkout_with(page, 3)
    expect(times(page)).to_have_count(0)
    fill_checkout(page)
    page.get_by_label("Zip code", exact=True).blur()
    summary = page.get_by_role("complementary", name="Order summary")
    expect(summary.get_by_text("$12.00")).to_be_visible()
    any_time, full, few = (times(page).nth(index) for index in range(3))
    expect(any_time).to_be_checked()
    expect(full).to_be_disabled()
    expect(full).to_have_accessible_name(re.compile("Full$"))
    expect(few).to_have_accessible_name(re.compile("2 left$"))
    any_time.focus()
    page.keyboard.press("ArrowDown")
    expect(few).to_be_checked()
    chosen = summary.get_by_text(re.compile(r"^Delivery \w{3}, \w{3} \d\d, 5:00 PM to 7:00 PM\."))
    expect(chosen).to_be_visible()
    assert horizontal_overflow(page) == 0
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    expect(toast(page)).to_contain_text(re.compile(r"will be delivered \w{3}, \w{3} \d\d, 5:00 PM to 7:00 PM\."))
    page.get_by_role("button", name="View Details").click()
    page.wait_for_url("**/orders/*")
    main = page.get_by_role("main")
    expect(main.get_by_text(re.compile(r"Your door PIN is \d{4}\."))).to_be_visible()
    expect(main.get_by_text("Delivery time")).to_be_visible()
    expect(main.get_by_text(re.compile(r"5:00 PM to 7:00 PM\. Please have exactly"))).to_be_visible()
    expect(main.get_by_role("region", name="Cash to prepare")).to_contain_text(re.compile(r"Prepare \$.+ × \$"))
    assert horizontal_overflow(page) == 0


def test_outside_all_zones_the_checkout_says_so_and_no_order_is_placed(page: Page, zone: None) -> None:
    open_checkout_with(page, 3)
    fill_checkout(page, **{"Zip code": "97999"})
    page.get_by_label("Zip code", exact=True).blur()
    expect(page.get_by_text("We don't deliver to 97999 yet.").first).to_be_visible()
    expect(times(page)).to_have_count(0)
    place_button(page).click()
    expect(toast(page)).to_contain_text("We don't deliver to 97999 yet.")
    assert page.url.endswith("/checkout")


def test_the_total_of_a_zip_code_is_shown_before_anything_is_ordered_at_it(page: Page, zone: None) -> None:
    """The ZIP code is typed last, and left by the press itself."""
    socket = SocketProxy(page)
    open_checkout_with(page, 3)
    fill_checkout(page, **{"Zip code": "9720"})
    page.get_by_label("Zip code", exact=True).fill("97201")
    socket.hold_from = '"delta"'
    place_button(page).click()
    socket.wait_until_holding()
    socket.let_through()
    expect(page.get_by_role("alert").get_by_text("Please review the new total.")).to_be_visible()
    expect(page.get_by_role("complementary", name="Order summary").get_by_text("$12.00")).to_be_visible()
    assert page.request.get("/api/orders").json() == []
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")


def test_a_time_that_has_become_full_is_not_taken(page: Page, store: Store, zone: None) -> None:
    open_checkout_with(page, 3)
    fill_checkout(page)
    page.get_by_label("Zip code", exact=True).blur()
    times(page).nth(2).click()
    expect(times(page).nth(2)).to_be_checked()
    run_sql(store, "DELETE FROM windows WHERE id = 71")
    place_button(page).click()
    expect(page.get_by_role("alert").get_by_text("This delivery time is no longer free.")).to_be_visible()
    expect(times(page).first).to_be_checked()
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")


def test_an_order_whose_answer_is_lost_names_the_chosen_time(page: Page, zone: None) -> None:
    socket = SocketProxy(page)
    open_checkout_with(page, 3)
    fill_checkout(page)
    page.get_by_label("Zip code", exact=True).blur()
    times(page).nth(2).click()
    expect(times(page).nth(2)).to_be_checked()
    socket.cut_when = "checkout_state.place"
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders", timeout=20_000)
    expect(toast(page)).to_contain_text(re.compile(r"will be delivered \w{3}, \w{3} \d\d, 5:00 PM to 7:00 PM\."))
