"""Two users edit the same data: the second one sees the first one's change before overwriting it."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER, new_email, place_order_by_request, sign_in_by_request
from tests.e2e.conftest import Api
from tests.e2e.test_forms import expect_toast

pytestmark = [pytest.mark.browser, pytest.mark.staff]


def test_a_concurrent_change_of_an_order_is_shown_before_it_is_overwritten(page: Page, api: Api) -> None:
    placed = place_order_by_request(api(new_email()), "Whitfield")
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/orders/{placed['id']}")
    page.get_by_role("button", name="Edit Order").click()
    form, owner = page.get_by_role("dialog"), api(OWNER)
    expect(form).to_be_visible()
    theirs = {"status": "confirmed", "contactPhone": "503 555 0100", "deliveryInstructions": "Back door."}
    owner.put(f"/api/admin/orders/{placed['id']}", json=theirs).raise_for_status()
    form.get_by_label("Status").select_option("cancelled")
    form.get_by_label("Contact phone").fill("503 555 0188")
    form.get_by_role("button", name="Save Changes").click()
    expect_toast(page, "Someone else has changed this in the meantime.")
    expect(form.locator("#status-error")).to_have_text(meanwhile("confirmed"))
    expect(form.locator("#contactPhone-error")).to_have_text(meanwhile("503 555 0100"))
    expect(form.get_by_label("Contact phone")).to_have_value("503 555 0188")
    assert edited_values(owner, placed) == ("confirmed", "503 555 0100", "Back door.")
    form.get_by_role("button", name="Save Changes").click()
    expect_toast(page, "Order updated successfully")
    assert edited_values(owner, placed) == ("cancelled", "503 555 0188", "Back door.")


def edited_values(owner: httpx.Client, placed: dict[str, Any]) -> tuple[str, str, str]:
    now = owner.get(f"/api/admin/orders/{placed['id']}").json()
    return now["status"], now["contactPhone"], now["deliveryInstructions"]


def meanwhile(now: str) -> str:
    return f"Someone else has set this to “{now}” in the meantime. Save again to replace it."


def test_a_concurrent_change_of_a_user_is_shown_before_it_is_overwritten(page: Page, api: Api) -> None:
    email, owner = new_email(), api(OWNER)
    number = api(email).get("/api/auth/user").json()["id"]
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/users/{number}")
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("dialog", name="Edit user")
    expect(form).to_be_visible()
    theirs = {"firstName": "Nora", "lastName": "Larch", "referralCredit": "100.00"}
    owner.put(f"/api/admin/users/{number}", json=theirs).raise_for_status()
    form.get_by_label("First name").fill("Eleonora")
    form.get_by_label("Referral credit").fill("25.50")
    form.get_by_role("button", name="Save Changes").click()
    expect_toast(page, "Someone else has changed this in the meantime.")
    expect(form.locator("#firstName-error")).to_have_text(meanwhile("Nora"))
    expect(form.locator("#referralCredit-error")).to_have_text(meanwhile("$100.00"))
    form.get_by_role("button", name="Save Changes").click()
    expect_toast(page, "User profile updated successfully")
    now = owner.get(f"/api/admin/users/{number}").json()
    assert (now["firstName"], now["lastName"], now["referralCredit"]) == ("Eleonora", "Larch", "25.50")


def test_a_concurrent_change_of_settings_is_shown_before_it_is_overwritten(page: Page, api: Api) -> None:
    owner = api(OWNER)
    before = owner.get("/api/admin/settings").json()
    try:
        sign_in_by_request(page, OWNER)
        page.goto("/admin/settings")
        form = page.get_by_role("form", name="Shop settings")
        expect(form.get_by_label("Delivery fee ($)")).to_have_value("25")
        theirs = {"deliveryFee": "30.00", "invitationDays": 9, "supportOpensHour": 8, "reason": "Theirs."}
        owner.put("/api/admin/settings", json=theirs).raise_for_status()
        form.get_by_label("Delivery fee ($)").fill("20")
        form.get_by_label("Support opens").select_option("10")
        form.get_by_label("Reason").fill("Ours.")
        form.get_by_role("button", name="Save").click()
        expect_toast(page, "Someone else has changed this in the meantime.")
        expect(form.locator("#deliveryFee-error")).to_have_text(meanwhile("$30"))
        expect(form.locator("#supportOpensHour-error")).to_have_text(meanwhile("8 AM"))
        form.get_by_role("button", name="Save").click()
        expect_toast(page, "Settings saved")
        now = owner.get("/api/admin/settings").json()
        assert (now["deliveryFee"], now["invitationDays"], now["supportOpensHour"]) == ("20.00", 9, 10)
    finally:
        owner.put("/api/admin/settings", json=before | {"reason": "As it was."}).raise_for_status()
