"""`/admin/dispatch`: planning runs by the screen, live and by keyboard (RULE board-screen)."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.builders import draft
from tests.e2e.acts import OWNER, horizontal_overflow, new_email, run_sql, sign_in, toast
from tests.e2e.conftest import BOTH_SIZES, DESKTOP, Api, Store
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff, pytest.mark.usefixtures("no_runs")]
LONG = {"firstName": "Bartholomew", "lastName": "Featherstonehaugh-Cholmondeley-Majoribanks"}


def place(api: Api, **changes: object) -> int:
    """An order of somebody new; returns its number."""
    customer = api(new_email())
    customer.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).raise_for_status()
    [found] = customer.get("/api/products", params={"search": "Fern Hollow", "limit": 1}).json()
    items = {"items": [{"productId": found["id"], "quantity": 3}]}
    answer = customer.post("/api/orders", json=draft(**changes) | items)
    answer.raise_for_status()
    return int(answer.json()["number"])


def column(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def card(within: Locator, number: int) -> Locator:
    link = within.page.get_by_role("link", name=str(number), exact=True)
    return within.get_by_role("listitem").filter(has=link).last


def select(page: Page, number: int) -> None:
    """The server says which are checked."""
    checkbox = page.get_by_role("checkbox", name=f"Select order {number}")
    checkbox.click()
    expect(checkbox).to_be_checked()


def plan(page: Page, *numbers: int) -> None:
    for number in numbers:
        select(page, number)
    page.get_by_role("button", name="Plan New Run").click()
    form = page.get_by_role("form", name="Run")
    form.get_by_label("Driver").select_option(index=1)
    form.get_by_label("Vehicle").fill("White van")
    form.get_by_role("button", name="Plan Run").click()
    expect(form).to_be_hidden()


def in_sequence(within: Locator, *numbers: int) -> list[int]:
    """These numbers of orders from top to bottom."""
    shown = within.get_by_role("link").all_text_contents()  # also of cards that are not in sight
    return [int(each) for each in shown if each in map(str, numbers)]


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_orders_are_planned_reordered_by_keyboard_and_leave(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int]
) -> None:
    one, two = place(api, **LONG), place(api)
    page, other = new_page(size), new_page(DESKTOP)
    for each in (page, other):
        sign_in(each, OWNER, to="/admin/dispatch")
        expect(card(column(each, "Unplanned"), one)).to_be_visible()
    plan(page, one, two)
    planned = column(page, "Planned")
    expect(card(planned, two)).to_be_visible()
    assert in_sequence(planned, one, two) == [one, two]
    expect(card(column(other, "Planned"), one)).to_be_visible()
    expect(card(column(other, "Unplanned"), one)).to_have_count(0)
    later = planned.get_by_role("button", name=f"Move order {one} later")
    later.focus()
    page.keyboard.press("Enter")
    expect(later).to_have_attribute("aria-disabled", "true")
    expect(later).to_be_focused()
    assert in_sequence(planned, one, two) == [two, one]
    assert horizontal_overflow(page) == 0
    page.evaluate("window.scrollTo(0, 0)")  # so that what sticks to the top covers no button in part
    expect_accessible(page, "the dispatch board")
    run = (
        planned.get_by_role("listitem").filter(has=page.get_by_role("button", name="Depart")).filter(has_text=str(one))
    )
    run.get_by_role("button", name="Depart").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("leaves with 2 orders and collects")
    expect(question).not_to_contain_text("not for today")
    question.get_by_role("button", name="Depart").click()
    expect(toast(page)).to_contain_text("has left")
    expect(card(column(page, "Out"), two)).to_be_visible()
    expect(column(page, "Out")).to_be_focused()
    finish(api, one, two)
    expect(card(column(page, "Out"), one)).to_contain_text("Delivered")
    column(page, "Out").get_by_role("button", name="Close Run").first.click()
    expect(toast(page)).to_contain_text("is closed")
    expect(card(column(page, "Out"), one)).to_have_count(0)


def finish(api: Api, *numbers: int) -> None:
    owner = api(OWNER)
    for number in numbers:
        [order] = owner.get("/api/admin/orders", params={"q": str(number)}).json()
        owner.put(f"/api/admin/orders/{order['id']}", json={"status": "delivered"}).raise_for_status()


def test_an_order_is_taken_off_and_its_run_removed(page: Page, api: Api) -> None:
    one, two = place(api), place(api)
    sign_in(page, OWNER, to="/admin/dispatch")
    plan(page, one, two)
    planned = column(page, "Planned")
    planned.get_by_role("button", name=f"Take order {one} off the run").click()
    expect(card(column(page, "Unplanned"), one)).to_be_visible()
    select(page, one)
    title = card(planned, two).locator("xpath=ancestor::li[1]").get_by_role("heading").inner_text()
    page.get_by_label("Put the selected orders on").select_option(label=title)
    expect(card(planned, one)).to_be_visible()
    expect(page.get_by_text("1 selected")).to_be_hidden()
    planned.get_by_role("button", name=f"Remove {title}").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove Run").click()
    expect(card(column(page, "Unplanned"), one)).to_be_visible()
    expect(card(column(page, "Unplanned"), two)).to_be_visible()
    finish(api, one, two)


def test_what_a_colleague_did_first_is_said_and_shown(new_page: Callable[..., Page], api: Api) -> None:
    one = place(api)
    page, other = new_page(DESKTOP), new_page(DESKTOP)
    sign_in(page, OWNER, to="/admin/dispatch")
    select(page, one)
    page.get_by_role("button", name="Plan New Run").click()
    sign_in(other, OWNER, to="/admin/dispatch")
    plan(other, one)
    form = page.get_by_role("form", name="Run")
    form.get_by_label("Driver").select_option(index=0)
    form.get_by_role("button", name="Plan Run").click()
    expect(form.get_by_text("Choose a driver.")).to_be_visible()
    form.get_by_label("Driver").select_option(index=1)
    form.get_by_role("button", name="Plan Run").click()
    expect(toast(page)).to_contain_text(f"Order {one} is on run")
    page.keyboard.press("Escape")
    expect(card(column(page, "Planned"), one)).to_be_visible()
    finish(api, one)


def test_viewers_see_the_board_and_no_buttons(new_page: Callable[..., Page], api: Api) -> None:
    one, viewer = place(api), new_email()
    person = api(viewer).get("/api/auth/user").json()
    api(OWNER).put(f"/api/admin/users/{person['id']}/role", json={"role": "viewer"}).raise_for_status()
    page = new_page(DESKTOP)
    sign_in(page, viewer, to="/admin/dispatch")
    expect(card(column(page, "Unplanned"), one)).to_be_visible()
    main = page.get_by_role("main")
    expect(main.get_by_role("checkbox")).to_have_count(0)
    expect(main.get_by_role("button")).to_have_count(0)
    finish(api, one)


def run_of(api: Api, *numbers: int, days_ahead: int = 0) -> dict[str, Any]:
    """A new run of the owner's with these orders."""
    owner = api(OWNER)
    found = [owner.get("/api/admin/orders", params={"q": str(number)}).json()[0] for number in numbers]
    day = clock.today(get_settings().timezone) + timedelta(days=days_ahead)
    facts = {"day": day.isoformat(), "driverId": owner.get("/api/auth/user").json()["id"]}
    answer = owner.post("/api/admin/runs", json=facts | {"orderIds": [order["id"] for order in found]})
    answer.raise_for_status()
    return dict(answer.json())


