"""Every form that edits something, opened and saved unchanged, changes nothing in the database.

They are filled with what a careless form would lose: several values of one name, line breaks, quotes, entries that
contain the separator, cents, long decimals, seconds that a field for minutes does not show.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import (
    OWNER,
    create_product,
    new_email,
    place_order_by_request,
    sign_in_as_adult,
    sign_in_by_request,
    toast,
    wait_for_hydration,
)
from tests.e2e.conftest import Api, Store
from tests.e2e.test_forged_events import rows_at_rest
from tests.e2e.test_support import LATE_TICKET, write_ticket

pytestmark = pytest.mark.browser


TRICKY_PRODUCT = {
    "name": 'Sülze "No. 9" O\'Hara & Söhne <b>🌿</b>',
    "description": "Cedar,  with two spaces.\n\n\tAn indented line; \"quotes\", 'more' & <i>signs</i>.\n🌿 and 日本語.",
    "price": "49.05",
    "thcPercent": 0.5,
    "cbdPercent": 12.3456789,
    "thcMg": 5,
    "netWeightGrams": 12345.678,
    "brand": 'Fern "&" Sons',
    "strain": "Hybrid",
    "effects": ["Relaxed", "Creative", "Happy"],
    "flavors": ["Pine", "Earthy", "Mint"],
    "terpenes": ["β-Myrcene", "Linalool"],
    "ingredients": "Flower.\nNothing else.",
    "featured": True,
}


@pytest.fixture
def unchanged(store: Store) -> Callable[[], Any]:
    """A block in which no row of any table may change."""

    @contextmanager
    def changes_nothing() -> Iterator[None]:
        before = rows_at_rest(store)
        yield
        assert store.rows() == before

    return changes_nothing


def expect_toast(page: Page, words: str) -> None:
    expect(toast(page)).to_contain_text(words)


def open_editor(page: Page, number: int) -> Locator:
    """Returns the button that saves."""
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/products/{number}")
    expect(page.get_by_label("Name", exact=True)).to_be_visible()
    return page.get_by_role("button", name="Save product")


def test_an_unchanged_product_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    unusual = {
        "description": "A line\r\nas Windows ends it.\r\n\r\nThe last.",
        "terpenes": ["Myrcene, trans", "Linalool"],
    }
    made = create_product(api, **TRICKY_PRODUCT | unusual)
    save = open_editor(page, made["id"])
    with unchanged():
        save.click()
        expect_toast(page, "Product saved")


def test_one_changed_field_of_a_product_changes_only_that_field(page: Page, api: Api) -> None:
    made = create_product(api, **TRICKY_PRODUCT)
    save = open_editor(page, made["id"])
    page.get_by_label("Price").fill("51.95")
    save.click()
    expect_toast(page, "Product saved")
    now = api(OWNER).get(f"/api/admin/products/{made['id']}").json()
    assert now == made | {"price": "51.95", "updatedAt": now["updatedAt"]}
    page.get_by_role("group", name="Effects").get_by_role("checkbox", name="Calm").check()
    page.get_by_role("group", name="Effects").get_by_role("checkbox", name="Creative").uncheck()
    save.click()
    expect(page.get_by_text("Unsaved changes")).to_be_hidden()
    now = api(OWNER).get(f"/api/admin/products/{made['id']}").json()
    assert (now["effects"], now["flavors"]) == (["Relaxed", "Happy", "Calm"], ["Pine", "Earthy", "Mint"])


def test_an_unchanged_lab_report_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    made = create_product(api)
    results = {"pesticides": "< 0.1 ppm", "heavyMetals": "Not Detected", "residualSolvents": '0.5 % "trace"'}
    report = {"lot": "N° 57-12 & 13", "reportedOn": "2026-02-28", "microbials": "Not Detected"} | results
    api(OWNER).put(f"/api/admin/products/{made['id']}/lab-report", json=report).raise_for_status()
    open_editor(page, made["id"])
    with unchanged():
        page.get_by_role("button", name="Save Report").click()
        expect_toast(page, "Lab report saved")


def test_an_unchanged_form_of_a_batch_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    made = create_product(api, stock=0)
    results = {"pesticides": "< 0.1 ppm", "heavyMetals": "Not Detected", "residualSolvents": '0.5 % "trace"'}
    facts = {"packedOn": "2026-02-20", "expiresOn": "2999-05-02", "thcPercent": 22.45, "unitCost": "1218.50"}
    report = {"reportedOn": "2026-02-28", "microbials": "Not Detected"} | results
    body = {"productId": made["id"], "code": "N° 57-12 & 13", "units": 3, "report": report, "isApproved": False}
    api(OWNER).post("/api/admin/batches", json=body | facts).raise_for_status()
    open_editor(page, made["id"])
    page.get_by_role("button", name="Edit N° 57-12 & 13").click()
    with unchanged():
        page.get_by_role("button", name="Save Batch").click()
        expect_toast(page, "Batch saved")


def test_an_unchanged_order_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    placed = place_order_by_request(api(new_email()), "Whitfield")
    texts = {
        "deliveryInstructions": 'Side door, "the green one".\r\nRing twice 🔔',
        "paymentInstructions": "Envelope\n\n  under the mat",
        "contactPhone": "+1 (503) 555-0142\next. 7",
        "estimatedDelivery": "2026-11-25T07:41:33Z",
    }
    api(OWNER).put(f"/api/admin/orders/{placed['id']}", json=texts).raise_for_status()
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/orders/{placed['id']}")
    page.get_by_role("button", name="Edit Order").click()
    form = page.get_by_role("dialog")
    with unchanged():
        form.get_by_role("button", name="Save Changes").click()
        expect_toast(page, "Order updated successfully")
    page.goto("/admin?tab=orders")
    page.get_by_role("button", name=f"Edit order {placed['number']}").click()
    with unchanged():
        form.get_by_role("button", name="Save Changes").click()
        expect_toast(page, "Order updated successfully")


def test_an_unchanged_user_form_and_role_change_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    email = f"o'hara+{new_email()}"
    number = api(email).get("/api/auth/user").json()["id"]
    names = {"firstName": 'Søren "S"', "lastName": "O'Hara-Łuk 🌿", "referralCredit": "1234.05"}
    api(OWNER).put(f"/api/admin/users/{number}", json=names).raise_for_status()
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/users/{number}")
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("dialog", name="Edit user")
    expect(form.get_by_label("Referral credit")).to_have_value("1234.05")
    with unchanged():
        form.get_by_role("button", name="Save Changes").click()
        expect_toast(page, "User profile updated successfully")


def test_an_unchanged_settings_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    owner = api(OWNER)
    before = owner.get("/api/admin/settings").json()
    odd = {"deliveryFee": "19.05", "freeDelivery": "1234.50", "firstPurchasePercent": 7, "reason": "Odd numbers."}
    try:
        owner.put("/api/admin/settings", json=odd).raise_for_status()
        sign_in_by_request(page, OWNER)
        page.goto("/admin/settings")
        form = page.get_by_role("form", name="Shop settings")
        expect(form.get_by_label("Delivery fee ($)")).to_have_value("19.05")
        with unchanged():
            form.get_by_role("button", name="Save").click()
            expect_toast(page, "Nothing was changed")
    finally:
        owner.put("/api/admin/settings", json=before | {"reason": "As it was."}).raise_for_status()


def test_an_unchanged_preferences_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    email = new_email()
    given = {
        "experienceLevel": "advanced",
        "toleranceLevel": "low",
        "primaryUseTime": None,
        "desiredIntensity": 7,
        "preferredTypes": ["Sativa", "Indica"],
        "preferredEffects": ["Sleepy", "Relaxed", "Happy"],
        "preferredFlavors": ["Woody", "Citrus"],
        "avoidEffects": ["Fatigue", "Anxiety"],
        "medicalConsent": True,
        "medicalNeeds": ["PTSD", "Anxiety"],
    }
    api(email).post("/api/preferences", json=given).raise_for_status()
    sign_in_as_adult(page, email, to="/preferences")
    save = page.get_by_role("button", name="Save Preferences")
    expect(page.get_by_role("group", name="Medical needs").get_by_role("checkbox", name="PTSD")).to_be_checked()
    with unchanged():
        save.click()
        expect_toast(page, "Preferences saved!")


def test_an_unchanged_profile_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    email = new_email()
    names = {"firstName": 'Søren "S"', "lastName": "O'Hara-Łuk 🌿", "phone": "+1 (503) 555-0142 ext. 7"}
    api(email).put("/api/auth/user", json=names).raise_for_status()
    sign_in_as_adult(page, email, to="/account?tab=settings")
    expect(page.get_by_label("First name")).to_have_value(names["firstName"])
    with unchanged():
        page.get_by_role("button", name="Save", exact=True).click()
        expect_toast(page, "Profile saved")


def test_an_unchanged_address_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    email = new_email()
    texts = {
        "deliveryInstructions": "Side door.\r\nRing twice 🔔",
        "paymentInstructions": "Envelope\n\n  under the mat",
    }
    place = {
        "label": 'At "work"',
        "street": "214 Larch St. #5 & 6",
        "city": "Coeur d'Alene",
        "state": "ID",
        "zip": "83814",
    }
    api(email).post("/api/addresses", json=place | texts).raise_for_status()
    sign_in_as_adult(page, email, to="/account?tab=settings")
    page.get_by_role("button", name='Edit At "work"').click()
    with unchanged():
        page.get_by_role("dialog").get_by_role("button", name="Save Address").click()
        expect_toast(page, "Address saved")


def test_an_unchanged_synonym_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    given = {"term": "o'hara & co", "replacement": 'fern "hollow"'}
    made = api(OWNER).post("/api/admin/search/synonyms", json=given)
    made.raise_for_status()
    sign_in_by_request(page, OWNER)
    page.goto("/admin/search")
    row = page.get_by_role("table", name="Synonyms").get_by_role("row").filter(has_text=made.json()["term"])
    row.get_by_role("button", name="Edit").click()
    with unchanged():
        page.get_by_role("form", name="Change the synonym").get_by_role("button", name="Save").click()
        expect_toast(page, "Nothing was changed")


def test_an_unchanged_legal_text_form_changes_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    text = '# What & why\r\n\r\nFirst line\nsecond,  with two spaces.\n\n- <b>one</b>\n- "two" 🌿\n'
    text += "\nAnd more, since other tests expect the pages of this store to say something." * 2 + "\n"
    owner = api(OWNER)
    before = next((each["version"] for each in owner.get("/api/admin/legal").json() if each["page"] == "returns"), 0)
    owner.put("/api/admin/legal/returns", json={"body": text, "version": before}).raise_for_status()
    sign_in_by_request(page, OWNER)
    page.goto("/admin/legal?page=returns")
    expect(page.get_by_label("Text", exact=True)).to_have_value(re.compile("^# What & why\n"))
    with unchanged():
        page.get_by_role("button", name="Publish").click()
        expect_toast(page, "Nothing was changed")


def test_empty_forms_are_refused_and_write_nothing(page: Page, api: Api, unchanged: Callable[[], Any]) -> None:
    """The forms that create something."""
    made = create_product(api)
    sign_in_by_request(page, OWNER)
    page.goto("/admin/products/new")
    with unchanged():
        page.get_by_role("button", name="Save product").click()
        expect_toast(page, "Error")
    page.goto(f"/admin/products/{made['id']}")
    with unchanged():
        page.get_by_role("button", name="Adjust Stock").click()
        expect(page.locator("#change-error")).not_to_be_empty()
    page.goto("/admin/invitations")
    with unchanged():
        page.get_by_role("button", name="Send Invitation").click()
        expect(page.locator("#email-error")).not_to_be_empty()
    page.get_by_role("button", name="Invite from CSV").click()
    with unchanged():
        page.get_by_role("dialog").get_by_role("button", name="Check").click()
        expect(page.get_by_role("dialog").get_by_role("alert").or_(toast(page)).first).to_be_visible()


def test_empty_forms_of_shoppers_are_refused_and_write_nothing(
    page: Page, new_page: Callable[..., Page], api: Api, unchanged: Callable[[], Any]
) -> None:
    email = new_email()
    ticket = write_ticket(api(email))
    sign_in_as_adult(page, email, to="/account?tab=referrals")
    expect(page.get_by_role("button", name="Apply Code")).to_be_disabled()
    page.goto("/support")
    page.get_by_role("button", name="Create Support Ticket").click()
    form = page.get_by_role("dialog", name="Create Support Ticket")
    with unchanged():
        form.get_by_role("button", name="Create Ticket").click()
        expect(form.locator("#subject-error")).not_to_be_empty()
    page.goto(f"/support?ticket={ticket['id']}")
    dialog = page.get_by_role("dialog", name=LATE_TICKET["subject"])
    expect(dialog.get_by_role("button", name="Send Reply")).to_be_disabled()
    api(email).post("/api/cart", json={"productId": 1, "quantity": 3}).raise_for_status()
    page.goto("/checkout")
    with unchanged():
        page.get_by_role("button", name="Place Order").locator("visible=true").first.click()
        expect(page.locator("#contactPhone-error")).not_to_be_empty()
    guest = new_page()
    guest.goto("/support")
    wait_for_hydration(guest)
    guest.get_by_role("button", name="Create Support Ticket").click()
    form = guest.get_by_role("dialog", name="Create Support Ticket")
    with unchanged():
        form.get_by_role("button", name="Create Ticket").click()
        expect(form.locator("#customerEmail-error")).not_to_be_empty()
