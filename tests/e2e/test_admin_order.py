"""An order's admin page and its packing slip."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

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
def placed(api: Api) -> dict[str, Any]:
    return place_order_by_request(api(new_email()), "Whitfield")


def open_order(page: Page, order_id: str, suffix: str = "") -> None:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/orders/{order_id}{suffix}")


def test_the_page_shows_all_data_of_the_order(page: Page, placed: dict[str, Any]) -> None:
    open_order(page, placed["id"])
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Order {placed['number']}")
    expect(page.get_by_role("list", name="Products")).to_contain_text("Fern Hollow")
    expect(page.get_by_role("main")).to_contain_text(f"${placed['total']}")
    expect(page.get_by_role("main")).to_contain_text("Envelope under the mat.")
    expect(page.get_by_role("list", name="History")).to_contain_text("Pending")
    expect(page.get_by_role("list", name="Audit trail")).to_contain_text("Order placed")
    page.get_by_role("link", name="Nora Whitfield").click()
    expect(page).to_have_url(re.compile(r"/admin/users/\d+"))


def test_a_change_is_saved_with_its_author(page: Page, placed: dict[str, Any]) -> None:
    open_order(page, placed["id"])
    page.get_by_role("button", name="Edit Order").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Status").select_option("out_for_delivery")
    form.get_by_label("Contact phone").fill("503 555 0188")
    form.get_by_role("button", name="Save Changes").click()
    expect(toast(page)).to_contain_text("Order updated successfully")
    expect(page.get_by_role("heading", level=1)).to_contain_text("out for delivery")
    step = page.get_by_role("list", name="History").get_by_role("listitem").last
    expect(step).to_contain_text("Out for deliveryby Olive Owner")
    trail = page.get_by_role("list", name="Audit trail")
    expect(trail).to_contain_text("Status changed: pending to out for delivery")
    expect(trail).to_contain_text("Order edited: contact phone")
    expect(page.get_by_role("main")).to_contain_text("503 555 0188")


def test_a_change_from_elsewhere_is_pushed(page: Page, api: Api, placed: dict[str, Any]) -> None:
    open_order(page, placed["id"])
    expect(page.get_by_role("heading", level=1)).to_contain_text("pending")
    api(OWNER).put(f"/api/admin/orders/{placed['id']}", json={"status": "confirmed"}).raise_for_status()
    expect(page.get_by_role("heading", level=1)).to_contain_text("confirmed")


def test_a_reconnect_keeps_unsaved_changes(page: Page, placed: dict[str, Any]) -> None:
    socket = SocketProxy(page)
    open_order(page, placed["id"])
    page.get_by_role("button", name="Edit Order").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Contact phone").fill("503 555 0188")
    with page.expect_websocket():
        socket.cut()
    wait_for_requests(page)
    form.get_by_role("button", name="Save Changes").click()
    expect(toast(page)).to_contain_text("Order updated successfully")
    expect(page.get_by_role("main")).to_contain_text("503 555 0188")


def test_a_reload_closes_the_dialog(page: Page, placed: dict[str, Any]) -> None:
    open_order(page, placed["id"])
    page.get_by_role("button", name="Edit Order").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.reload()
    wait_for_requests(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Order {placed['number']}")


def test_a_deleted_order_is_gone(page: Page, placed: dict[str, Any]) -> None:
    open_order(page, placed["id"])
    page.get_by_role("button", name="Delete").click()
    question = page.get_by_role("dialog", name="Delete this order?")
    question.get_by_role("button", name="Keep Order").click()
    expect(question).to_be_hidden()
    page.get_by_role("button", name="Delete").click()
    question.get_by_role("button", name="Delete Order").click()
    expect(toast(page)).to_contain_text("Order deleted successfully")
    expect(page.get_by_role("link", name="All Orders")).to_be_visible()


def test_an_unknown_order_is_not_found(page: Page) -> None:
    open_order(page, "00000000-0000-4000-8000-000000000000")
    expect(page.get_by_role("link", name="All Orders")).to_be_visible()


def test_the_packing_slip_has_no_prices_but_the_cash_to_collect(page: Page, placed: dict[str, Any]) -> None:
    open_order(page, placed["id"])
    page.get_by_role("link", name="Packing Slip").click()
    expect(page.get_by_role("heading", level=1, name="Packing slip")).to_be_visible()
    sheet = page.get_by_role("main")
    expect(sheet.get_by_role("row").nth(1)).to_contain_text("3Fern Hollow")
    expect(sheet).to_contain_text("214 Larch Street")
    expect(sheet).to_contain_text("Side entrance.")
    assert re.findall(r"\$[\d.,]+", sheet.inner_text()) == [f"${placed['total']}"]
    page.evaluate("() => { window.print = () => { document.title = 'printed'; }; }")
    sheet.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    page.emulate_media(media="print")
    expect(sheet.get_by_role("button", name="Print")).to_be_hidden()
    expect(sheet.get_by_text("Cash to collect")).to_be_visible()


def test_the_slip_of_a_cancelled_order_collects_nothing(page: Page, api: Api, placed: dict[str, Any]) -> None:
    api(OWNER).put(f"/api/admin/orders/{placed['id']}", json={"status": "cancelled"}).raise_for_status()
    open_order(page, placed["id"], "/slip")
    expect(page.get_by_text("Cancelled. Do not deliver.")).to_be_visible()
    expect(page.get_by_text("Cash to collect")).to_be_hidden()


@pytest.mark.parametrize("size", BOTH_SIZES)
@pytest.mark.parametrize("suffix", ["", "/slip"], ids=["order", "slip"])
def test_the_page_is_accessible_and_fits(
    new_page: Callable[..., Page], placed: dict[str, Any], size: tuple[int, int], suffix: str
) -> None:
    page = new_page(size)
    open_order(page, placed["id"], suffix)
    expect(page.get_by_text("Side entrance.")).to_be_visible()
    expect_accessible(page, suffix or "order")
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
