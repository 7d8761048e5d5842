"""The orders tab: finding, sorting, editing, deleting, and many at once (RULE order-search)."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app.limits import UNDO_MS
from tests.e2e.acts import (
    OWNER,
    SocketProxy,
    new_email,
    place_order_by_request,
    sign_in_by_request,
    toast,
    wait_for_requests,
)
from tests.e2e.conftest import BOTH_SIZES, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]


@pytest.fixture
def family(api: Api) -> tuple[str, list[dict[str, Any]]]:
    """A unique last name, and three orders under it."""
    name = f"Q{uuid.uuid4().hex[:8]}"
    return name, [place_order_by_request(api(new_email()), name) for _ in range(3)]


def row(page: Page, placed: dict[str, Any]) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=placed["id"][:8], exact=True))


def open_list(page: Page, name: str = "") -> None:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=orders&q={name}")
    expect(page.get_by_role("table", name="Orders")).to_be_visible()


def test_an_order_is_found_by_name_number_and_either_end_of_its_id(
    page: Page, family: tuple[str, list[dict[str, Any]]]
) -> None:
    name, placed = family
    open_list(page)
    box = page.get_by_role("searchbox", name="Search orders")
    for words, count in (
        (name, "3 orders"),
        (str(placed[0]["number"]), "1 order"),
        (placed[1]["id"][:8], "1 order"),
        (placed[1]["id"][-8:], "1 order"),
        ("no such order", "0 orders"),
    ):
        box.fill(words)
        expect(page.get_by_role("status").filter(has_text=re.compile(f"^{count}$"))).to_be_visible()
    expect(page.get_by_text("No orders match.")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile(r"/admin\?tab=orders$"))
    expect(box).to_have_value("")


def test_filters_sorting_and_pages_are_in_the_url(page: Page, family: tuple[str, list[dict[str, Any]]]) -> None:
    name, placed = family
    open_list(page, name)
    page.get_by_role("columnheader", name="No.").get_by_role("button").click()
    expect(page).to_have_url(re.compile("sort=number"))
    expect(page.get_by_role("columnheader", name="No.")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("columnheader", name="No.").get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="No.")).to_have_attribute("aria-sort", "ascending")
    expect(page.get_by_role("row").nth(1)).to_contain_text(placed[0]["id"][:8])
    page.get_by_role("button", name=re.compile("^delivered")).click()
    expect(page.get_by_text("No orders match.")).to_be_visible()
    page.go_back()
    expect(row(page, placed[0])).to_be_visible()
    page.get_by_label("Placed from").fill("2031-01-01")
    expect(page.get_by_text("No orders match.")).to_be_visible()


def test_a_day_is_typed_key_by_key(page: Page, family: tuple[str, list[dict[str, Any]]]) -> None:
    """A date has a value from the first digit of its year on: 0002-11-20."""
    name, placed = family
    open_list(page, name)
    expect(row(page, placed[0])).to_be_visible()
    day = page.get_by_label("Placed from")
    day.click(position={"x": 12, "y": 12})
    page.keyboard.type("11202031", delay=300)
    expect(page).to_have_url(re.compile("placedFrom=2031-11-20"))
    expect(page.get_by_text("No orders match.")).to_be_visible()
    expect(day).to_have_value("2031-11-20")
    expect(toast(page)).to_have_count(0)
    page.get_by_role("button", name="Clear").click()
    expect(day).to_have_value("")
    expect(page.get_by_label("Placed to")).to_have_value("")


def test_an_edit_is_saved_and_the_customer_sees_it(
    page: Page, api: Api, family: tuple[str, list[dict[str, Any]]]
) -> None:
    name, placed = family
    open_list(page, name)
    edit = page.get_by_role("button", name=f"Edit order {placed[0]['number']}")
    edit.click()
    form = page.get_by_role("dialog")
    expect(form.get_by_label("Contact phone")).to_have_value("503 555 0142")
    form.get_by_label("Contact phone").fill("12")
    form.get_by_role("button", name="Save Changes").click()
    expect(toast(page)).to_contain_text("Error")
    expect(form.get_by_label("Contact phone")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Contact phone").fill("503 555 0199")
    form.get_by_label("Status").select_option("confirmed")
    form.get_by_label("Estimated delivery").fill("2031-03-04T10:30")
    form.get_by_role("button", name="Save Changes").click()
    expect(toast(page)).to_contain_text("Order updated successfully")
    expect(form).to_be_hidden()
    expect(edit).to_be_focused()
    expect(row(page, placed[0])).to_contain_text("confirmed")
    changed = api(OWNER).get(f"/api/admin/orders/{placed[0]['id']}").json()
    assert (changed["contactPhone"], changed["estimatedDelivery"]) == ("503 555 0199", "2031-03-04T18:30:00Z")


def test_the_late_answer_of_a_search_leaves_the_dialog_open(
    page: Page, family: tuple[str, list[dict[str, Any]]]
) -> None:
    name, placed = family
    socket = SocketProxy(page)
    open_list(page, name)
    expect(row(page, placed[0])).to_be_visible()
    socket.hold_from = "_redirect"
    page.get_by_role("searchbox", name="Search orders").fill(f"Nora {name}")
    socket.wait_until_holding()
    page.get_by_role("button", name=f"Edit order {placed[0]['number']}").click()
    socket.let_through()
    expect(page).to_have_url(re.compile("q=Nora"))
    form = page.get_by_role("dialog")
    form.get_by_label("Delivery instructions").fill("Ring twice.")
    wait_for_requests(page)
    expect(form.get_by_label("Delivery instructions")).to_have_value("Ring twice.")
    page.keyboard.press("Escape")
    page.goto("/admin?tab=users")
    page.go_back()
    expect(row(page, placed[0])).to_be_visible()
    expect(form).to_be_hidden()


def test_an_order_is_deleted_after_a_confirmation(
    page: Page, api: Api, family: tuple[str, list[dict[str, Any]]]
) -> None:
    name, placed = family
    open_list(page, name)
    bin_button = page.get_by_role("button", name=f"Delete order {placed[0]['number']}")
    bin_button.click()
    question = page.get_by_role("dialog", name="Delete this order?")
    question.get_by_role("button", name="Keep Order").click()
    expect(question).to_be_hidden()
    expect(row(page, placed[0])).to_be_visible()
    bin_button.click()
    question.get_by_role("button", name="Delete Order").click()
    expect(toast(page)).to_contain_text("Order deleted successfully")
    expect(row(page, placed[0])).to_have_count(0)
    assert api(OWNER).get(f"/api/admin/orders/{placed[0]['id']}").status_code == 404


def test_many_orders_are_changed_after_a_preview(
    page: Page, api: Api, family: tuple[str, list[dict[str, Any]]]
) -> None:
    name, placed = family
    open_list(page, name)
    for each in placed[:2]:
        page.get_by_label(f"Pick order {each['number']}").check()
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.get_by_label("Set status").select_option("out_for_delivery")
    preview = page.get_by_role("dialog")
    expect(preview.get_by_text("2 orders change.")).to_be_visible()
    assert api(OWNER).get(f"/api/admin/orders/{placed[0]['id']}").json()["status"] == "pending"
    preview.get_by_role("button", name="Apply").click()
    expect(toast(page)).to_contain_text("2 orders updated successfully")
    expect(row(page, placed[0])).to_contain_text("out for delivery")
    expect(row(page, placed[2])).to_contain_text("pending")
    expect(page.get_by_text("2 selected")).to_be_hidden()
    box_for_all = page.get_by_label("Pick every order of this page")
    box_for_all.check()
    expect(page.get_by_text("3 selected")).to_be_visible()
    page.get_by_label(f"Pick order {placed[0]['number']}").uncheck()
    expect(page.get_by_text("2 selected")).to_be_visible()
    expect(box_for_all).not_to_be_checked()
    page.get_by_label(f"Pick order {placed[0]['number']}").check()
    expect(page.get_by_text("3 selected")).to_be_visible()
    expect(box_for_all).to_be_checked()
    page.get_by_role("button", name="Deselect").click()
    expect(page.get_by_text("3 selected")).to_be_hidden()


def test_a_new_order_is_pushed_and_announced(page: Page, api: Api) -> None:
    open_list(page)
    placed = place_order_by_request(api(new_email()), "Whitfield")
    expect(row(page, placed)).to_be_visible(timeout=5_000)
    expect(page.get_by_role("status").filter(has_text=f"New order {placed['number']} from Nora")).to_be_attached()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_state_is_accessible_and_fits(
    new_page: Callable[..., Page],
    family: tuple[str, list[dict[str, Any]]],
    size: tuple[int, int],
) -> None:
    name, placed = family
    page = new_page(size)
    open_list(page, name)
    expect_accessible(page, "orders")
    page.get_by_label(f"Pick order {placed[0]['number']}").check()
    page.get_by_label("Set status").select_option("cancelled")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect_accessible(page, "orders, many at once")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=f"Edit order {placed[0]['number']}").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect_accessible(page, "orders, editing")


def test_one_click_sets_the_next_status_and_another_undoes_it(page: Page, api: Api) -> None:
    name = f"Step{uuid.uuid4().hex[:8]}"
    number = place_order_by_request(api(new_email()), name)["number"]
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=orders&q={name}")
    listed = page.get_by_role("row").filter(has_text=name)
    for label, status in (("Confirm", "confirmed"), ("Send out", "out for delivery"), ("Mark delivered", "delivered")):
        step = listed.get_by_role("button", name=f"{label}: order {number}")
        step.focus()
        step.press("Enter")
        expect(listed).to_contain_text(status)
        expect(page.get_by_role("status").filter(has_text="is now")).to_contain_text(f"Order {number} is now {status}.")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    undo.press("Enter")
    expect(listed).to_contain_text("out for delivery")
    expect(page.get_by_text(f"Order {number} is out for delivery again.")).to_be_visible()
    expect(undo).to_have_count(0)
    listed.get_by_role("button", name=f"Mark delivered: order {number}").click()
    expect(undo).to_be_visible()
    page.reload()
    expect(listed).to_contain_text("delivered")
    expect(undo).to_have_count(0)


def press_again_as_double_click(page: Page) -> None:
    """The second press of a double click, wherever the pointer is."""
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


def test_a_double_click_is_one_step(page: Page, api: Api) -> None:
    """About one round trip after the first press, the button in its place names the next step."""
    name = f"Twice{uuid.uuid4().hex[:8]}"
    placed = place_order_by_request(api(new_email()), name)
    number, main = placed["number"], page.get_by_role("main")
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=orders&q={name}")
    main.get_by_role("button", name=f"Confirm: order {number}").click()
    expect(main.get_by_role("button", name=f"Send out: order {number}")).to_be_visible()
    press_again_as_double_click(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text(f"Order {number} is pending again.")).to_be_visible()
    page.goto(f"/admin/orders/{placed['id']}")
    main.get_by_role("button", name="Confirm").click()
    expect(main.get_by_role("button", name="Send out")).to_be_visible()
    press_again_as_double_click(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text(f"Order {number} is pending again.")).to_be_visible()


def test_undo_stays_while_it_is_focused_or_under_the_pointer(page: Page, api: Api) -> None:
    name = f"Held{uuid.uuid4().hex[:8]}"
    number = place_order_by_request(api(new_email()), name)["number"]
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=orders&q={name}")
    step = page.get_by_role("button", name=f"Confirm: order {number}")
    expect(step).to_be_visible()
    page.clock.install()
    step.click()
    undo = page.get_by_role("button", name="Undo")
    undo.focus()
    undo.hover()
    page.mouse.move(0, 0)
    page.clock.run_for(UNDO_MS + 1_000)
    expect(undo).to_be_focused()
    undo.hover()
    undo.blur()
    page.clock.run_for(UNDO_MS + 1_000)
    expect(undo).to_be_visible()
    page.mouse.move(0, 0)
    page.clock.run_for(UNDO_MS + 1_000)
    expect(undo).to_have_count(0)


def test_pending_orders_are_worked_through_with_enter_alone(page: Page, api: Api) -> None:
    name = f"Keys{uuid.uuid4().hex[:8]}"
    numbers = [place_order_by_request(api(new_email()), name)["number"] for _ in range(3)][::-1]
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=orders&status=pending&q={name}")
    page.get_by_role("button", name=f"Confirm: order {numbers[0]}").focus()
    for number in numbers:
        expect(page.get_by_role("button", name=f"Confirm: order {number}")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"Order {number} is now confirmed.")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name=f"Confirm: order {numbers[-1]}")).to_be_focused()
    expect(page.get_by_text(f"Order {numbers[-1]} is pending again.")).to_be_visible()


def test_a_step_does_not_overwrite_another_users_change(page: Page, api: Api) -> None:
    placed = place_order_by_request(api(new_email()), "Whitfield")
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/orders/{placed['id']}")
    main = page.get_by_role("main")
    main.get_by_role("button", name="Confirm").click()
    expect(main.get_by_role("button", name="Send out")).to_be_visible()
    expect(page.get_by_text(f"Order {placed['number']} is now confirmed.")).to_be_visible()
    api(OWNER).put(f"/api/admin/orders/{placed['id']}", json={"status": "cancelled"}).raise_for_status()
    expect(main.get_by_role("button", name="Send out")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(toast(page)).to_contain_text("Somebody else has changed this order.")
    expect(main).to_contain_text("cancelled")


def test_an_order_links_to_the_tickets_about_it(page: Page, api: Api) -> None:
    customer = api(new_email())
    placed = place_order_by_request(customer, "Whitfield")
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/orders/{placed['id']}")
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", name=f"Order {placed['number']}")).to_be_visible()
    expect(main.get_by_role("list", name="Tickets")).to_have_count(0)
    body = {"subject": "Which door?", "message": "The bell is broken.", "orderId": placed["id"]}
    customer.post("/api/support/tickets", json=body).raise_for_status()
    ticket = main.get_by_role("list", name="Tickets").get_by_role("listitem")
    expect(ticket).to_contain_text("Open")
    ticket.get_by_role("link", name="Which door?").click()
    expect(page).to_have_url(re.compile(r"/support\?ticket="))
    expect(page.get_by_role("heading", name="Which door?")).to_be_visible()
