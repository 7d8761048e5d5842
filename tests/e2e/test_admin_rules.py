"""`/admin/rules`: versions of rules by the screen (RULE rules-admin)."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app.places import STATE_NAMES
from tests.e2e.acts import OWNER, SocketProxy, new_email, sign_in, toast
from tests.e2e.conftest import DESKTOP, PHONE, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]
ALLOWED = [{"value": True, "source": "Law 1"}]
TWO_VALUES = [{"value": "5000.00", "source": "Law 2"}, {"value": "10000.00", "source": "Law 3"}]


def add(api: Api, state: str, valid_from: str, **lines: Any) -> int:
    """A version is never removed, so each test has a state or a day of its own."""
    body = {
        "state": state,
        "validFrom": valid_from,
        "checkedOn": "2026-11-20",
        "source": "The law",
        "rules": {"delivery": ALLOWED, "cashOnDelivery": ALLOWED} | lines,
    }
    answer = api(OWNER).post("/api/admin/rules", json=body)
    answer.raise_for_status()
    return int(answer.json()["id"])


def version(page: Page, name: str) -> Locator:
    """The row of a version, with its lines if it is opened."""
    return page.get_by_role("listitem").filter(has=page.get_by_role("button", name=re.compile(f"^{name}"))).last


@pytest.mark.parametrize(
    ("size", "day"),
    [pytest.param(PHONE, "02", id="390"), pytest.param(DESKTOP, "01", id="1280", marks=pytest.mark.sizes)],
)
def test_an_owner_adds_a_draft_chooses_its_values_and_reviews_it(
    new_page: Callable[..., Page], size: tuple[int, int], day: str
) -> None:
    page = new_page(size)
    sign_in(page, OWNER, to="/admin/rules")
    expect(page.get_by_text("Rules are not applied. Turn on “Apply the state's rules” in Settings.")).to_be_visible()
    page.get_by_role("button", name="Add Draft").click()
    form = page.get_by_role("form", name="Draft")
    form.get_by_label("Rules of").select_option("CA")
    form.get_by_label("Counts from").fill("")
    form.get_by_role("button", name="Add Draft").click()
    expect(form.get_by_text("A date such as 2026-11-02 is expected")).to_be_visible()
    form.get_by_label("Counts from").fill(f"2031-01-{day}")
    form.get_by_role("button", name="Add Draft").click()
    expect(toast(page)).to_contain_text("They count for nothing until they are reviewed.")
    added = version(page, f"California, from Jan {day}, 2031")
    expect(added).to_contain_text("Draft: not reviewed")
    expect(added).to_contain_text("28.5 g a day")
    expect(added).to_contain_text("Not legal advice.")
    review = added.get_by_role("button", name="Mark as Reviewed")
    review.click()
    expect(added.get_by_role("alert")).to_contain_text("Choose a value first: ")
    vehicle = added.get_by_role("radiogroup", name="Products in one vehicle")
    expect(vehicle.get_by_text("Choose one of the 2 values.")).to_be_visible()
    expect_accessible(page, "rules with a line that needs a choice")
    for group in added.get_by_role("radiogroup").all():
        first = group.get_by_role("radio").first
        first.focus()
        page.keyboard.press("Space")
        expect(first).to_be_checked()
    expect(added.get_by_text("Choose one of the 2 values.")).to_have_count(0)
    review.click()
    asked = page.get_by_role("dialog", name="Mark as reviewed?")
    expect(asked).to_contain_text(f"I have read these rules. They will count from Jan {day}, 2031.")
    expect_accessible(page, "the question before a review")
    asked.get_by_role("button", name="Cancel").click()
    expect(review).to_be_focused()
    review.click()
    asked.get_by_role("button", name="Mark as Reviewed").click()
    expect(added).to_contain_text(f"Reviewed, counts from Jan {day}, 2031")
    expect(added).to_contain_text("Reviewed by ")
    expect(added.get_by_text("Chosen", exact=True).first).to_be_visible()
    expect_accessible(page, "reviewed rules")
    expect(added.get_by_role("radio")).to_have_count(0)
    expect(review).to_have_count(0)


@pytest.mark.parametrize(
    ("size", "state"),
    [pytest.param(PHONE, "WV", id="390"), pytest.param(DESKTOP, "WA", id="1280", marks=pytest.mark.sizes)],
)
def test_an_owner_adds_a_new_version_with_other_amounts(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int], state: str
) -> None:
    page = new_page(size)
    flower = {"code": "flower", "label": "Flower", "days": 1, "counts": [{"category": "THC Flower"}]}
    limits = [flower | {"limit": [{"value": 28_500, "source": "Law 4"}]}]
    hours = [{"value": {"opens": "09:00", "closes": "21:00"}, "source": "Law 5"}]
    add(api, state, "2026-01-01", buckets=limits, hours=hours)
    sign_in(page, OWNER, to="/admin/rules")
    name = STATE_NAMES[state]
    page.get_by_role("button", name=f"{name}, from Jan 01, 2026").click()
    first = version(page, f"{name}, from Jan 01, 2026")
    expect(first).to_contain_text("9 AM to 9 PM")
    expect(first).to_contain_text("Not counted by any limit: Pre-Rolls, Concentrates, Vapes, Edibles, ")
    first.get_by_role("button", name="New Version").click()
    form = page.get_by_role("form", name="New version")
    expect_accessible(page, "the form of a new version")
    form.get_by_label("Counts from").fill("2027-06-01")
    groups = ("Limit: Flower, a day", "Hours of delivery")
    limit, open_hours = (form.get_by_role("group", name=group) for group in groups)
    expect(limit.get_by_label("Grams")).to_have_value("28.5")
    limit.get_by_label("Grams").fill("two ounces")
    limit.get_by_label("Source").fill("")
    open_hours.get_by_label("Closes").fill("08:00")
    form.get_by_role("button", name="Add Version").click()
    expect(limit.get_by_text("An amount in grams such as 28.5 is expected.")).to_be_visible()
    expect(limit.get_by_text("Enter where this is from.")).to_be_visible()
    expect(limit.get_by_label("Grams")).to_have_value("two ounces")
    limit.get_by_label("Grams").fill("56.7")
    limit.get_by_label("Source").fill("Law 6")
    form.get_by_role("button", name="Add Version").click()
    expect(open_hours.get_by_text("The closing time must be later than the opening time")).to_be_visible()
    open_hours.get_by_label("Closes").fill("22:30")
    form.get_by_role("button", name="Add Version").click()
    second = version(page, f"{name}, from Jun 01, 2027")
    expect(second).to_contain_text("56.7 g a day")
    expect(second).to_contain_text("Law 6")
    expect(second).to_contain_text("9 AM to 10:30 PM")
    rules = next(
        each
        for each in api(OWNER).get("/api/admin/rules").json()
        if (each["state"], each["validFrom"]) == (state, "2027-06-01")
    )
    assert rules["rules"]["buckets"][0]["limit"] == [{"value": 56_700, "source": "Law 6"}]


def test_the_version_that_counts_today_is_in_force_and_an_earlier_one_replaced(page: Page, api: Api) -> None:
    for day in ("2026-01-01", "2026-02-01", "2026-03-01"):
        number = add(api, "ME", day)
        if day != "2026-03-01":
            api(OWNER).post(f"/api/admin/rules/{number}/review", json={"choices": {}}).raise_for_status()
    sign_in(page, OWNER, to="/admin/rules")
    rows = page.get_by_role("list", name="Rules of Maine").get_by_role("listitem")
    for row, status in enumerate(("Draft: not reviewed", "In force", "Reviewed, replaced")):
        expect(rows.nth(row)).to_contain_text(status)


def test_the_second_of_two_owners_is_told_that_it_was_reviewed(page: Page, api: Api) -> None:
    number = add(api, "SD", "2026-01-01", vehicleValue=TWO_VALUES)
    sign_in(page, OWNER, to="/admin/rules")
    page.get_by_role("button", name="South Dakota, from Jan 01, 2026").click()
    row = version(page, "South Dakota, from Jan 01, 2026")
    row.get_by_role("radio", name="At most $5,000.00").click()
    row.get_by_role("button", name="Mark as Reviewed").click()
    asked = page.get_by_role("dialog", name="Mark as reviewed?")
    expect(asked).to_be_visible()
    api(OWNER).post(f"/api/admin/rules/{number}/review", json={"choices": {"vehicleValue": 1}}).raise_for_status()
    asked.get_by_role("button", name="Mark as Reviewed").click()
    expect(toast(page)).to_contain_text("These rules have been reviewed already.")
    expect(asked).to_have_count(0)
    expect(row).to_contain_text("In force")
    expect(row.get_by_text("Chosen", exact=True).locator("xpath=..")).to_contain_text("At most $10,000.00")


def test_a_viewer_sees_the_rules_without_buttons_and_as_they_are_added(page: Page, api: Api) -> None:
    add(api, "ND", "2026-01-01", vehicleValue=TWO_VALUES)
    email = new_email()
    sign_in(page, email)
    [person] = api(OWNER).get("/api/admin/users", params={"q": email}).json()
    api(OWNER).put(f"/api/admin/users/{person['id']}/role", json={"role": "viewer"}).raise_for_status()
    page.goto("/admin/rules")
    page.get_by_role("button", name="North Dakota, from Jan 01, 2026").click()
    row = version(page, "North Dakota, from Jan 01, 2026")
    expect(row).to_contain_text("At most $10,000.00")
    expect(page.get_by_role("radio")).to_have_count(0)
    for name in ("Add Draft", "Mark as Reviewed", "New Version"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    add(api, "ND", "2026-02-01")
    expect(page.get_by_role("button", name="North Dakota, from Feb 01, 2026")).to_be_visible()
    expect(row).to_contain_text("At most $10,000.00")  # stays opened


def test_while_rules_are_applied_the_page_names_the_states_whose_orders_are_refused(page: Page, api: Api) -> None:
    number = add(api, "AK", "2026-01-01")
    settings = api(OWNER)
    applied = {"enforceJurisdiction": True, "reason": "Reviewed."}
    settings.put("/api/admin/settings", json=applied).raise_for_status()
    try:
        sign_in(page, OWNER, to="/admin/rules")
        refusal = page.get_by_text("Orders to Alaska are refused: none of these versions counts today.")
        expect(refusal).to_be_visible()
        expect(page.get_by_text("Rules are not applied.")).to_have_count(0)
        settings.post(f"/api/admin/rules/{number}/review", json={"choices": {}}).raise_for_status()
        expect(refusal).to_have_count(0)
    finally:
        settings.put("/api/admin/settings", json=applied | {"enforceJurisdiction": False}).raise_for_status()
    expect(page.get_by_text("Rules are not applied.")).to_be_visible()


def test_a_reconnect_keeps_what_was_chosen_and_typed(page: Page, api: Api) -> None:
    socket = SocketProxy(page)
    add(api, "MI", "2026-01-01", vehicleValue=TWO_VALUES)
    sign_in(page, OWNER, to="/admin/rules")
    page.get_by_role("button", name="Michigan, from Jan 01, 2026").click()
    row = version(page, "Michigan, from Jan 01, 2026")
    row.get_by_role("radio", name="At most $10,000.00").click()
    row.get_by_role("button", name="New Version").click()
    source = page.get_by_role("form", name="New version").get_by_label("Source of the whole version")
    source.fill("Act 7")
    with page.expect_websocket():
        socket.cut()
    add(api, "MI", "2026-02-01")  # shown once the page has loaded again
    expect(page.get_by_text("Michigan, from Feb 01, 2026")).to_be_visible()  # behind the dialog
    expect(source).to_have_value("Act 7")
    page.keyboard.press("Escape")
    expect(row.get_by_role("radio", name="At most $10,000.00")).to_be_checked()
    row.get_by_role("button", name="New Version").click()
    expect(source).to_be_visible()
    page.goto("/admin/products")
    page.goto("/admin/rules")
    expect(page.get_by_role("button", name="Michigan, from Jan 01, 2026")).to_be_visible()
    expect(source).to_have_count(0)
