"""The age gate, word for word (RULE age-gate)."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.acts import pass_age_gate, toast

pytestmark = pytest.mark.browser

STORED = "() => [localStorage.ageVerified, localStorage.ageVerifiedDate]"


def test_an_adult_passes_the_gate_for_a_day(page: Page) -> None:
    pass_age_gate(page)
    expect(toast(page)).to_contain_text("Age Verified ✓")
    verified, at = page.evaluate(STORED)
    assert verified == "true"
    assert abs(datetime.fromisoformat(at) - datetime.now(UTC)) < timedelta(minutes=1)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_after_the_gate_the_focus_is_on_the_heading(page: Page) -> None:
    pass_age_gate(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_after_a_day_the_gate_is_back_and_the_stored_values_gone(page: Page) -> None:
    pass_age_gate(page)
    yesterday = (datetime.now(UTC) - timedelta(hours=24, minutes=1)).isoformat()
    page.evaluate(f"() => {{ localStorage.ageVerifiedDate = {json.dumps(yesterday)} }}")
    page.reload()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate(STORED) == [None, None]


def test_the_gate_cannot_be_escaped(page: Page) -> None:
    page.goto("/")
    gate = page.get_by_role("dialog")
    expect(gate).to_be_visible()
    expect(gate.get_by_role("heading", name="You must be 21 or older to enter.")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(gate).to_be_visible()


def test_an_empty_date_is_asked_for(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="I am 21 or older").click()
    expect(toast(page)).to_contain_text("Date Required")
    expect(toast(page)).to_contain_text("Please enter your date of birth.")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_label("Date of birth")).to_have_accessible_description(
        re.compile("Please enter your date of birth.")
    )


def test_a_minor_sees_the_servers_sentence(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Date of birth").fill("2015-01-01")
    page.get_by_role("button", name="I am 21 or older").click()
    expect(toast(page)).to_contain_text("Access Denied")
    expect(toast(page)).to_contain_text("You must be 21 or older to enter this store.")
    assert page.evaluate(STORED) == [None, None]


@pytest.mark.parametrize("answer", ["abort", "not json", "error"])
def test_a_failed_check_says_so(page: Page, answer: str) -> None:
    def fail(route: Route) -> None:
        if answer == "abort":
            route.abort()
        else:
            route.fulfill(status=200 if answer == "not json" else 500, body="<html>")

    page.route("**/api/verify-age", fail)
    page.goto("/")
    page.get_by_label("Date of birth").fill("1990-01-01")
    page.get_by_role("button", name="I am 21 or older").click()
    expect(toast(page)).to_contain_text("Verification Error")
    expect(toast(page)).to_contain_text("Failed to verify age. Please try again.")


def test_errors_before_hydration_stay(page: Page) -> None:
    held: list[Route] = []
    is_holding = True
    page.route(re.compile("/assets/.*[.]js"), lambda route: held.append(route) if is_holding else route.continue_())
    page.goto("/")
    page.get_by_role("button", name="I am 21 or older").click()
    message = page.get_by_role("dialog").get_by_text("Please enter your date of birth.")
    expect(message).to_be_visible()
    is_holding = False
    for route in held:
        route.continue_()
    expect(toast(page)).to_contain_text("Date Required")
    expect(message).to_be_visible()


def test_under_21_leads_away(page: Page) -> None:
    page.route("https://www.google.com/**", lambda route: route.fulfill(body="elsewhere"))
    page.goto("/")
    page.get_by_role("button", name="I am under 21").click()
    page.wait_for_url("https://www.google.com/")
