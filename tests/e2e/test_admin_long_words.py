"""Words as long as their fields allow wrap, although they have no place to break (RULE responsive-layout)."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.limits import MAX_BATCH_CODE, MAX_BATCH_REASON, MAX_PHONE, MAX_STOP_NOTE, MAX_VEHICLE
from tests.builders import draft
from tests.e2e.acts import (
    OWNER,
    create_product,
    horizontal_overflow,
    new_email,
    open_cart,
    sign_in_as_adult,
    sign_in_by_request,
)
from tests.e2e.conftest import BOTH_SIZES, Api

pytestmark = [pytest.mark.browser, pytest.mark.staff, pytest.mark.usefixtures("no_runs")]


def word(length: int) -> str:
    return "W" * length


ORDER = draft(
    firstName=word(200),
    lastName=word(200),
    contactPhone="1" * MAX_PHONE,
    deliveryAddress=f"{word(470)}, Portland, OR 97201",
    deliveryInstructions=word(1_000),
    paymentInstructions=word(1_000),
)


@pytest.fixture
def texts_by_path(api: Api) -> Iterator[dict[str, str]]:
    """The paths of pages with such words, each with a text that is there once the page is loaded.

    The run's driver is the owner. The product is archived afterwards, because other tests look at this catalogue.
    """
    owner, customer = api(OWNER), api(new_email())
    product_id = create_product(api, name=word(120), brand=word(80), price="120.00", stock=0)["id"]
    received = owner.post(
        "/api/admin/batches", json={"productId": product_id, "code": word(MAX_BATCH_CODE), "units": 9}
    )
    batch_id = received.raise_for_status().json()["id"]
    customer.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).raise_for_status()
    placed = customer.post("/api/orders", json=ORDER | {"items": [{"productId": product_id, "quantity": 2}]})
    order = placed.raise_for_status().json()
    driver_id, day = owner.get("/api/auth/user").json()["id"], clock.today(get_settings().timezone).isoformat()
    facts = {"day": day, "driverId": driver_id, "vehicle": word(MAX_VEHICLE), "orderIds": [order["id"]]}
    planned = owner.post("/api/admin/runs", json=facts).raise_for_status()
    run_id = planned.json()["id"]
    departed = owner.post(f"/api/admin/runs/{run_id}/depart").raise_for_status().json()
    paper_route = f"/api/admin/runs/{run_id}/stops/{departed['stops'][0]['id']}/paper"
    recalled = {"batchId": batch_id, "reason": word(MAX_BATCH_REASON)}
    owner.post("/api/admin/recalls", json=recalled).raise_for_status()
    buyer_id = customer.get("/api/auth/user").json()["id"]
    yield {
        f"/admin/orders/{order['id']}": f"Order {order['number']}",
        f"/admin/orders/{order['id']}/slip": "Packing slip",
        f"/admin/users/{buyer_id}": "Signs in as",
        f"/admin/products/{product_id}": "Strength and stock",
        f"/admin/recalls/{batch_id}": "Do not hand over",
        f"/admin/runs/{run_id}": "Enter from Paper",
        f"/admin/runs/{run_id}/sheet": "Back to the run",
        "/admin/dispatch": "Unplanned",
        "/drive": "In the bag",
    }
    failed = {"outcome": "failed", "reason": "refused", "note": word(MAX_STOP_NOTE)}
    owner.post(paper_route, json=failed).raise_for_status()
    owner.delete(f"/api/admin/products/{product_id}").raise_for_status()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_no_word_makes_a_page_scroll_sideways(
    new_page: Callable[..., Page], texts_by_path: dict[str, str], size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_by_request(page, OWNER)
    overflow = {}
    for path, text in texts_by_path.items():
        page.goto(path)
        expect(page.get_by_text(text).locator("visible=true").first).to_be_visible()
        overflow[path] = horizontal_overflow(page)
    assert overflow == dict.fromkeys(texts_by_path, 0)


@pytest.fixture
def product(api: Api) -> Iterator[dict[str, Any]]:
    """With such a name, and archived afterwards."""
    created = create_product(api, name=word(120))
    yield created
    api(OWNER).delete(f"/api/admin/products/{created['id']}").raise_for_status()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_no_word_pushes_a_control_out_of_the_cart(
    new_page: Callable[..., Page], product: dict[str, Any], size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email())
    page.request.post("/api/cart", data={"productId": product["id"], "quantity": 1})
    page.reload()
    drawer = open_cart(page)
    expect(drawer.get_by_role("button", name=f"Remove {product['name']}")).to_be_in_viewport(ratio=1)
