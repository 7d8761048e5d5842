"""A run's page, its sheet, and entering it from paper (RULE run-page, RULE run-sheet, RULE paper)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from ulid import ULID

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.e2e.acts import OWNER, horizontal_overflow, new_email, sign_in, sign_in_by_request, toast
from tests.e2e.conftest import BOTH_SIZES, PHONE, Api
from tests.e2e.test_accessibility import expect_accessible
from tests.e2e.test_admin_dispatch import place

pytestmark = [pytest.mark.browser, pytest.mark.staff, pytest.mark.usefixtures("no_runs")]


def a_run_that_is_out(api: Api, *numbers: int) -> dict[str, Any]:
    """Its driver is the owner."""
    owner = api(OWNER)
    ids = [owner.get("/api/admin/orders", params={"q": str(number)}).json()[0]["id"] for number in numbers]
    driver = owner.get("/api/auth/user").json()["id"]
    day = clock.today(get_settings().timezone).isoformat()
    planned = owner.post("/api/admin/runs", json={"day": day, "driverId": driver, "orderIds": ids})
    planned.raise_for_status()
    left = owner.post(f"/api/admin/runs/{planned.json()['id']}/depart")
    left.raise_for_status()
    return dict(left.json())


@pytest.mark.parametrize("size", BOTH_SIZES)
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
    reports = main.get_by_role("list", name=f"Reports of order {two}").get_by_role("listitem")
    expect(reports).to_have_count(2)
    expect(reports.last).to_contain_text("Couldn't deliver: Not home")
    expect(reports.last).to_contain_text("from paper")
    expect_accessible(page, "a run with reports")
    assert horizontal_overflow(page) == 0
    owner = api(OWNER)
    owner.post(f"/api/admin/runs/{run['id']}/close").raise_for_status()
    assert owner.get(f"/api/admin/runs/{run['id']}/sheet.pdf").content.startswith(b"%PDF-")
    expect(page.get_by_text("closed", exact=True)).to_be_visible()


def test_change_kept_as_credit_can_be_entered_from_paper(new_page: Callable[..., Page], api: Api) -> None:
    offered = {"keepChangeAsCredit": True, "reason": "test"}
    api(OWNER).put("/api/admin/settings", json=offered).raise_for_status()
    number = place(api)
    run = a_run_that_is_out(api, number)
    page = new_page(PHONE)
    sign_in(page, OWNER, to=f"/admin/runs/{run['id']}")
    page.get_by_role("button", name="Enter from Paper").click()
    form = page.get_by_role("form", name="From paper")
    form.get_by_label("All three ID boxes are ticked").check()
    form.get_by_label("Cash counted").fill("9999.00")
    form.get_by_label("The customer gets the change as store credit").check()
    form.get_by_role("button", name="Save and Next").click()
    expect(form.get_by_text("This change cannot become credit.")).to_be_visible()
    expect_accessible(page, "entering kept change from paper")
    assert horizontal_overflow(page) == 0
    paid = float(run["stops"][0]["order"]["cash"]) + 7.5
    form.get_by_label("Cash counted").fill(f"{paid:.2f}")
    form.get_by_role("button", name="Save and Next").click()
    expect(toast(page)).to_contain_text("Entered from paper")
    expect(page.get_by_role("main")).to_contain_text(f"Cash counted: ${paid:.2f}, change kept as credit")
    api(OWNER).post(f"/api/admin/runs/{run['id']}/close").raise_for_status()
    api(OWNER).put("/api/admin/settings", json=offered | {"keepChangeAsCredit": False}).raise_for_status()


def test_the_paper_form_asks_only_for_what_the_phone_has_not_reported(new_page: Callable[..., Page], api: Api) -> None:
    number = place(api)
    run = a_run_that_is_out(api, number)
    answers = {"ofAge": True, "nameMatches": True, "notExpired": True}
    for seq, (kind, data) in enumerate((("arrived", {}), ("id_checked", answers)), start=1):
        event = {"key": str(ULID()), "seq": seq, "stopId": run["stops"][0]["id"], "kind": kind, "data": data}
        sent = api(OWNER).post("/api/driver/events", json=[event | {"at": clock.iso(clock.now())}])
        assert sent.json()[0]["result"] == "applied"
    page = new_page(PHONE)
    sign_in(page, OWNER, to=f"/admin/runs/{run['id']}")
    reports = page.get_by_role("list", name=f"Reports of order {number}")
    expect(reports.get_by_text("ID accepted")).to_be_visible()
    page.get_by_role("button", name="Enter from Paper").click()
    form = page.get_by_role("form", name="From paper")
    expect(form.get_by_text("Reported already: arrived, ID accepted")).to_be_visible()
    expect(form.get_by_role("checkbox")).to_have_count(0)
    form.get_by_label("Cash counted").fill(run["stops"][0]["order"]["cash"])
    form.get_by_label("Cash counted").press("Enter")
    expect(toast(page)).to_contain_text("Entered from paper")
    expect(reports.get_by_text("Bag placed")).to_be_visible()
    expect(page.get_by_role("button", name="Enter from Paper")).to_have_count(0)
    with page.expect_download() as sheet:
        page.get_by_role("link", name="PDF").click()
    assert sheet.value.suggested_filename == f"run-{run['id']}.pdf"
    api(OWNER).post(f"/api/admin/runs/{run['id']}/close").raise_for_status()
    expect(page.get_by_text("closed", exact=True)).to_be_visible()  # the download has not ended live updates
    expect(page.get_by_role("link", name="Drive", exact=True)).to_have_count(0)


def download(page: Page, name: str) -> tuple[str, bytes]:
    with page.expect_download() as begun:
        page.get_by_role("link", name=name, exact=True).click()
    return begun.value.suggested_filename, Path(begun.value.path()).read_bytes()


def test_sheet_and_labels_are_downloaded_while_the_pages_stay_live(new_page: Callable[..., Page], api: Api) -> None:
    owner, number = api(OWNER), place(api)
    run = a_run_that_is_out(api, number)
    order_id = run["stops"][0]["order"]["orderId"]
    on_run, on_order = new_page(), new_page(PHONE)
    sign_in(on_run, OWNER, to=f"/admin/runs/{run['id']}")
    sign_in(on_order, OWNER, to=f"/admin/orders/{order_id}")
    name, content = download(on_run, "Labels")
    assert (name, content[:5]) == (f"run-{run['id']}-labels.pdf", b"%PDF-")
    assert download(on_run, "PDF")[0] == f"run-{run['id']}.pdf"
    name, content = download(on_order, "Label")
    assert (name, content[:5]) == (f"order-{number}-label.pdf", b"%PDF-")
    assert horizontal_overflow(on_order) == 0
    owner.put(f"/api/admin/orders/{order_id}", json={"status": "cancelled"}).raise_for_status()
    expect(on_run.get_by_role("link", name="Labels", exact=True)).to_have_count(0)
    expect(on_order.get_by_role("link", name="Label", exact=True)).to_have_count(0)
    owner.post(f"/api/admin/runs/{run['id']}/close").raise_for_status()


def test_only_the_driver_of_a_run_that_is_out_sees_the_link_drive_on_its_page(
    new_page: Callable[..., Page], api: Api
) -> None:
    run = a_run_that_is_out(api, place(api))
    other = new_email()
    user = api(other).get("/api/auth/user").json()
    api(OWNER).put(f"/api/admin/users/{user['id']}/role", json={"role": "manager"}).raise_for_status()
    page = new_page(PHONE)
    link = page.get_by_role("link", name="Drive", exact=True)
    for email, count in ((other, 0), (OWNER, 1)):
        sign_in_by_request(page, email)
        page.goto(f"/admin/runs/{run['id']}")
        expect(page.get_by_role("heading", name=f"Run {run['id']}")).to_be_visible()
        expect(link).to_have_count(count)
    assert horizontal_overflow(page) == 0
    link.click()
    expect(page.get_by_role("heading", name="Your run", level=1)).to_be_visible()
    stop = f"/api/admin/runs/{run['id']}/stops/{run['stops'][0]['id']}/paper"
    api(OWNER).post(stop, json={"outcome": "failed", "reason": "not_home"}).raise_for_status()
    api(OWNER).post(f"/api/admin/runs/{run['id']}/close").raise_for_status()
