"""A recall: rehearsed, ordered after a question, read by its buyer, and not handed over (RULE recalls-page)."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders import draft
from tests.e2e.acts import OWNER, create_product, horizontal_overflow, new_email, sign_in_by_request, toast
from tests.e2e.conftest import BOTH_SIZES, DESKTOP, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]
REASON = "The laboratory found mould"


class Sold(NamedTuple):
    """A batch with one order of it."""

    product: str
    batch: int
    buyer: str
    order: str
    number: int


@pytest.fixture
def sold(api: Api) -> Sold:
    product = create_product(api, price="120.00", stock=0)
    body = {"code": "FH-2611", "productId": product["id"], "units": 9, "isApproved": True}
    batch = api(OWNER).post("/api/admin/batches", json=body)
    batch.raise_for_status()
    buyer = new_email()
    api(buyer).post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).raise_for_status()
    placed = api(buyer).post("/api/orders", json=draft(items=[{"productId": product["id"], "quantity": 2}]))
    placed.raise_for_status()
    return Sold(product["name"], batch.json()["id"], buyer, placed.json()["id"], placed.json()["number"])


def recall(api: Api, sold: Sold) -> None:
    body = {"batchId": sold.batch, "reason": REASON}
    api(OWNER).post("/api/admin/recalls", json=body).raise_for_status()


def form(page: Page, name: str) -> Locator:
    return page.get_by_role("form", name=name, exact=True)


def find(page: Page, sold: Sold) -> Locator:
    """Search in the first dialog; returns the form of the second, in which the batch can be chosen."""
    first = form(page, "Find a batch")
    first.get_by_label("Product or batch").fill("no such product")
    first.get_by_role("button", name="Find Batches").click()
    expect(first.get_by_text("No batch was found that can be recalled.")).to_be_visible()
    first.get_by_label("Product or batch").fill(sold.product.lower())
    first.get_by_role("button", name="Find Batches").click()
    dialog = form(page, "Batch")
    expect(dialog).to_be_visible()
    return dialog


def choose(dialog: Locator, sold: Sold) -> None:
    dialog.get_by_label("Batch").select_option(f"{sold.product}, batch FH-2611: 7 units")


def expect_fits(page: Page, name: str) -> None:
    """Accessible, and not wider than the narrowest phone."""
    expect_accessible(page, name)
    assert horizontal_overflow(page) == 0
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 320, "height": 800})
    assert horizontal_overflow(page) == 0
    page.set_viewport_size(size)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_drill_shows_what_a_recall_would_do_and_changes_nothing(
    new_page: Callable[..., Page], api: Api, sold: Sold, size: tuple[int, int]
) -> None:
    before = api(OWNER).get("/api/admin/recalls").json()
    page = new_page(size)
    sign_in_by_request(page, OWNER)
    page.goto("/admin/recalls")
    page.get_by_role("button", name="Drill", exact=True).click()
    dialog = find(page, sold)
    dialog.get_by_role("button", name="Start Drill").click()
    expect(dialog.get_by_text("Choose a batch.")).to_be_visible()
    choose(dialog, sold)
    dialog.get_by_role("button", name="Start Drill").click()
    drill = page.get_by_role("region", name="Drill", exact=True)
    expect(drill).to_be_focused()
    expect(drill.get_by_text("Nothing was changed, and nobody was written to.")).to_be_visible()
    for fact in ("Not to be handed over1", "Emails1", "Units in orders2", "Units set aside7", "Coverage100%"):
        expect(drill).to_contain_text(fact)
    expect(drill).to_contain_text("ms")
    expect_fits(page, "a drill")
    assert api(OWNER).get("/api/admin/recalls").json() == before


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_batch_is_recalled_after_a_question_that_says_whom_it_concerns(
    new_page: Callable[..., Page], api: Api, sold: Sold, size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_by_request(page, OWNER)
    page.goto("/admin/recalls")
    page.get_by_role("button", name="Recall a Batch").click()
    dialog = find(page, sold)
    choose(dialog, sold)
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_text("A reason of 1 to 200 characters is required.")).to_be_visible()
    dialog.get_by_label("Reason").fill(REASON)
    expect_accessible(page, "the form of a recall")
    dialog.get_by_role("button", name="Continue").click()
    question = page.get_by_role("dialog", name=f"Recall {sold.product}, batch FH-2611?")
    expect(question).to_contain_text("This concerns 1 order of 1 buyer. 1 order is not delivered yet")
    expect_accessible(page, "the question before a recall")
    question.get_by_role("button", name="Recall Batch").click()
    expect(toast(page)).to_contain_text("Batch recalled")
    expect(page.get_by_role("heading", name=f"{sold.product}, batch FH-2611", level=1)).to_be_visible()
    stop = page.get_by_role("list", name="Do not hand over").get_by_role("listitem")
    expect(stop).to_contain_text("Not read yet")
    expect(page.get_by_role("main")).to_contain_text("Have read the notice0 of 1")
    expect_fits(page, "a recall")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV for the Regulator").click()
    assert str(sold.number) in download.value.path().read_text()
    api(sold.buyer).post(f"/api/orders/{sold.order}/recall-read").raise_for_status()
    expect(page.get_by_role("main")).to_contain_text("Have read the notice1 of 1")
    stop.get_by_role("link", name=f"Order {sold.number}").click()
    banner = page.get_by_role("region", name="Recall")
    expect(banner).to_contain_text("Do not hand over: a product in this order was recalled.")
    expect(banner).to_contain_text(f"Batch FH-2611 of {sold.product}: {REASON}. Read by the customer")
    expect_fits(page, "a recalled order for staff")
    page.goto("/admin/recalls")
    expect(
        page.get_by_role("list", name="Recalls").get_by_role("listitem").filter(has_text=sold.product)
    ).to_have_count(1)
    expect_fits(page, "recalls")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_an_open_order_page_says_by_itself_what_was_recalled_and_its_buyer_reads_it(
    new_page: Callable[..., Page], api: Api, sold: Sold, size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_by_request(page, sold.buyer)
    page.goto(f"/orders/{sold.order}")
    expect(page.get_by_role("heading", name=f"Order {sold.number}", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="Recall")).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("Please have exactly $180.00 in cash ready.")
    recall(api, sold)
    expect(page.get_by_text("We will not deliver this order.")).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text("in cash ready")
    expect(page.get_by_role("region", name="Cash to prepare")).to_have_count(0)
    banner = page.get_by_role("region", name="Recall")
    expect(banner).to_contain_text(f"Batch FH-2611 of {sold.product} was recalled. The reason: {REASON}.")
    expect(banner).to_contain_text("Please do not use it")
    expect_fits(page, "an order with a recall")
    banner.get_by_role("button", name="I have read this").click()
    expect(toast(page)).to_contain_text("We know that you have read it.")
    expect(banner).to_contain_text("You read this on")
    expect(banner.get_by_role("button")).to_have_count(0)
    expect_fits(page, "an order whose recall was read")
    assert api(OWNER).get(f"/api/admin/recalls/{sold.batch}").json()["readers"] == 1


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_packing_slip_names_the_batches_and_stops_at_a_recall(
    new_page: Callable[..., Page], api: Api, sold: Sold, size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/orders/{sold.order}/slip")
    batches = page.get_by_role("list", name=f"Batches of {sold.product}")
    expect(batches).to_have_text("2 units of FH-2611")
    expect(page.get_by_role("main")).to_contain_text("Cash to collect$180.00")
    recall(api, sold)
    expect(batches).to_have_text("2 units of FH-2611 · Recalled")
    expect(page.get_by_role("main")).to_contain_text("A batch was recalled. Do not hand over.")
    expect(page.get_by_role("main")).not_to_contain_text("Cash to collect")
    expect_fits(page, "the packing slip of a recalled order")


def test_staff_who_may_not_recall_have_no_link_to_recalls(new_page: Callable[..., Page], api: Api) -> None:
    email = new_email()
    user = api(email).get("/api/auth/user").json()
    api(OWNER).put(f"/api/admin/users/{user['id']}/role", json={"role": "support"}).raise_for_status()
    page = new_page(DESKTOP)
    sign_in_by_request(page, email)
    page.goto("/admin?tab=orders")
    rail = page.get_by_role("navigation", name="Admin")
    expect(rail.get_by_role("link", name="Return to Store")).to_be_visible()
    expect(rail.get_by_role("link", name="Recalls")).to_have_count(0)
