"""The header, which is on every screen (RULE header)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER, add_to_cart_by_request, expect_found, new_email, pass_age_gate, sign_in_as_adult
from tests.e2e.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

MEMBER_LINKS = {"FAQ": "/faq", "Support": "/support", "Account": "/account"}


def test_a_guest_has_the_sign_in_link_and_no_member_links(page: Page) -> None:
    pass_age_gate(page)
    header = page.get_by_role("banner")
    expect(header.get_by_role("link", name="Sign in", exact=True)).to_have_attribute("href", "/api/login")
    expect(header.get_by_placeholder("Search products...")).to_be_visible()
    expect(header.get_by_role("button", name="Cart, 0 items")).to_be_visible()
    for name in (*MEMBER_LINKS, "Admin"):
        expect(header.get_by_role("link", name=name, exact=True)).to_have_count(0)
    expect(header.get_by_role("button", name="Logout")).to_have_count(0)


def test_a_member_has_every_link_except_admin(page: Page) -> None:
    sign_in_as_adult(page, new_email())
    header = page.get_by_role("banner")
    for name, address in MEMBER_LINKS.items():
        expect(header.get_by_role("link", name=name, exact=True)).to_have_attribute("href", address)
    expect(header.get_by_role("button", name="Logout")).to_be_visible()
    expect(header.get_by_role("link", name="Admin", exact=True)).to_have_count(0)
    expect(header.get_by_role("link", name="Sign in", exact=True)).to_have_count(0)


def test_an_owner_has_the_admin_link(new_page: Callable[..., Page]) -> None:
    for size, name in ((DESKTOP, "Admin"), (PHONE, "Admin Dashboard")):
        page = new_page(size)
        sign_in_as_adult(page, OWNER)
        expect_found(page, "66 products found")
        if size == PHONE:
            page.get_by_role("button", name="Menu", exact=True).click()
        expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute("href", "/admin")


def test_the_menu_of_a_phone_leads_everywhere(new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    sign_in_as_adult(page, new_email())
    page.get_by_role("button", name="Menu", exact=True).click()
    menu = page.get_by_role("dialog", name="Menu")
    for name, address in MEMBER_LINKS.items():
        expect(menu.get_by_role("link", name=name, exact=True)).to_have_attribute("href", address)
    expect(menu.get_by_role("link", name="Admin Dashboard")).to_have_count(0)
    expect(menu.get_by_role("button", name="Logout")).to_be_visible()
    menu.get_by_role("link", name="Vapes").click()
    expect(menu).to_be_hidden()
    expect(page.get_by_role("heading", name="Vapes Products", level=1)).to_be_visible()


def test_the_logo_opens_the_home_page_and_the_badge_sums_quantities(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    add_to_cart_by_request(page, "Fern Hollow", 2)
    add_to_cart_by_request(page, "Quiet Mint")
    page.goto("/shipping")
    cart = page.get_by_role("banner").get_by_role("button", name="Cart, 3 items")
    expect(cart).to_have_text("3")
    page.get_by_role("banner").get_by_role("link", name=re.compile("Stillroom")).click()
    expect_found(page, "66 products found")


def test_searching_from_another_page_leads_to_the_catalogue(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/shipping")
    page.get_by_placeholder("Search products...").fill("pinon dusk")
    page.get_by_placeholder("Search products...").press("Enter")
    page.wait_for_url("**/?search=pinon+dusk")
    expect_found(page, "1 product found")
