"""The shop settings: changing them, the effects, permissions, and the history."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, new_email, sign_in_by_request, toast, wait_for_hydration
from tests.e2e.conftest import BOTH_SIZES, Api
from tests.e2e.test_accessibility import expect_accessible
from tests.e2e.test_landing import IS_HYDRATED

pytestmark = [pytest.mark.browser, pytest.mark.staff]

SETTINGS = "/api/admin/settings"


@pytest.fixture(autouse=True)
def restored_defaults(api: Api) -> Iterator[None]:
    """Restores the defaults, on which other tests rely."""
    owner = api(OWNER)
    before = owner.get(SETTINGS).json()
    yield
    owner.put(SETTINGS, json=before | {"reason": "As it was."}).raise_for_status()


def open_settings(page: Page, who: str = OWNER) -> Locator:
    sign_in_by_request(page, who)
    page.goto("/admin/settings")
    form = page.get_by_role("form", name="Shop settings")
    expect(form).to_be_visible()
    return form


def make_staff(api: Api, role: str) -> str:
    person = new_email()
    number = api(person).get("/api/auth/user").json()["id"]
    api(OWNER).put(f"/api/admin/users/{number}/role", json={"role": role}).raise_for_status()
    return person


def save(form: Locator, reason: str = "A quiet week.") -> None:
    form.get_by_label("Reason").fill(reason)
    form.get_by_role("button", name="Save").click()


def history_row(page: Page, what: str, reason: str) -> Locator:
    return page.get_by_role("row").filter(has_text=what).filter(has_text=reason).first


def test_a_setting_is_changed_with_a_reason_and_recorded_in_the_history(page: Page, api: Api) -> None:
    form = open_settings(page)
    expect(form.get_by_label("Minimum order ($)")).to_have_value("100")
    expect(form.get_by_text("Between $0 and $10,000. Default: $100.")).to_be_visible()
    rush = form.get_by_label("Same-day rush delivery")
    expect(rush).to_have_accessible_description(re.compile("For an extra fee, arranged through Support."))
    form.get_by_label("Minimum order ($)").fill("$80.50")
    form.get_by_label("Support opens").select_option("8")
    save(form, "Smaller baskets in spring.")
    expect(toast(page)).to_contain_text("Settings saved")
    expect(form.get_by_label("Minimum order ($)")).to_have_value("80.50")
    expect(form.get_by_label("Reason")).to_have_value("")
    row = history_row(page, "Minimum order", "Smaller baskets in spring.")
    expect(row).to_contain_text("$100")
    expect(row).to_contain_text("$80.50")
    expect(row).to_contain_text("Olive Owner")
    expect(history_row(page, "Support opens", "Smaller baskets in spring.")).to_contain_text("9 AM")
    held = api(OWNER).get(SETTINGS).json()
    assert (held["minimumOrder"], held["supportOpensHour"], held["deliveryFee"]) == ("80.50", 8, "25.00")


def test_errors_are_beside_their_fields_and_nothing_is_saved(page: Page, api: Api) -> None:
    form = open_settings(page)
    fee, percent = form.get_by_label("Delivery fee ($)"), form.get_by_label("First-purchase discount (%)")
    fee.fill("1000.01")
    percent.fill("a quarter")
    form.get_by_role("button", name="Save").click()
    expect(toast(page)).to_contain_text("Error")
    for field in (fee, percent, form.get_by_label("Reason")):
        expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#deliveryFee-error")).to_have_text("Between $0 and $1,000.")
    expect(page.locator("#firstPurchasePercent-error")).to_have_text("Between 0% and 100%.")
    expect(page.locator("#reason-error")).to_have_text("Please say why, in at most 500 characters.")
    expect(fee).to_have_value("1000.01")
    fee.fill("25")
    percent.fill("25")
    form.get_by_label("Minimum order ($)").fill("300")
    save(form)
    expect(page.locator("#freeDelivery-error")).to_have_text("Must be at least the minimum order, $300.")
    assert api(OWNER).get(SETTINGS).json()["minimumOrder"] == "100.00"


def test_a_form_without_a_change_says_so(page: Page) -> None:
    form = open_settings(page)
    save(form)
    expect(toast(page)).to_contain_text("Nothing was changed")


def test_pages_of_the_shop_show_new_settings(page: Page, new_page: Callable[..., Page]) -> None:
    form = open_settings(page)
    form.get_by_label("First-purchase discount (%)").fill("30")
    form.get_by_label("Delivery within (hours)").fill("24")
    form.get_by_label("Free delivery from ($)").fill("150")
    form.get_by_label("Support closes").select_option("22")
    save(form)
    expect(toast(page)).to_contain_text("Settings saved")
    visitor = new_page()
    visitor.goto("/faq")
    expect(visitor.get_by_text("Support answers 9 AM-10 PM, 7 days a week.")).to_be_visible()
    sentence = "Processing takes 2-4 hours; delivery within 24 hours (weekends 24-72 hours)."
    expect(visitor.get_by_text(sentence)).to_be_attached()
    visitor.goto("/")
    expect(visitor.get_by_text("30% OFF", exact=True)).to_be_attached()
    expect(visitor.get_by_text("on orders over $150", exact=True)).to_be_attached()


def test_a_colleagues_change_is_shown_and_not_overwritten(page: Page, api: Api) -> None:
    form = open_settings(page)
    form.get_by_label("Delivery fee ($)").fill("22")
    api(OWNER).put(SETTINGS, json={"invitationDays": 14, "reason": "Holidays."}).raise_for_status()
    notice = page.get_by_role("status").filter(has_text="A colleague has changed settings")
    expect(notice).to_be_visible(timeout=5_000)
    expect(form.get_by_label("Delivery fee ($)")).to_have_value("22")
    save(form)
    expect(toast(page)).to_contain_text("Settings saved")
    held = api(OWNER).get(SETTINGS).json()
    assert (held["deliveryFee"], held["invitationDays"]) == ("22.00", 14)
    expect(notice).to_be_hidden()
    expect(form.get_by_label("Invitations valid for (days)")).to_have_value("14")


@pytest.mark.parametrize("role", ["manager", "viewer"])
def test_other_staff_can_read_the_settings(page: Page, api: Api, role: str) -> None:
    form = open_settings(page, make_staff(api, role))
    expect(page.get_by_text("You can view these settings. Only owners can change them.")).to_be_visible()
    expect(form.get_by_label("Minimum order ($)")).to_be_disabled()
    expect(form.get_by_role("button", name="Save")).to_have_count(0)
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def test_a_customer_cannot_see_the_settings(page: Page) -> None:
    sign_in_by_request(page, new_email())
    page.goto("/admin/settings")
    expect(page.get_by_role("heading", name="Admin Access Required")).to_be_visible()
    expect(page.get_by_label("Minimum order ($)")).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_state_is_accessible_and_fits(new_page: Callable[..., Page], api: Api, size: tuple[int, int]) -> None:
    changed: dict[str, Any] = {"deliveryFee": "24.00", "reason": "For the picture, with a reason of some length."}
    api(OWNER).put(SETTINGS, json=changed).raise_for_status()
    page = new_page(size)
    form = open_settings(page)
    expect(history_row(page, "Delivery fee", "For the picture")).to_be_visible()
    expect_accessible(page, "settings")
    form.get_by_label("Delivery fee ($)").fill("-1")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#deliveryFee-error")).to_have_text(re.compile("."))
    expect_accessible(page, "settings, refused")


def test_guests_read_new_numbers_before_the_landing_pages_code_runs_and_after(
    new_page: Callable[..., Page], api: Api
) -> None:
    owner = api(OWNER)
    new = {"deliveryHours": 24, "firstPurchasePercent": 0, "referralDiscount": "40.00"}
    owner.put(SETTINGS, json=owner.get(SETTINGS).json() | new | {"reason": "A new year."}).raise_for_status()
    page = new_page(allowed_error="Failed to fetch dynamically imported module")
    page.route("**/assets/*.js", lambda route: route.abort())
    for is_hydrated in (False, True):
        page.goto("/")
        if is_hydrated:
            wait_for_hydration(page)
        assert page.evaluate(IS_HYDRATED) is is_hydrated
        words = page.locator("body").inner_text()
        assert words.count("within 24 hours") == 3
        assert "$40 off" in words
        assert "first purchase" not in words.lower()
        page.unroute("**/assets/*.js")
