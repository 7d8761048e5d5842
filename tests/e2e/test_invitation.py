"""A store that is open by invitation only (RULE access-mode)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.acts import OWNER, expect_found, new_email, pass_age_gate, run_sql, sign_in
from tests.e2e.conftest import PAGES, PORT, ROOT, Store, chromium_flags, wait_until_ready
from tests.install_browser import find_chromium

pytestmark = pytest.mark.browser

STORE_PORT = PORT + 6


@pytest.fixture(scope="module")
def invite_only(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """It answers at the first store's address, which is built into the pages: see `page`."""
    database_url = f"sqlite:///{tmp_path_factory.mktemp('invited') / 'store.db'}"
    environment = os.environ | {
        "ACCESS_MODE": "invite_only",
        "PORT": str(STORE_PORT),
        "PUBLIC_URL": store.url,
        "DATABASE_URL": database_url,
        "REFLEX_WEB_WORKDIR": PAGES,
        "REFLEX_ENV_MODE": "prod",
        "PYTHONWARNINGS": "ignore",
    }
    environment.pop("OIDC_ISSUER", None)
    process = subprocess.Popen([sys.executable, "-m", "tests.e2e.second_store"], cwd=ROOT, env=environment)
    try:
        wait_until_ready(f"http://localhost:{STORE_PORT}", process)
        yield replace(store, database_url=database_url)
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture
def page(invite_only: Store, browser: Browser) -> Iterator[Page]:
    """A browser that reaches the second store at the first store's address."""
    there = invite_only.url.removeprefix("http://")
    mapped = f"--host-resolver-rules=MAP {there} 127.0.0.1:{STORE_PORT}"
    with browser.browser_type.launch(executable_path=find_chromium(), args=[*chromium_flags(), mapped]) as misled:
        yield misled.new_page(base_url=invite_only.url)


def test_the_shop_says_invitation_required_until_one_is_accepted(page: Page, invite_only: Store) -> None:
    email = new_email()
    pass_age_gate(page)
    sign_in(page, email)
    main = page.get_by_role("main")
    for address in ("/", "/product/1", "/checkout"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text("Invitation required")
        expect(main.get_by_text("This store is by invitation only.")).to_be_visible()
        expect(main.get_by_role("link", name="support@example.com")).to_have_attribute(
            "href", "mailto:support@example.com"
        )
        expect(main.get_by_role("link", name="Read the FAQ")).to_have_attribute("href", "/faq")
        expect(page.get_by_role("button", name="Add to Cart")).to_have_count(0)
    page.get_by_role("button", name="Cart, ").click()
    drawer = page.get_by_role("dialog", name="Cart")
    expect(drawer.get_by_role("heading", level=3)).to_have_text("Invitation required")
    drawer.get_by_role("link", name="Read the FAQ").click()
    expect(page).to_have_url(f"{invite_only.url}/faq")
    page.goto("/account?tab=saved")
    expect(main.get_by_text("Nothing saved yet.")).to_be_visible()
    run_sql(invite_only, "UPDATE users SET invited_at = CURRENT_TIMESTAMP WHERE email = :email", email=email)
    page.goto("/")
    expect_found(page, "66 products found")


CALL = """async ([path, body]) => {
  const headers = { "content-type": "application/json" };
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}"""


def test_an_open_page_becomes_the_shop_when_an_invitation_is_accepted_elsewhere(page: Page) -> None:
    email = new_email()
    pass_age_gate(page)
    sign_in(page, OWNER)
    sent = page.evaluate(CALL, ["/api/admin/invitations/send", {"email": email}])
    code = sent["inviteUrl"].rpartition("/")[2]
    page.context.clear_cookies(name="session")
    sign_in(page, email)
    expect(page.get_by_role("heading", level=1)).to_have_text("Invitation required")
    page.evaluate(CALL, [f"/api/invite/{code}/accept", {}])
    expect_found(page, "66 products found")


def test_owners_need_no_invitation(page: Page) -> None:
    pass_age_gate(page)
    sign_in(page, OWNER)
    expect_found(page, "66 products found")
