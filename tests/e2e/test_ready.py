"""'Ready for your delivery?' on an order's page: yes, another time, cancel (RULE ready-panel)."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.builders import draft
from tests.e2e.acts import horizontal_overflow, new_email, run_sql, sign_in_as_adult, toast
from tests.e2e.conftest import BOTH_SIZES, Store

pytestmark = pytest.mark.browser
EARLY, LATE = "5:00 PM to 7:00 PM", "8:00 PM to 9:00 PM"


@pytest.fixture
def zone(store: Store) -> Iterator[None]:
    """97201, from five to seven every day, and from eight to nine the day after tomorrow, with one place."""
    day_after = clock.today(get_settings().timezone) + timedelta(days=2)
    names = "id, zone_id, weekday, opens_minute, closes_minute, cutoff_minutes, capacity"
    run_sql(store, "INSERT INTO zones (id, name) VALUES (7, 'East side')")
    run_sql(store, "INSERT INTO zone_zips (zip_code, zone_id) VALUES ('97201', 7)")
    for weekday in range(7):
        run_sql(store, f"INSERT INTO windows ({names}) VALUES ({70 + weekday}, 7, {weekday}, 1020, 1140, 0, 50)")
    run_sql(store, f"INSERT INTO windows ({names}) VALUES (80, 7, {day_after.weekday()}, 1200, 1260, 0, 1)")
    yield
    run_sql(store, "DELETE FROM zones")


def slot_tomorrow() -> str:
    """The id of tomorrow's slot from five to seven."""
    day = clock.today(get_settings().timezone) + timedelta(days=1)
    return f"{70 + day.weekday()}-{day.isoformat()}"


def place(page: Page, slot: str) -> str:
    """Places an order, and returns the path of its page."""
    [found] = page.request.get("/api/products", params={"search": "Fern Hollow", "limit": 1}).json()
    items = [{"productId": found["id"], "quantity": 3}]
    answer = page.request.post("/api/orders", data=draft(items=items, slotId=slot))
    assert answer.ok, answer.text()
    return f"/orders/{answer.json()['id']}"


def confirm_and_ask(store: Store, path: str) -> None:
    """As if staff had confirmed the order, and the customer had been asked."""
    values = {"id": path.rpartition("/")[2], "at": "2026-01-01 00:00:00"}
    changes = "order_id, from_status, to_status, created_at"
    run_sql(store, "UPDATE orders SET status = 'confirmed' WHERE id = :id", id=values["id"])
    run_sql(store, f"INSERT INTO order_status_changes ({changes}) VALUES (:id, 'pending', 'confirmed', :at)", **values)
    run_sql(store, "UPDATE order_deliveries SET ready_asked_at = :at WHERE order_id = :id", **values)


def question(page: Page) -> Locator:
    return page.get_by_role("region", name="Ready for your delivery?")


def other_times(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Another time")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_yes_is_said_on_the_page_and_shown_in_another_tab(
    new_page: Callable[..., Page], store: Store, zone: None, size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email(), to=None)
    path = place(page, slot_tomorrow())
    page.goto(path)
    expect(page.get_by_role("button", name="Cancel Order")).to_be_visible()
    expect(question(page)).to_have_count(0)
    confirm_and_ask(store, path)
    page.reload()
    expect(question(page)).to_contain_text(re.compile(rf"It comes \w{{3}}, \w{{3}} \d\d, {EARLY}\."))
    expect(question(page)).to_contain_text(re.compile(r"your ID and exactly \$\d+\.\d\d in cash"))
    for name in ("Another time", "Cancel Order"):
        expect(page.get_by_role("button", name=name)).to_have_count(1)
    assert horizontal_overflow(page) == 0
    other = page.context.new_page()
    other.goto(path)
    expect(question(other)).to_be_visible()
    question(page).get_by_role("button", name="Yes, I'm ready").click()
    expect(toast(page)).to_contain_text("We know that you are ready.")
    for tab in (page, other):
        expect(tab.get_by_role("main").get_by_text("You said that you are ready.")).to_be_visible()
        expect(question(tab)).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_another_time_is_chosen_by_keyboard(
    new_page: Callable[..., Page], store: Store, zone: None, size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email(), to=None)
    path = place(page, slot_tomorrow())
    confirm_and_ask(store, path)
    page.goto(path)
    question(page).get_by_role("button", name="Another time").press("Enter")
    dialog = other_times(page)
    expect(dialog).to_contain_text(re.compile(rf"Now: \w{{3}}, \w{{3}} \d\d, {EARLY}"))
    save = dialog.get_by_role("button", name="Change Time")
    expect(save).to_have_attribute("aria-disabled", "true")
    late = dialog.get_by_role("radio", name=re.compile(LATE)).first
    late.press("Space")
    expect(late).to_be_checked()
    assert horizontal_overflow(page) == 0
    save.press("Enter")
    expect(toast(page)).to_contain_text(re.compile(rf"will be delivered \w{{3}}, \w{{3}} \d\d, {LATE}\."))
    expect(dialog).to_have_count(0)
    expect(question(page)).to_have_count(0)
    expect(page.get_by_role("main").get_by_text(re.compile(rf"{LATE}\. Please have exactly"))).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("button", name="Another time")).to_be_visible()


def test_a_time_that_has_become_full_is_not_taken(page: Page, store: Store, zone: None) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    path = place(page, slot_tomorrow())
    page.goto(path)
    page.get_by_role("button", name="Another time").click()
    dialog = other_times(page)
    late = dialog.get_by_role("radio", name=re.compile(LATE)).first
    late.click()
    expect(late).to_be_checked()
    day = clock.today(get_settings().timezone) + timedelta(days=2)
    place(page, f"80-{day.isoformat()}")
    dialog.get_by_role("button", name="Change Time").click()
    expect(dialog.get_by_role("alert")).to_contain_text("This delivery time is no longer free.")
    expect(late).to_be_disabled()
    expect(dialog.get_by_role("button", name="Change Time")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Another time")).to_be_focused()
    expect(page.get_by_role("main").get_by_text(re.compile(rf"{EARLY}\. Please have exactly"))).to_be_visible()


def test_a_customer_who_was_asked_can_cancel_a_confirmed_order(page: Page, store: Store, zone: None) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    path = place(page, slot_tomorrow())
    confirm_and_ask(store, path)
    page.goto(path)
    question(page).get_by_role("button", name="Cancel Order").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("It has not left yet, so you can still cancel it.")
    dialog.get_by_role("button", name="Cancel Order").click()
    expect(page.get_by_text("This order was cancelled.")).to_be_visible()
    expect(question(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Another time")).to_have_count(0)


def test_an_order_that_has_left_meanwhile_says_so(page: Page, store: Store, zone: None) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    path = place(page, slot_tomorrow())
    page.goto(path)
    expect(page.get_by_role("button", name="Another time")).to_be_visible()
    run_sql(store, "UPDATE orders SET status = 'out_for_delivery' WHERE id = :id", id=path.rpartition("/")[2])
    page.get_by_role("button", name="Another time").click()
    expect(toast(page)).to_contain_text("This order is on its way already, or has ended.")
    expect(page.get_by_role("button", name="Another time")).to_have_count(0)
    expect(page.get_by_text("On its way.")).to_be_visible()
