"""A run's page, its sheet, and entering it from paper (RULE run-page, RULE run-sheet, RULE paper)."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.e2e.acts import OWNER, horizontal_overflow, sign_in, toast
from tests.e2e.conftest import DESKTOP, PHONE, Api
from tests.e2e.test_accessibility import expect_accessible
from tests.e2e.test_admin_dispatch import place

pytestmark = pytest.mark.browser


def a_run_that_is_out(api: Api, *numbers: int) -> dict[str, Any]:
    owner = api(OWNER)
    ids = [owner.get("/api/admin/orders", params={"q": str(number)}).json()[0]["id"] for number in numbers]
    driver = owner.get("/api/admin/drivers").json()[0]["id"]
    day = clock.today(get_settings().timezone).isoformat()
    planned = owner.post("/api/admin/runs", json={"day": day, "driverId": driver, "orderIds": ids})
    planned.raise_for_status()
    left = owner.post(f"/api/admin/runs/{planned.json()['id']}/depart")
    left.raise_for_status()
    return dict(left.json())


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_a_run_is_printed_and_entered_from_paper(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int]
) -> None:
    one, two = place(api), place(api)
    run = a_run_that_is_out(api, one, two)
    cash = [stop["order"]["cash"] for stop in run["stops"]]
    page = new_page(size)
    sign_in(page, OWNER, to=f"/admin/runs/{run['id']}")
    expect(page.get_by_role("heading", name=f"Run {run['id']}")).to_be_visible()
    assert horizontal_overflow(page) == 0
    page.get_by_role("link", name="Sheet").click()
    stops = page.get_by_role("list", name="Stops")
    expect(stops.get_by_role("heading")).to_have_count(2)
    expect(stops.get_by_text("ID: 21 or older").first).to_be_visible()
    expect_accessible(page, "the sheet of a run")
    assert horizontal_overflow(page) == 0
    page.get_by_role("link", name="Back to the run").click()
    page.get_by_role("button", name="Enter from Paper").click()
    form = page.get_by_role("form", name="From paper")
    expect(page.get_by_role("heading", name=f"1. Order {one}")).to_be_visible()
    form.get_by_role("button", name="Save and Next").click()
    expect(form.get_by_text("It can only be delivered if the ID was accepted")).to_be_visible()
    form.get_by_label("All three ID boxes are ticked").check()
    form.get_by_label("Cash counted").fill(cash[0])
    form.get_by_role("button", name="Save and Next").click()
    expect(page.get_by_role("heading", name=f"2. Order {two}")).to_be_visible()
    form.get_by_label("What happened").select_option("failed")
    form.get_by_label("Why").select_option("not_home")
    expect_accessible(page, "entering from paper")
    form.get_by_role("button", name="Save and Next").click()
    expect(toast(page)).to_contain_text("Entered from paper")
    main = page.get_by_role("main")
    expect(main.get_by_text("Delivered", exact=True)).to_be_visible()
    expect(main.get_by_text("Not delivered", exact=True)).to_be_visible()
    owner = api(OWNER)
    owner.post(f"/api/admin/runs/{run['id']}/close").raise_for_status()
    assert owner.get(f"/api/admin/runs/{run['id']}/sheet.pdf").content.startswith(b"%PDF-")
    expect(page.get_by_text("closed", exact=True)).to_be_visible()
