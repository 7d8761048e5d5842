"""`/admin/delivery`: zones, windows and closed days by the screen (RULE delivery-admin)."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER, SocketProxy, horizontal_overflow, run_sql, sign_in, toast
from tests.e2e.conftest import BOTH_SIZES, Store

pytestmark = [pytest.mark.browser, pytest.mark.staff]


@pytest.fixture(autouse=True)
def no_zones(store: Store) -> Iterator[None]:
    """None is left for the next test."""
    yield
    run_sql(store, "DELETE FROM zones")
    run_sql(store, "DELETE FROM closures")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_an_owner_adds_a_zone_edits_it_and_removes_it_with_its_windows(
    new_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in(page, OWNER, to="/admin/delivery")
    expect(page.get_by_text("No zones yet.")).to_be_visible()
    page.get_by_role("button", name="Add Zone").click()
    form = page.get_by_role("form", name="Zone")
    form.get_by_label("Zone", exact=True).fill("East side")
    form.get_by_label("Fee, $").fill("12")
    for wrong, said in (
        ("97201, 97202\n9720", "'9720' is not a ZIP code: five digits are expected."),
        ("9720; x 97201", "'9720' and 'x' are not ZIP codes: five digits each are expected."),
        ("97201 - 97210", "97201-97210 is a range: please write each of its ZIP codes."),
    ):
        form.get_by_label("ZIP codes").fill(wrong)
        form.get_by_role("button", name="Add Zone").click()
        expect(form.get_by_text(said)).to_be_visible()
    form.get_by_label("ZIP codes").fill("97201, 97202\n97203-1234;97201")
    form.get_by_role("button", name="Add Zone").click()
    zones = page.get_by_role("list", name="Zones")
    expect(zones.get_by_text("Fee $12.00 · minimum (shop default) · free from (shop default)")).to_be_visible()
    expect(zones.get_by_text("3 ZIP codes: 97201, 97202, 97203")).to_be_visible()
    zones.get_by_role("button", name="Edit East side").click()
    expect(form.get_by_label("Fee, $")).to_have_value("12.00")
    form.get_by_label("Minimum, $").fill("150")
    form.get_by_role("button", name="Save Zone").click()
    expect(zones.get_by_text("minimum $150.00")).to_be_visible()
    expect(zones.get_by_role("button", name="Edit East side")).to_be_focused()
    page.get_by_role("button", name="Add Window").click()
    window = page.get_by_role("form", name="Window")
    window.get_by_label("Opens").fill("17:00")
    window.get_by_label("Closes").fill("5 pm")
    window.get_by_role("button", name="Add Window").click()
    expect(window.get_by_text("Choose at least one day.")).to_be_visible()
    window.get_by_label("Friday").check()
    window.get_by_label("Saturday").check()
    window.get_by_role("button", name="Add Window").click()
    expect(window.get_by_text("A time such as 09:30 is expected.")).to_be_visible()
    window.get_by_label("Closes").fill("19:00")
    window.get_by_label("Closes").blur()
    expect(window.get_by_text("One driver can deliver about 9 orders in this window, two about 18.")).to_be_visible()
    window.get_by_role("button", name="Add Window").click()
    listed = page.get_by_text("East side, 17:00 to 19:00: 10 orders, until 120 min before")
    expect(listed).to_have_count(2)
    page.get_by_role("button", name=re.compile("^Edit East side, 17:00")).first.click()
    expect(page.get_by_role("heading", name="East side, Friday")).to_be_visible()
    window.get_by_label("Closes").fill("20:30")
    window.get_by_label("Orders").fill("12")
    window.get_by_role("button", name="Save Window").click()
    expect(page.get_by_text("East side, 17:00 to 20:30: 12 orders, until 120 min before")).to_be_visible()
    expect(listed).to_have_count(1)
    day = page.get_by_role("form", name="Closed day")
    day.get_by_label("Day", exact=True).fill("2030-12-25")
    day.get_by_label("Reason").fill("Christmas")
    day.get_by_role("button", name="Close Day").click()
    expect(page.get_by_role("list", name="Closed days")).to_contain_text("2030-12-25 Christmas")
    assert horizontal_overflow(page) == 0
    page.get_by_role("button", name="Open 2030-12-25 again").click()
    expect(page.get_by_text("No closed days.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Remove East side, 17:00 to 20:30")).click()
    expect(page.get_by_text("East side, 17:00 to 20:30")).to_have_count(0)
    zones.get_by_role("button", name="Remove East side").click()
    asked = page.get_by_role("dialog", name="Remove East side?")
    expect(asked).to_contain_text("It is removed with 3 ZIP codes and 1 window. Without zones, you deliver everywhere")
    asked.get_by_role("button", name="Keep Zone").click()
    expect(zones.get_by_role("button", name="Remove East side")).to_be_focused()
    zones.get_by_role("button", name="Remove East side").click()
    asked.get_by_role("button", name="Remove Zone").click()
    expect(page.get_by_text("No zones yet.")).to_be_visible()
    expect(listed).to_have_count(0)
    expect(toast(page)).to_contain_text("Delivery updated")


def test_what_a_colleague_changed_meanwhile_is_marked_and_replaced_by_a_second_press(page: Page, store: Store) -> None:
    run_sql(store, "INSERT INTO zones (id, name, fee_cents) VALUES (7, 'East side', 1200)")
    run_sql(store, "INSERT INTO zone_zips (zip_code, zone_id) VALUES ('97201', 7)")
    names = "id, zone_id, weekday, opens_minute, closes_minute, cutoff_minutes, capacity"
    run_sql(store, f"INSERT INTO windows ({names}) VALUES (70, 7, 4, 1020, 1140, 0, 10)")
    sign_in(page, OWNER, to="/admin/delivery")
    page.get_by_role("button", name=re.compile("^Edit East side, 17:00")).click()
    window = page.get_by_role("form", name="Window")
    expect(window.get_by_label("Orders")).to_have_value("10")
    run_sql(store, "UPDATE windows SET capacity = 8 WHERE id = 70")
    window.get_by_label("Orders").fill("12")
    window.get_by_role("button", name="Save Window").click()
    expect(
        window.get_by_text("Someone else has set this to “8” in the meantime. Save again to replace it.")
    ).to_be_visible()
    window.get_by_role("button", name="Save Window").click()
    expect(page.get_by_text("East side, 17:00 to 19:00: 12 orders, until 0 min before")).to_be_visible()
    page.get_by_role("button", name="Edit East side", exact=True).click()
    zone = page.get_by_role("form", name="Zone")
    expect(zone.get_by_label("Fee, $")).to_have_value("12.00")
    run_sql(store, "DELETE FROM zones")
    zone.get_by_role("button", name="Save Zone").click()
    expect(toast(page)).to_contain_text("Zone not found.")
    expect(page.get_by_text("No zones yet.")).to_be_visible()


@pytest.mark.parametrize(
    ("form", "field", "typed"), [("Zone", "ZIP codes", "97201 97202"), ("Window", "Opens", "17:00")]
)
def test_a_reconnect_keeps_the_open_dialog_and_what_was_typed(
    page: Page, store: Store, form: str, field: str, typed: str
) -> None:
    socket = SocketProxy(page)
    run_sql(store, "INSERT INTO zones (id, name) VALUES (7, 'East side')")
    sign_in(page, OWNER, to="/admin/delivery")
    page.get_by_role("button", name=f"Add {form}").click()
    input_ = page.get_by_role("form", name=form).get_by_label(field)
    input_.fill(typed)
    with page.expect_websocket():
        socket.cut()
    run_sql(store, "UPDATE zones SET name = 'West side'")  # shown once the page has loaded again
    expect(page.locator("#zones")).to_contain_text("West side")  # behind the dialog
    expect(input_).to_have_value(typed)
    page.goto("/admin/products")
    page.goto("/admin/delivery")
    expect(page.locator("#zones")).to_contain_text("West side")
    expect(input_).to_have_count(0)
