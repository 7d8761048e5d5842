"""The wish for batches at the checkout, and the question that follows from it (RULE batch-question)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders import draft
from tests.e2e.acts import (
    OWNER,
    create_product,
    fill_checkout,
    horizontal_overflow,
    new_email,
    place_button,
    run_sql,
    sign_in_as_adult,
    sign_in_by_request,
    toast,
)
from tests.e2e.conftest import BOTH_SIZES, PHONE, Api, Store
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser
ZIP, WISH = "04101", "If we pack from another batch"


@dataclass(frozen=True)
class Sold:
    """A product with two batches, far from each other in THC; `A1` is sold first."""

    id: int
    name: str


@pytest.fixture
def sold(store: Store, api: Api) -> Iterator[Sold]:
    run_sql(store, "INSERT INTO zones (id, name) VALUES (41, 'Casco Bay')")
    run_sql(store, "INSERT INTO zone_zips (zip_code, zone_id) VALUES (:zip, 41)", zip=ZIP)
    product = create_product(api, price="120.00", stock=0)
    for code, last, thc in (("A1", "2999-01-31", 20.4), ("C1", "2999-05-02", 25.1)):
        body = {"productId": product["id"], "code": code, "units": 9, "expiresOn": last, "thcPercent": thc}
        api(OWNER).post("/api/admin/batches", json=body).raise_for_status()
    yield Sold(product["id"], product["name"])
    run_sql(store, "DELETE FROM zones WHERE id = 41")


def wish(page: Page) -> Locator:
    return page.get_by_role("group", name=WISH)


def question(page: Page) -> Locator:
    return page.get_by_role("region", name="May we pack another batch?")


def choose(radio: Locator) -> None:
    """It is chosen once the server says so, a moment later."""
    radio.click()
    expect(radio).to_be_checked()


def open_checkout(page: Page, product_id: int) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    answer = page.request.post("/api/cart", data={"productId": product_id, "quantity": 2})
    assert answer.ok, answer.text()
    page.goto("/checkout")
    expect(page.get_by_label("First name", exact=True)).to_be_visible()


def place(page: Page, sold: Sold, **values: str) -> str:
    """The order's id."""
    sign_in_as_adult(page, new_email(), to=None)
    home = f"12 Commercial Street, Portland, ME {ZIP}"
    body = draft(items=[{"productId": sold.id, "quantity": 2}], deliveryAddress=home, **values)
    answer = page.request.post("/api/orders", data=body)
    assert answer.ok, answer.text()
    return str(answer.json()["id"])


def open_as_staff(new_page: Callable[..., Page], size: tuple[int, int], order: str) -> Page:
    staff = new_page(size)
    sign_in_by_request(staff, OWNER)
    staff.goto(f"/admin/orders/{order}")
    expect(staff.get_by_role("button", name="Change Batch A1")).to_be_visible()
    return staff


def pick(staff: Page, sold: Sold, submit: str) -> None:
    staff.get_by_role("button", name="Change Batch A1").click()
    dialog = staff.get_by_role("dialog", name=f"Another batch of {sold.name}")
    expect(dialog).to_contain_text("Now: 2 units of A1 · last day Jan 31, 2999 · THC 20.4%")
    expect(dialog.get_by_role("button", name="Change Batch")).to_have_attribute("aria-disabled", "true")
    choose(dialog.get_by_role("radio", name=re.compile(r"^C1 · last day May 02, 2999 · THC 25.1%")))
    expect_accessible(staff, "the dialog with other batches")
    assert horizontal_overflow(staff) == 0
    dialog.get_by_role("button", name=submit).click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_wish_is_chosen_at_the_checkout_and_changed_on_the_orders_page(
    new_page: Callable[..., Page], api: Api, sold: Sold, size: tuple[int, int]
) -> None:
    page = new_page(size)
    open_checkout(page, sold.id)
    expect(wish(page).get_by_role("radio", name="Ask me first")).to_be_checked()
    choose(wish(page).get_by_role("radio", name="Only with THC within 2 points"))
    fill_checkout(page, **{"State": "ME", "Zip code": ZIP})
    expect(wish(page).get_by_role("radio", name="Only with THC within 2 points")).to_be_checked()
    assert horizontal_overflow(page) == 0
    expect_accessible(page, "the wish at the checkout")
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    (order,) = page.request.get("/api/orders").json()
    assert order["delivery"]["substitution"] == "close"
    page.goto(f"/orders/{order['id']}")
    expect(wish(page).get_by_role("radio", name="Only with THC within 2 points")).to_be_checked()
    save = page.get_by_role("button", name="Save Choice")
    expect(save).to_have_attribute("aria-disabled", "true")
    choose(wish(page).get_by_role("radio", name="Any batch is fine"))
    assert horizontal_overflow(page) == 0
    save.click()
    expect(toast(page)).to_contain_text("We will pack your order as you chose.")
    expect(save).to_have_attribute("aria-disabled", "true")
    assert page.request.get(f"/api/orders/{order['id']}").json()["delivery"]["substitution"] == "any"
    api(OWNER).put(f"/api/admin/orders/{order['id']}", json={"status": "out_for_delivery"}).raise_for_status()
    expect(page.get_by_text("On its way.")).to_be_visible()
    expect(wish(page)).to_have_count(0)
    expect(page.get_by_text("Any batch is fine")).to_be_visible()


