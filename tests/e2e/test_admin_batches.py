"""Batches on a product's admin page, and their lab report in the store (RULE batch-keeping, RULE batch-reports)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, create_product, horizontal_overflow, new_email, sign_in, toast
from tests.e2e.conftest import BOTH_SIZES, DESKTOP, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]

PANELS = dict.fromkeys(("pesticides", "heavyMetals", "residualSolvents", "microbials"), "Not Detected")
REPORT = {"reportedOn": "2026-02-28", **PANELS}


def receive(api: Api, product: int, code: str, **values: object) -> None:
    body = {"productId": product, "code": code, "units": 10, **values}
    api(OWNER).post("/api/admin/batches", json=body).raise_for_status()


def batch(page: Page, code: str) -> Locator:
    return page.get_by_role("table", name="Batches").get_by_role("row").filter(has_text=code)


def fill_report_except_pesticides(form: Locator) -> None:
    form.get_by_label("Reported").fill("2026-02-28")
    for panel in ("Heavy Metals", "Residual Solvents", "Microbials"):
        form.get_by_label(panel).fill("Not Detected")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_batch_is_received_and_held_and_the_product_page_has_the_report_of_the_batch_sold_next(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int]
) -> None:
    product = create_product(api, stock=0)["id"]
    receive(api, product, "LATE-2", expiresOn="2999-05-02", report=REPORT)
    page = new_page(size)
    sign_in(page, OWNER, to=f"/admin/products/{product}")
    page.get_by_role("button", name="Receive Batch").click()
    form = page.get_by_role("form", name="Batch", exact=True)
    expect(form.get_by_label("Approved by the state")).to_be_checked()
    form.get_by_label("Code").fill("SOON-1")
    form.get_by_label("Units").fill("some")
    form.get_by_label("Last day").fill("2999-01-31")
    form.get_by_label("THC %").fill("22.4")
    form.get_by_label("Unit cost, $").fill("18.50")
    fill_report_except_pesticides(form)
    form.get_by_role("button", name="Receive Batch").click()
    expect(form.get_by_text("How many units came: a whole number from 1 to 1,000,000.")).to_be_visible()
    expect(form.get_by_text("A result of 1 to 80 characters is required, such as Not Detected.")).to_have_count(1)
    expect_accessible(page, "the form of a batch")
    form.get_by_label("Units").fill("48")
    form.get_by_label("Pesticides").fill("0.1 ppm")
    form.get_by_role("button", name="Receive Batch").click()
    expect(toast(page)).to_contain_text("Batch received")
    expect(batch(page, "SOON-1")).to_contain_text("48")
    expect(batch(page, "SOON-1")).to_contain_text("For sale")
    expect(page.get_by_text("Now 58")).to_be_visible()
    assert api(OWNER).get(f"/api/products/{product}").json()["labReport"]["lot"] == "SOON-1"

    page.get_by_role("button", name="Hold SOON-1").click()
    step = page.get_by_role("form", name="Batch step")
    step.get_by_role("button", name="Hold Batch").click()
    expect(step.get_by_text("A reason of 1 to 200 characters is required.")).to_be_visible()
    step.get_by_label("Reason").fill("A jar smelled of mould")
    step.get_by_role("button", name="Hold Batch").click()
    expect(toast(page)).to_contain_text("Batch held")
    expect(batch(page, "SOON-1")).to_contain_text("Held")
    expect(batch(page, "SOON-1")).to_contain_text("A jar smelled of mould")
    expect(page.get_by_text(re.compile("Now (low)?10"))).to_be_visible()
    assert horizontal_overflow(page) == 0
    expect_accessible(page, "the batches of a product")

    page.goto(f"/product/{product}")
    page.get_by_role("tab", name="Lab Results").click()
    expect(page.get_by_text("Report of Feb 28, 2026 · Lot LATE-2")).to_be_visible()


def test_a_batch_is_released_corrected_and_edited(new_page: Callable[..., Page], api: Api) -> None:
    product = create_product(api, stock=0)["id"]
    receive(api, product, "A1", report=REPORT, thcPercent=22.4)
    page = new_page((320, 700))
    sign_in(page, OWNER, to=f"/admin/products/{product}")
    page.get_by_role("button", name="Hold A1").click()
    step = page.get_by_role("form", name="Batch step")
    step.get_by_label("Reason").fill("Mould")
    step.get_by_role("button", name="Hold Batch").click()
    page.get_by_role("button", name="Release A1").click()
    step.get_by_label("Reason").fill("Tested again")
    step.get_by_role("button", name="Release Batch").click()
    expect(batch(page, "A1")).to_contain_text("For sale")
    page.get_by_role("button", name="Adjust units of A1").click()
    expect(step.get_by_text("It has 10 for sale and 0 set aside.")).to_be_visible()
    for wrong, said in (("some", "Enter how many to add"), ("-11", "Only 10 of "), ("0", "Enter how many to add")):
        step.get_by_label("Change").fill(wrong)
        step.get_by_label("Reason").fill("Two jars were broken")
        step.get_by_role("button", name="Adjust Units").click()
        expect(page.get_by_text(said).first).to_be_visible()
    step.get_by_label("Change").fill("−2")
    step.get_by_role("button", name="Adjust Units").click()
    expect(batch(page, "A1")).to_contain_text("8")
    expect(page.get_by_text(re.compile("Now (low)?8"))).to_be_visible()
    page.get_by_role("button", name="Edit A1").click()
    form = page.get_by_role("form", name="Batch", exact=True)
    expect(form.get_by_label("Pesticides")).to_have_value("Not Detected")
    expect(form.get_by_label("Units")).to_have_count(0)
    form.get_by_label("Code").fill("B2")
    form.get_by_label("Approved by the state").uncheck()
    assert form.locator("> div").evaluate("fields => fields.scrollWidth - fields.clientWidth") == 0
    form.get_by_role("button", name="Save Batch").click()
    expect(batch(page, "B2")).to_contain_text("Not approved")
    assert horizontal_overflow(page) == 0
    (kept,) = api(OWNER).get("/api/admin/batches", params={"productId": product}).json()
    assert (kept["report"], kept["thcPercent"], kept["setAside"]) == (REPORT, 22.4, 8)


def test_what_a_colleague_changed_meanwhile_is_marked_and_replaced_by_a_second_press(page: Page, api: Api) -> None:
    product = create_product(api, stock=0)["id"]
    receive(api, product, "A1", report=REPORT)
    (made,) = api(OWNER).get("/api/admin/batches", params={"productId": product}).json()
    sign_in(page, OWNER, to=f"/admin/products/{product}")
    page.get_by_role("button", name="Edit A1").click()
    form = page.get_by_role("form", name="Batch", exact=True)
    form.get_by_label("Code").fill("MINE")
    changed = {"code": "THEIRS", "report": REPORT, "unitCost": "9.00"}
    api(OWNER).put(f"/api/admin/batches/{made['id']}", json=changed).raise_for_status()
    form.get_by_role("button", name="Save Batch").click()
    said = "Someone else has set this to “THEIRS” in the meantime. Save again to replace it."
    expect(form.get_by_text(said)).to_be_visible()
    form.get_by_role("button", name="Save Batch").click()
    expect(batch(page, "MINE")).to_be_visible()


def test_staff_who_may_not_keep_batches_see_them_without_buttons(new_page: Callable[..., Page], api: Api) -> None:
    product = create_product(api, stock=0)["id"]
    receive(api, product, "A1")
    email = new_email()
    user = api(email).get("/api/auth/user").json()
    api(OWNER).put(f"/api/admin/users/{user['id']}/role", json={"role": "support"}).raise_for_status()
    page = new_page(DESKTOP)
    sign_in(page, email, to=f"/admin/products/{product}")
    expect(batch(page, "A1")).to_contain_text("For sale")
    expect(page.get_by_role("button", name="Receive Batch")).to_have_count(0)
    expect(batch(page, "A1").get_by_role("button")).to_have_count(0)
