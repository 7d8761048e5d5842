"""The admin page of the store's health."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, sign_in_by_request
from tests.e2e.conftest import BOTH_SIZES, Api
from tests.e2e.test_accessibility import expect_accessible
from tests.e2e.test_admin_settings import make_staff

pytestmark = [pytest.mark.browser, pytest.mark.staff]


def open_health(page: Page) -> Locator:
    sign_in_by_request(page, OWNER)
    page.goto("/admin/health")
    table = page.get_by_role("table", name="Parts of the store")
    expect(table).to_be_visible()
    return table


def test_parts_that_need_attention_come_first_and_say_what_to_do(page: Page) -> None:
    rows = open_health(page).get_by_role("row")
    expect(page.get_by_role("status").filter(has_text="attention.")).to_be_visible()
    backup = rows.filter(has_text="None has been made yet.")
    expect(backup).to_contain_text("Needs attention")
    expect(backup).to_contain_text("python -m marketplace_app backup")
    expect(rows.nth(1)).to_contain_text("Needs attention")
    expect(rows.filter(has_text="The identity provider answers.")).to_contain_text("OK")
    expect(rows.last).to_contain_text("OK")


def test_check_again_asks_anew(page: Page, api: Api) -> None:
    audit_trail = open_health(page).get_by_role("row").filter(has_text="Audit trail")
    [entries] = re.findall(r"Entries: [\d,]+\.", audit_trail.inner_text())
    make_staff(api, "support")  # adds an entry
    expect(audit_trail).to_contain_text(entries)
    page.get_by_role("button", name="Check Again").click()
    expect(audit_trail).to_contain_text("Entries: ")
    expect(audit_trail).not_to_contain_text(entries)


def test_users_without_permission_see_a_refusal(page: Page, api: Api) -> None:
    sign_in_by_request(page, make_staff(api, "support"))
    page.goto("/admin/health")
    refusal = "Your role is not allowed to see the health of the store. Ask an owner."
    expect(page.get_by_text(refusal)).to_be_visible()
    expect(page.get_by_role("link", name="Health")).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_it_is_accessible_and_fits(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    open_health(page)
    expect_accessible(page, "health")
