"""The page on which owners write the legal texts, and other staff read them (RULE legal-pages)."""

import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER, SocketProxy, sign_in_by_request
from tests.e2e.conftest import BOTH_SIZES, Api
from tests.e2e.test_accessibility import expect_accessible
from tests.e2e.test_admin_settings import make_staff

pytestmark = [pytest.mark.browser, pytest.mark.staff]


@pytest.fixture
def published(api: Api) -> str:
    """What the newest version of Compliance says; nothing else publishes one."""
    owner, words = api(OWNER), f"Adults only {uuid.uuid4().hex[:8]}."
    before = next((each["version"] for each in owner.get("/api/admin/legal").json() if each["page"] == "compliance"), 0)
    owner.put("/api/admin/legal/compliance", json={"body": words, "version": before}).raise_for_status()
    return words


def test_nothing_is_said_of_a_text_before_it_is_loaded(page: Page, published: str) -> None:
    sign_in_by_request(page, OWNER)
    socket = SocketProxy(page)
    socket.hold_from = published
    page.goto("/admin/legal?page=compliance")
    expect(page.get_by_role("heading", name="Legal pages", level=1)).to_be_visible()
    socket.wait_until_holding()
    for early in (page.get_by_text("Nothing to show yet."), page.get_by_role("form", name="Legal text")):
        expect(early).to_have_count(0)
    socket.let_through()
    expect(page.get_by_label("Text", exact=True)).to_have_value(published)
    expect(page.get_by_role("paragraph").filter(has_text=published)).to_be_visible()


@pytest.mark.parametrize(
    ("role", "offered", "fields"), [("owner", "Edit the current version", 1), ("viewer", "Show the current version", 0)]
)
def test_only_owners_are_offered_to_edit_the_current_version(
    page: Page, api: Api, published: str, role: str, offered: str, fields: int
) -> None:
    owner = api(OWNER)
    version = owner.get("/api/admin/legal/compliance/versions").json()[0]["version"]
    newest = {"body": f"Newer. {published}", "version": version}
    owner.put("/api/admin/legal/compliance", json=newest).raise_for_status()
    sign_in_by_request(page, OWNER if role == "owner" else make_staff(api, role))
    page.goto(f"/admin/legal?page=compliance&version={version}")
    page.get_by_role("link", name=offered).click()
    expect(page.get_by_role("paragraph").filter(has_text=newest["body"])).to_be_visible()
    expect(page.get_by_label("Text", exact=True)).to_have_count(fields)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_page_is_accessible(new_page: Callable[..., Page], published: str, size: tuple[int, int]) -> None:
    page = new_page(size)
    sign_in_by_request(page, OWNER)
    page.goto("/admin/legal?page=compliance")
    expect(page.get_by_label("Text", exact=True)).to_have_value(published)
    expect_accessible(page, "/admin/legal")
