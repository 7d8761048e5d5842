"""`/admin/delivery`: zones, windows and closed days by the screen (RULE delivery-admin)."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import horizontal_overflow, run_sql, sign_in, toast
from tests.e2e.conftest import DESKTOP, PHONE, Store

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def no_zones(store: Store) -> Iterator[None]:
    yield
    run_sql(store, "DELETE FROM zones")
    run_sql(store, "DELETE FROM closures")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_an_owner_makes_edits_and_removes_a_zone_with_its_windows(
    new_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in(page, "owner@example.com", to="/admin/delivery")
    expect(page.get_by_text("No zones yet.")).to_be_visible()
    form = page.get_by_role("form", name="Zone")
    form.get_by_label("Zone", exact=True).fill("East side")
    form.get_by_label("Fee, $").fill("12")
    form.get_by_label("ZIP codes").fill("97201, 97202\n9720")
    form.get_by_role("button", name="Add Zone").click()
    expect(form.get_by_text("'9720' is not a ZIP code: five digits are expected.")).to_be_visible()
    form.get_by_label("ZIP codes").fill("97201, 97202\n97203-1234")
    form.get_by_role("button", name="Add Zone").click()
    zones = page.get_by_role("list", name="Zones")
    expect(zones.get_by_text("Fee $12.00 · minimum the shop's · free from the shop's")).to_be_visible()
    expect(zones.get_by_text("3 ZIP codes: 97201, 97202, 97203")).to_be_visible()
    zones.get_by_role("button", name="Edit East side").click()
    expect(form.get_by_label("Fee, $")).to_have_value("12.00")
    form.get_by_label("Minimum, $").fill("150")
    form.get_by_role("button", name="Save Zone").click()
    expect(zones.get_by_text("minimum $150.00")).to_be_visible()
    window = page.get_by_role("form", name="Window")
    window.get_by_label("Weekday").select_option("Friday")
    window.get_by_label("Opens").fill("17:00")
    window.get_by_label("Closes").fill("5 pm")
    window.get_by_role("button", name="Add Window").click()
    expect(window.get_by_text("A time such as 09:30 is expected.")).to_be_visible()
    window.get_by_label("Closes").fill("19:00")
    window.get_by_role("button", name="Add Window").click()
    expect(page.get_by_text("East side, 17:00 to 19:00: 10 orders, until 120 min before")).to_be_visible()
    day = page.get_by_role("form", name="Closed day")
    day.get_by_label("Day", exact=True).fill("2030-12-25")
    day.get_by_label("Reason").fill("Christmas")
    day.get_by_role("button", name="Close Day").click()
    expect(page.get_by_role("list", name="Closed days")).to_contain_text("2030-12-25 Christmas")
    assert horizontal_overflow(page) == 0
    page.get_by_role("button", name="Open 2030-12-25 again").click()
    expect(page.get_by_text("No closed days.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Remove East side, 17:00")).click()
    expect(page.get_by_text("East side, 17:00 to 19:00")).to_have_count(0)
    zones.get_by_role("button", name="Remove East side").click()
    expect(page.get_by_text("No zones yet.")).to_be_visible()
    expect(toast(page)).to_contain_text("Delivery updated")
