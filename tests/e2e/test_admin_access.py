"""Who may open the admin pages, and what everybody else sees (RULE admin-access)."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER, new_email, sign_in, sign_in_by_request
from tests.e2e.conftest import BOTH_SIZES
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]

TABS = ["Overview", "Orders", "Users", "Invitations", "Support"]


def test_a_guest_is_asked_to_sign_in_as_admin_and_comes_back(page: Page) -> None:
    page.goto("/admin")
    expect(page.get_by_role("heading", name="Admin Authentication Required", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Return to Home")).to_have_attribute("href", "/")
    expect_accessible(page, "admin, signed out")
    page.get_by_role("link", name="Log In as Admin").click()
    page.locator("input[name=sub]").fill(OWNER)
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url("**/admin")
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()


@pytest.mark.parametrize("path", ["/admin/cash", "/admin/audit?actor=0"])
def test_a_guest_comes_back_to_the_admin_page_that_they_opened(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_role("link", name="Log In as Admin").click()
    page.locator("input[name=sub]").fill(OWNER)
    page.get_by_role("button", name="Authorize").click()
    expect(page).to_have_url(re.compile(rf"{re.escape(path)}$"))
    expect(page.get_by_role("navigation", name="Admin")).to_be_visible()


def test_a_customer_sees_a_refusal_with_their_name(page: Page) -> None:
    email = new_email()
    sign_in(page, email, to="/admin")
    expect(page.get_by_role("heading", name="Admin Access Required", level=1)).to_be_visible()
    expect(page.get_by_text(f"Your account ({email}) doesn't have admin privileges.")).to_be_visible()
    expect(page.get_by_role("tab")).to_have_count(0)
    expect_accessible(page, "admin, not an admin")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_five_tabs_are_in_the_url_and_back_works(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    sign_in(page, OWNER, to="/admin")
    expect(page.get_by_role("tab")).to_have_count(5)
    for name in TABS:
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page).to_have_url(re.compile(rf"/admin\?tab={name.lower()}$"))
        expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("heading", name=re.compile(name, re.IGNORECASE), level=1)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("tab", name="Invitations")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("width", [320, 390, 768, 1023])
def test_links_of_the_navigation_do_not_overlap(new_page: Callable[..., Page], width: int) -> None:
    page = new_page((width, 900))
    sign_in_by_request(page, OWNER)
    page.goto("/admin/settings")
    rail = page.get_by_role("navigation", name="Admin")
    expect(rail.get_by_role("link", name="Settings")).to_be_in_viewport()
    edges = rail.get_by_role("link").evaluate_all(
        "(links) => links.map((link) => link.getBoundingClientRect()).map((box) => [box.left, box.right])"
    )
    visible = [edge for edge in edges if edge[0] != edge[1]]
    assert len(visible) > 10
    assert [pair for pair in pairwise(visible) if pair[0][1] > pair[1][0]] == []


def test_the_support_tab_opens_the_tickets_in_a_new_window(page: Page) -> None:
    sign_in_by_request(page, OWNER)
    page.goto("/admin?tab=support")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open Support Tickets").click()
    expect(popup.value).to_have_url(re.compile("/support$"))
    page.get_by_role("link", name="Return to Store").click()
    expect(page).to_have_url(re.compile("/$"))


def test_an_admin_page_reloaded_without_a_session_asks_to_sign_in(page: Page) -> None:
    sign_in_by_request(page, OWNER)
    page.goto("/admin?tab=orders")
    expect(page.get_by_role("heading", name="Orders", level=1)).to_be_visible()
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_role("heading", name="Admin Authentication Required")).to_be_visible()


def test_visitors_without_admin_access_see_the_shops_header(page: Page) -> None:
    page.goto("/admin")
    expect(page.get_by_role("heading", name="Admin Authentication Required")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="Stillroom, home")).to_be_visible()
    sign_in_by_request(page, new_email())
    page.goto("/admin/orders?status=pending")
    expect(page).to_have_url(re.compile(r"/admin\?tab=orders&status=pending$"))
    expect(page.get_by_role("heading", name="Admin Access Required")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="Stillroom, home")).to_be_visible()


def test_the_paths_of_the_lists_lead_to_their_tabs(page: Page) -> None:
    """RULE admin-navigation."""
    sign_in_by_request(page, OWNER)
    for name in ("Orders", "Users"):
        page.goto(f"/admin/{name.lower()}")
        expect(page).to_have_url(re.compile(rf"/admin\?tab={name.lower()}$"))
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
