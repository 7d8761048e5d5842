"""Quotes and orders over REST (RULE wire-quote, RULE wire-order)."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Product, ShopSetting
from tests.builders import draft, make_product
from tests.conftest import ON_SQLITE, Cast, SignIn


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=9)
    session.commit()
    return product


def test_an_order_is_quoted_placed_and_listed(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice = as_user(cast.alice)
    items = [{"productId": fern.id, "quantity": 2}]
    quote = alice.post("/api/orders/quote", json={"items": items}).json()
    assert (quote["total"], quote["blockers"]) == ("115.00", [])
    amounts = {name: quote[name] for name in ("subtotal", "deliveryFee", "newCustomerDiscount", "total")}
    placed = alice.post("/api/orders", json=draft((fern, 2), **amounts), headers={"Idempotency-Key": "k"})
    assert placed.status_code == 201
    order = placed.json()
    assert order["lines"] == quote["lines"]
    assert order["paymentMethod"] == "cod"
    assert alice.get("/api/orders").json() == [order]
    assert alice.post("/api/orders", json=draft((fern, 2), **amounts), headers={"Idempotency-Key": "k"}).json() == order
    assert as_user(cast.bob).get("/api/orders").json() == []


def test_a_total_is_rounded_down_to_the_shops_step(
    as_user: SignIn, cast: Cast, session: Session, fern: Product
) -> None:
    session.add(ShopSetting(name="cash_rounding_cents", previous=0, value=20_00, reason="test"))
    session.commit()
    alice = as_user(cast.alice)
    quote = alice.post("/api/orders/quote", json={"items": [{"productId": fern.id, "quantity": 2}]}).json()
    assert (quote["cashRounding"], quote["total"]) == ("15.00", "100.00")
    assert quote["lines"][-1] == {
        "code": "rounding",
        "label": "Rounding",
        "base": "15.00",
        "rate": None,
        "amount": "-15.00",
        "reason": "Rounded down, so that the cash is easy to count",
    }
    order = alice.post("/api/orders", json=draft((fern, 2), total="100.00", cashRounding="15.00")).json()
    assert (order["lines"], order["total"]) == (quote["lines"], "100.00")


def test_an_address_in_parts_is_stored_and_joined(as_user: SignIn, cast: Cast, fern: Product) -> None:
    address = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
    body = draft((fern, 2), deliveryAddress=None, address=address)
    order = as_user(cast.alice).post("/api/orders", json=body).json()
    assert order["address"] == address
    assert order["deliveryAddress"] == "214 Larch Street, Portland, OR 97201"


def test_a_tampered_total_returns_the_current_quote(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice = as_user(cast.alice)
    response = alice.post("/api/orders", json=draft((fern, 2), total="1.00"))
    assert (response.status_code, response.json()["code"]) == (409, "quote_changed")
    assert response.json()["quote"]["total"] == "115.00"
    assert alice.get("/api/orders").json() == []


@pytest.mark.parametrize("total", [115, 115.0, "115", "115.00"])
def test_amounts_may_be_numbers_or_text(as_user: SignIn, cast: Cast, fern: Product, total: Any) -> None:
    assert as_user(cast.alice).post("/api/orders", json=draft((fern, 2), total=total)).status_code == 201


@ON_SQLITE
@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"deliveryAddress": None}, "deliveryAddress", "Delivery address is required"),
        ({"deliveryAddress": " "}, "deliveryAddress", "Delivery address is required"),
        ({"contactPhone": "555 01"}, "contactPhone", "Valid phone number is required"),
        ({"contactPhone": None}, "contactPhone", "Valid phone number is required"),
        ({"deliveryInstructions": ""}, "deliveryInstructions", "Delivery instructions are required"),
        ({"paymentInstructions": ""}, "paymentInstructions", "Payment pickup instructions are required"),
        ({"deliveryAddress": None, "address": {"street": "a", "city": "b", "state": "c", "zip": "9"}}, "address.zip",
         "Valid zip code is required"),
        ({"status": "delivered"}, "status", "Unknown field. Please remove it."),
        ({"total": "NaN"}, "total", "An amount such as 49.99 is expected"),
        ({"total": -5}, "total", "An amount such as 49.99 is expected"),
        ({"total": True}, "total", "An amount such as 49.99 is expected"),
        ({"items": []}, "items", "Add between 1 and 50 products."),
        ({"items": [{"productId": 1, "quantity": 1}] * 51}, "items", "Add between 1 and 50 products."),
        ({"useCredit": "yes"}, "useCredit", "True or false is expected"),
    ],
)  # fmt: skip
def test_a_wrong_draft_is_refused_by_field(
    as_user: SignIn, cast: Cast, fern: Product, changes: dict[str, Any], field: str, sentence: str
) -> None:
    response = as_user(cast.alice).post("/api/orders", json=draft((fern, 2), **changes))
    assert (response.status_code, response.json()["code"]) == (422, "invalid_input")
    assert response.json()["fields"][field] == sentence


@ON_SQLITE
@pytest.mark.parametrize("quantity", [0, -1, 100, 10**12, 1.5, "2", None])
def test_a_wrong_quantity_is_refused(as_user: SignIn, cast: Cast, fern: Product, quantity: Any) -> None:
    body = draft(items=[{"productId": fern.id, "quantity": quantity}])
    response = as_user(cast.alice).post("/api/orders", json=body)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == ["items.0.quantity"]


def test_both_addresses_at_once_are_refused(as_user: SignIn, cast: Cast, fern: Product) -> None:
    address = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
    response = as_user(cast.alice).post("/api/orders", json=draft((fern, 2), address=address))
    assert response.json()["fields"] == {"deliveryAddress": "Send either deliveryAddress or address, not both"}


def test_ordering_requires_an_age_check(as_user: SignIn, cast: Cast, fern: Product) -> None:
    zoe = as_user(cast.zoe)
    refused = zoe.post("/api/orders", json=draft((fern, 2)))
    assert (refused.status_code, refused.json()["code"]) == (403, "age_verification_required")
    zoe.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"})
    assert zoe.post("/api/orders", json=draft((fern, 2))).status_code == 201


def test_under_the_minimum_is_refused_with_the_minimum(as_user: SignIn, cast: Cast, fern: Product) -> None:
    response = as_user(cast.alice).post("/api/orders", json=draft((fern, 1)))
    assert response.status_code == 409
    assert response.json() == {
        "message": "Minimum order amount is $100.00. Please add more items to your cart.",
        "code": "minimum_order",
    }


@pytest.mark.parametrize("path", ["/api/orders", "/api/orders/quote"])
def test_a_guest_may_not_order(client: TestClient, fern: Product, path: str) -> None:
    body = draft((fern, 2)) if path == "/api/orders" else {"items": []}
    response = client.post(path, json=body)
    assert (response.status_code, response.json()["code"]) == (401, "not_signed_in")


def test_orders_are_limited_by_a_setting(
    as_user: SignIn, cast: Cast, fern: Product, configure: Callable[..., None]
) -> None:
    configure(ORDER_RATE="2/minute")
    alice = as_user(cast.alice)
    answers = [alice.post("/api/orders/quote", json={"items": []}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert answers[-1].json()["code"] == "too_many_requests"


def test_a_pending_order_is_cancelled_by_whoever_placed_it(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice = as_user(cast.alice)
    order = alice.post("/api/orders", json=draft((fern, 2))).json()
    path = f"/api/orders/{order['id']}/cancel"
    assert as_user(cast.bob).post(path).status_code == 404
    for _ in range(2):
        answer = alice.post(path)
        assert (answer.status_code, answer.json()["status"], answer.json()["id"]) == (200, "cancelled", order["id"])
    assert [step["to"] for step in answer.json()["history"]] == ["pending", "cancelled"]


def test_a_confirmed_order_is_not_cancelled_by_whoever_placed_it(as_user: SignIn, cast: Cast, fern: Product) -> None:
    order = as_user(cast.alice).post("/api/orders", json=draft((fern, 2))).json()
    as_user(cast.ada).put(f"/api/admin/orders/{order['id']}", json={"status": "confirmed"})
    answer = as_user(cast.alice).post(f"/api/orders/{order['id']}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "order_not_pending")
    assert "can no longer be cancelled" in answer.json()["message"]
    assert as_user(cast.alice).get(f"/api/orders/{order['id']}").json()["status"] == "confirmed"