def test_a_cart_without_batches_is_not_asked_for_a_wish(new_page: Callable[..., Page], api: Api, sold: Sold) -> None:
    page = new_page(PHONE)
    open_checkout(page, create_product(api, price="120.00", stock=5)["id"])
    fill_checkout(page, **{"State": "ME", "Zip code": ZIP})
    expect(place_button(page)).to_be_enabled()
    expect(page.get_by_text(WISH)).to_have_count(0)
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    (order,) = page.request.get("/api/orders").json()
    page.goto(f"/orders/{order['id']}")
    expect(page.get_by_role("heading", name=f"Order {order['number']}")).to_be_visible()
    expect(page.get_by_text(WISH)).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
@pytest.mark.parametrize(
    ("answer", "said", "outcome", "batch"),
    [
        ("Yes, that batch is fine", "you said that batch C1 (THC 25.1%) is fine", "the customer said yes", "C1"),
        ("No, keep mine", "you keep batch A1 (THC 20.4%)", "the customer said no", "A1"),
    ],
    ids=["yes", "no"],
)
def test_a_customer_who_wants_to_be_asked_answers_and_staff_see_it(
    new_page: Callable[..., Page],
    sold: Sold,
    size: tuple[int, int],
    answer: str,
    said: str,
    outcome: str,
    batch: str,
) -> None:
    page = new_page(size)
    order = place(page, sold)
    page.goto(f"/orders/{order}")
    expect(wish(page).get_by_role("radio", name="Ask me first")).to_be_checked()
    staff = open_as_staff(new_page, size, order)
    expect(staff.get_by_text("The customer's wish: Ask me first.")).to_be_visible()
    pick(staff, sold, "Ask Customer")
    expect(toast(staff)).to_contain_text("You will see the answer here.")
    asked = staff.get_by_role("list", name=f"Questions about {sold.name}")
    expect(asked).to_contain_text("about C1 instead of A1: no answer yet.")
    expect(question(page)).to_contain_text(
        f"Your 2 units of {sold.name} are from batch A1 (THC 20.4%). "
        "We would like to pack from batch C1 (THC 25.1%) instead."
    )
    assert horizontal_overflow(page) == 0
    expect_accessible(page, "the question for another batch")
    question(page).get_by_role("button", name=answer).click()
    expect(toast(page)).to_contain_text("Thank you")
    expect(question(page)).to_have_count(0)
    expect(page.get_by_role("list", name="Answers about batches")).to_contain_text(f"{sold.name}: {said}.")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(asked).to_contain_text(outcome)
    expect(staff.get_by_role("button", name=f"Change Batch {batch}")).to_be_visible()
    expect_accessible(staff, "the batches of an order")
    assert horizontal_overflow(staff) == 0


def test_an_order_whose_customer_takes_any_batch_is_changed_at_once(new_page: Callable[..., Page], sold: Sold) -> None:
    page = new_page(PHONE)
    order = place(page, sold, substitution="any")
    staff = open_as_staff(new_page, PHONE, order)
    pick(staff, sold, "Change Batch")
    expect(toast(staff)).to_contain_text("Batch changed")
    expect(staff.get_by_role("button", name="Change Batch C1")).to_be_visible()
    expect(staff.get_by_role("list", name=f"Batches of {sold.name}")).to_contain_text("2 units of C1")


def test_a_yes_to_a_batch_that_has_too_few_units_by_then_says_so(
    new_page: Callable[..., Page], api: Api, sold: Sold
) -> None:
    page = new_page(PHONE)
    order = place(page, sold)
    staff = open_as_staff(new_page, PHONE, order)
    pick(staff, sold, "Ask Customer")
    page.goto(f"/orders/{order}")
    expect(question(page)).to_be_visible()
    (batch,) = (
        each
        for each in api(OWNER).get("/api/admin/batches", params={"productId": sold.id}).json()
        if each["code"] == "C1"
    )
    correction = {"change": -8, "note": "Broken"}
    api(OWNER).post(f"/api/admin/batches/{batch['id']}/units", json=correction).raise_for_status()
    question(page).get_by_role("button", name="Yes, that batch is fine").click()
    expect(toast(page)).to_contain_text("That batch does not have enough any more")
    expect(question(page)).to_have_count(0)
    expect(staff.get_by_text("ended without a change")).to_be_visible()
    expect(staff.get_by_role("button", name="Change Batch A1")).to_be_visible()
