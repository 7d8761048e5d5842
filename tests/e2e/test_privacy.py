"""The privacy page: what the store keeps, and that every control does what it says."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders import draft
from tests.e2e.acts import horizontal_overflow, new_email, sign_in_as_adult, toast
from tests.e2e.conftest import Api

pytestmark = pytest.mark.browser

PREFERENCES = {"preferredEffects": ["Relaxed"], "medicalConsent": True, "medicalNeeds": ["Stress"]}


def open_privacy(page: Page, email: str) -> None:
    sign_in_as_adult(page, email, to=None)
    page.goto("/account/privacy")
    expect(page.get_by_role("heading", name="Manage privacy", level=1)).to_be_visible()
    expect(row(page, "Account")).to_contain_text(email)


def row(page: Page, name: str) -> Locator:
    stored = page.get_by_role("region", name="What the store keeps about you").get_by_role("listitem")
    return stored.filter(has=page.get_by_role("heading", name=name, exact=True))


def confirm(page: Page, label: str) -> None:
    """Press this button, and the button of the same name in the dialog that it opens."""
    page.get_by_role("button", name=label).click()
    page.get_by_role("dialog").get_by_role("button", name=label).click()


def test_the_page_lists_stored_data_and_links_to_it(page: Page, api: Api) -> None:
    me = new_email()
    mine = api(me)
    mine.post("/api/verify-age", json={"dateOfBirth": "1990-01-01"}).raise_for_status()
    mine.post("/api/orders", json=draft(items=[{"productId": 1, "quantity": 3}])).raise_for_status()
    mine.post("/api/preferences", json=PREFERENCES).raise_for_status()
    open_privacy(page, me)
    expect(page).to_have_title("Privacy · Stillroom")
    for name, stored in (
        ("Age", re.compile("Verified on")),
        ("Orders", "1 order"),
        ("Support tickets", "0 tickets"),
        ("Preferences", re.compile("Saved on")),
        ("Medical needs", re.compile("Kept since")),
        ("Signed-in browsers", "2 browsers"),
    ):
        expect(row(page, name)).to_contain_text(stored)
    assert horizontal_overflow(page) <= 0
    for name, address in (("Orders", "/account?tab=orders"), ("Preferences", "/preferences"), ("Account", "settings")):
        page.get_by_role("link", name=f"Show {name}").click()
        page.wait_for_url(f"**{address}")
        page.go_back()
    page.get_by_role("link", name="Manage Addresses").click()
    expect(page.get_by_role("button", name="Add Address")).to_be_visible()


def test_consent_is_withdrawn_and_preferences_are_deleted(page: Page, api: Api) -> None:
    me = new_email()
    mine = api(me)
    mine.post("/api/preferences", json=PREFERENCES).raise_for_status()
    open_privacy(page, me)
    page.get_by_role("button", name="Withdraw Consent").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert mine.get("/api/preferences").json()["medicalNeeds"] == ["Stress"]
    confirm(page, "Withdraw Consent")
    expect(toast(page)).to_contain_text("Consent withdrawn")
    expect(row(page, "Medical needs")).to_contain_text("None")
    expect(page.get_by_role("button", name="Withdraw Consent")).to_have_count(0)
    expect(page.get_by_role("region", name="Your choices")).to_be_focused()
    left = mine.get("/api/preferences").json()
    assert (left["medicalNeeds"], left["medicalConsent"], left["preferredEffects"]) == ([], False, ["Relaxed"])
    confirm(page, "Delete Preferences")
    expect(toast(page)).to_contain_text("Preferences deleted")
    expect(row(page, "Preferences")).to_contain_text("None")
    expect(page.get_by_role("region", name="Your choices")).to_be_focused()
    assert mine.get("/api/preferences").json()["preferredEffects"] == []
    page.get_by_role("link", name="Edit Preferences").click()
    expect(page.get_by_role("button", name="Save Preferences")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Relaxed")).not_to_be_checked()


def test_export_sign_out_and_deletion_work_on_the_privacy_page(page: Page, api: Api) -> None:
    me = new_email()
    mine = api(me)
    open_privacy(page, me)
    with page.expect_download() as download:
        page.get_by_role("button", name="Request Data").click()
    assert json.loads(download.value.path().read_text())["account"]["email"] == me
    page.get_by_role("button", name="Sign Out Everywhere").click()
    expect(toast(page)).to_contain_text("Logged out successfully")
    assert mine.get("/api/auth/user").status_code == 401
    open_privacy(page, me)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete Account").click()
    expect(toast(page)).to_contain_text("Account deleted successfully")
    expect(page.get_by_role("heading", name="Careful cannabis")).to_be_visible()


def test_guests_are_sent_to_sign_in(page: Page) -> None:
    page.goto("/account/privacy")
    expect(toast(page)).to_contain_text("You need to sign in to manage your privacy.")
    page.wait_for_url("**/oauth2/authorize?**")