def run_item(page: Page, run: dict[str, Any], in_column: str = "Planned") -> Locator:
    heading = page.get_by_role("heading", name=re.compile(rf"^Run {run['id']} "))
    return column(page, in_column).get_by_role("listitem").filter(has=heading)


def test_a_run_is_changed_and_gets_the_suggested_sequence(page: Page, api: Api) -> None:
    one, two = place(api), place(api)
    run = run_of(api, one, two)
    sign_in(page, OWNER, to="/admin/dispatch")
    item = run_item(page, run)
    item.get_by_role("button", name=re.compile("^Edit Run")).click()
    form = page.get_by_role("form", name="Run")
    form.get_by_label("Vehicle").fill("Green bicycle")
    form.get_by_role("button", name="Save Run").click()
    expect(item).to_contain_text("Green bicycle")
    item.get_by_role("button", name="Suggest a Sequence").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("straight-line distance between ZIP codes")
    question.get_by_role("button", name="Reorder Stops").click()
    expect(question).to_be_hidden()
    expect(item.get_by_role("button", name="Suggest a Sequence")).to_be_focused()
    finish(api, one, two)


def test_a_run_that_a_colleague_changed_meanwhile_is_not_overwritten(page: Page, api: Api) -> None:
    one, owner = place(api), api(OWNER)
    run = run_of(api, one)
    sign_in(page, OWNER, to="/admin/dispatch")
    item = run_item(page, run)
    item.get_by_role("button", name=re.compile("^Edit Run")).click()
    form = page.get_by_role("form", name="Run")
    expect(form).to_be_visible()
    theirs = {"day": run["day"], "driverId": run["driver"]["id"], "vehicle": "Green bicycle"}
    owner.put(f"/api/admin/runs/{run['id']}", json=theirs).raise_for_status()
    form.get_by_label("Vehicle").fill("White van")
    form.get_by_role("button", name="Save Run").click()
    changed = "Someone else has set this to “Green bicycle” in the meantime. Save again to replace it."
    expect(form.get_by_text(changed)).to_be_visible()
    expect(form.get_by_label("Vehicle")).to_have_value("White van")
    form.get_by_role("button", name="Save Run").click()
    expect(form).to_be_hidden()
    expect(item).to_contain_text("White van")
    finish(api, one)


