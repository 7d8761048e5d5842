"""The admin page of the audit trail: its wording, its filters in the URL, and the check of its chain."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, new_email, place_order_by_request, sign_in_by_request
from tests.e2e.conftest import BOTH_SIZES, Api
from tests.e2e.test_accessibility import expect_accessible
from tests.e2e.test_admin_settings import make_staff

pytestmark = [pytest.mark.browser, pytest.mark.staff]


@pytest.fixture
def placed(api: Api) -> dict[str, Any]:
    """An order that the owner has confirmed."""
    made = place_order_by_request(api(new_email()), "Whitfield")
    api(OWNER).put(f"/api/admin/orders/{made['id']}", json={"status": "confirmed"}).raise_for_status()
    return made


def open_trail(page: Page, filters: str = "") -> Locator:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/audit{filters}")
    table = page.get_by_role("table", name="Audit trail")
    expect(table).to_be_visible()
    return table


def expect_found(page: Page, words: str) -> None:
    expect(page.get_by_role("status").filter(has_text=re.compile(f"^{words}$"))).to_be_visible()


def test_entries_are_in_plain_words_and_link_to_their_subject(page: Page, placed: dict[str, Any]) -> None:
    table = open_trail(page, f"?subject=order:{placed['number']}")
    expect_found(page, "2 entries")
    rows = table.get_by_role("row")
    words = f"changed order {placed['number']}: pending → confirmed"
    expect(rows.nth(1)).to_contain_text("Olive Owner")
    expect(rows.nth(1).get_by_role("link", name=words)).to_have_attribute("href", f"/admin/orders/{placed['id']}")
    expect(rows.nth(2)).to_contain_text(f"placed order {placed['number']} for $")
    expect(rows.nth(1).get_by_text("order.status")).to_be_hidden()
    rows.nth(1).get_by_text("Details").first.click()
    expect(rows.nth(1).get_by_text("order.status")).to_be_visible()
    rows.nth(1).get_by_role("link", name=words).click()
    expect(page).to_have_url(re.compile(f"/admin/orders/{placed['id']}"))


def test_filters_are_in_the_url_and_back_removes_one(page: Page, placed: dict[str, Any]) -> None:
    open_trail(page)
    box = page.get_by_role("searchbox", name="Subject")
    box.fill(f"order:{placed['number']}")
    expect_found(page, "2 entries")
    expect(page).to_have_url(re.compile("subject=order"))
    page.get_by_label("What", exact=True).select_option("order.status")
    expect_found(page, "1 entry")
    page.get_by_label("Who", exact=True).select_option("The store")
    expect(page.get_by_text("No entries match.")).to_be_visible()
    page.go_back()
    expect_found(page, "1 entry")
    page.get_by_label("From", exact=True).fill("2031-01-01")
    expect(page.get_by_text("No entries match.")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile(r"/admin/audit$"))
    expect(box).to_have_value("")


def test_the_days_of_the_filter_are_labelled_on_the_screen(page: Page, placed: dict[str, Any]) -> None:
    open_trail(page)
    for label in ("From", "To"):
        expect(page.get_by_label(label, exact=True)).to_be_visible()
        expect(page.get_by_role("main").get_by_text(label, exact=True)).to_be_visible()


def test_an_invalid_url_shows_all_entries(page: Page, placed: dict[str, Any]) -> None:
    open_trail(page, "?actor=nobody&page=-3&dayFrom=soon")
    expect(page.get_by_text(f"placed order {placed['number']}").first).to_be_visible()


def test_the_chain_is_verified_on_request(page: Page, placed: dict[str, Any]) -> None:
    open_trail(page)
    page.get_by_role("button", name="Verify Chain").click()
    expect(page.get_by_role("status").filter(has_text="Chain verified: ")).to_contain_text("none changed or missing.")


def test_new_entries_are_pushed(page: Page, api: Api, placed: dict[str, Any]) -> None:
    table = open_trail(page)
    api(OWNER).put(f"/api/admin/orders/{placed['id']}", json={"status": "out_for_delivery"}).raise_for_status()
    expect(table.get_by_text(f"changed order {placed['number']}: confirmed → out for delivery")).to_be_visible(
        timeout=5_000
    )


def test_users_without_permission_see_a_refusal(page: Page, api: Api) -> None:
    sign_in_by_request(page, make_staff(api, "support"))
    page.goto("/admin/audit")
    expect(page.get_by_text("Your role is not allowed to see the audit trail. Ask an owner.")).to_be_visible()
    expect(page.get_by_role("link", name="Audit")).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_state_is_accessible_and_fits(
    new_page: Callable[..., Page], placed: dict[str, Any], size: tuple[int, int]
) -> None:
    page = new_page(size)
    table = open_trail(page)
    page.get_by_role("button", name="Verify Chain").click()
    expect(page.get_by_role("status").filter(has_text="Chain verified: ")).to_be_visible()
    table.get_by_text("Details").first.click()
    expect_accessible(page, "audit")
    page.goto("/admin/audit?action=account.deleted&actor=0")
    expect(page.get_by_text("No entries match.")).to_be_visible()
    expect_accessible(page, "audit, nothing found")