def test_departing_on_another_day_than_planned_is_pointed_out(page: Page, api: Api) -> None:
    one = place(api)
    run = run_of(api, one, days_ahead=1)
    planned_for = f"planned for {clock.show_weekday(date.fromisoformat(run['day']))}, not for today."
    sign_in(page, OWNER, to="/admin/dispatch")
    run_item(page, run).get_by_role("button", name="Depart").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text(planned_for)
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    finish(api, one)


def test_taking_off_keeps_the_focus_in_the_run_and_says_so(page: Page, api: Api) -> None:
    one, two = place(api), place(api)
    run = run_of(api, one, two)
    sign_in(page, OWNER, to="/admin/dispatch")
    item = run_item(page, run)
    item.get_by_role("button", name=f"Move order {two} earlier").press("Enter")
    expect(page.get_by_role("status").filter(has_text=f"Order {two} is stop 1 of 2.")).to_be_attached()
    item.get_by_role("button", name=f"Take order {two} off the run").press("Enter")
    expect(page.get_by_role("status").filter(has_text=f"Order {two} taken off run {run['id']}.")).to_be_attached()
    expect(item.get_by_role("button", name=f"Take order {one} off the run")).to_be_focused()
    expect(item.get_by_role("button", name="Suggest a Sequence")).to_have_count(0)
    finish(api, one, two)


def test_nothing_moves_under_the_pointer_when_the_first_order_is_selected(page: Page, api: Api) -> None:
    one = place(api)
    sign_in(page, OWNER, to="/admin/dispatch")
    found = card(column(page, "Unplanned"), one)
    found.scroll_into_view_if_needed()
    page.wait_for_timeout(300)  # the browser lays out the cards in sight
    before = found.bounding_box()
    select(page, one)
    assert found.bounding_box() == before
    page.get_by_role("button", name="Deselect").click()
    expect(column(page, "Unplanned")).to_be_focused()
    finish(api, one)


def test_a_problem_is_released_with_a_reason_or_planned_again(page: Page, api: Api, store: Store) -> None:
    one, two = place(api), place(api)
    run = run_of(api, one, two)
    locked, failed = (stop["id"] for stop in run["stops"])
    api(OWNER).post(f"/api/admin/runs/{run['id']}/depart").raise_for_status()
    run_sql(store, "UPDATE run_stops SET wrong_pins = 5 WHERE id = :stop", stop=locked)
    fails = "UPDATE run_stops SET outcome = 'failed', failure = 'not_home', ended_at = :at WHERE id = :stop"
    run_sql(store, fails, at=datetime.now(UTC).replace(tzinfo=None), stop=failed)
    run_sql(store, "UPDATE orders SET status = 'confirmed' WHERE number = :number", number=two)
    sign_in(page, OWNER, to="/admin/dispatch")
    problems = column(page, "Problems")
    expect(card(problems, one)).to_contain_text("Locked after too many wrong PINs.")
    card(problems, one).get_by_role("button", name="Release").click()
    form = page.get_by_role("form", name="Release")
    form.get_by_role("button", name="Release").click()
    expect(form.get_by_text("Enter a reason")).to_be_visible()
    form.get_by_label("Reason").fill("The customer read the PIN to me")
    form.get_by_role("button", name="Release").click()
    expect(card(problems, one)).to_have_count(0)
    expect(run_item(page, run, "Out")).to_contain_text("Not delivered")
    card(problems, two).get_by_role("button", name="Plan Again").click()
    expect(page.get_by_role("dialog")).to_contain_text("New run with 1 order")
    again = page.get_by_role("form", name="Run")
    again.get_by_label("Driver").select_option(index=1)
    again.get_by_role("button", name="Plan Run").click()
    expect(card(column(page, "Planned"), two)).to_contain_text("Attempt 2")
    expect(card(problems, two)).to_have_count(0)
    finish(api, one, two)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_forty_stops_with_long_names_fit(new_page: Callable[..., Page], api: Api, size: tuple[int, int]) -> None:
    numbers = [place(api, **LONG) for _ in range(40)]
    run = run_of(api, *numbers)
    page = new_page(size)
    sign_in(page, OWNER, to="/admin/dispatch")
    item = run_item(page, run)
    expect(item.get_by_role("listitem")).to_have_count(40)
    assert horizontal_overflow(page) == 0
    last = card(item, numbers[-1])
    last.scroll_into_view_if_needed()
    shown, around = last.get_by_text("$").bounding_box(), column(page, "Planned").bounding_box()
    assert shown is not None and around is not None
    assert shown["x"] + shown["width"] <= around["x"] + around["width"]
    assert item.get_by_role("button", name=f"Take order {numbers[-1]} off the run").is_visible()
    page.evaluate("window.scrollTo(0, 0)")  # so that what sticks to the top covers no button in part
    expect_accessible(page, "forty stops")
    finish(api, *numbers)
