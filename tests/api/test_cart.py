"""The cart over REST (RULE cart-lines)."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Product
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast, SignIn


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=5)
    session.commit()
    return product


def test_adding_the_same_product_merges(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice = as_user(cast.alice)
    assert alice.post("/api/cart", json={"productId": fern.id, "quantity": 1}).status_code == 201
    alice.post("/api/cart", json={"productId": fern.id, "quantity": 2})
    (line,) = alice.get("/api/cart").json()
    assert (line["productId"], line["quantity"]) == (fern.id, 3)
    shown = {"name": "Fern Hollow", "price": "60.00", "imageUrl": "/pictures/fern-hollow-640.webp"}
    assert shown.items() <= line["product"].items()


def test_changing_and_removing_a_line(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice = as_user(cast.alice)
    line = alice.post("/api/cart", json={"productId": fern.id}).json()["id"]
    assert alice.put(f"/api/cart/{line}", json={"quantity": 4}).json()["quantity"] == 4
    assert alice.put(f"/api/cart/{line}", json={"quantity": 0}).status_code == 204
    assert alice.get("/api/cart").json() == []
    again = alice.post("/api/cart", json={"productId": fern.id}).json()["id"]
    assert alice.delete(f"/api/cart/{again}").status_code == 204
    assert alice.delete(f"/api/cart/{again}").status_code == 404


def test_no_more_than_is_in_stock(as_user: SignIn, cast: Cast, fern: Product) -> None:
    response = as_user(cast.alice).post("/api/cart", json={"productId": fern.id, "quantity": 6})
    assert (response.status_code, response.json()["code"]) == (409, "out_of_stock")
    assert response.json()["message"] == "Only 5 of Fern Hollow left."


@pytest.mark.parametrize(
    ("held", "words"),
    [(1, "You have 1 in your cart."), (4, "You have 4 in your cart."), (5, "All 5 are in your cart already.")],
)
def test_the_error_names_what_the_cart_already_holds(
    as_user: SignIn, cast: Cast, fern: Product, held: int, words: str
) -> None:
    alice = as_user(cast.alice)
    alice.post("/api/cart", json={"productId": fern.id, "quantity": held})
    response = alice.post("/api/cart", json={"productId": fern.id, "quantity": 5})
    assert response.json()["message"] == f"Only 5 of Fern Hollow left. {words}"


def test_somebody_elses_line_is_not_found(as_user: SignIn, cast: Cast, fern: Product) -> None:
    line = as_user(cast.alice).post("/api/cart", json={"productId": fern.id}).json()["id"]
    bob = as_user(cast.bob)
    assert bob.put(f"/api/cart/{line}", json={"quantity": 2}).status_code == 404
    assert bob.delete(f"/api/cart/{line}").status_code == 404
    assert bob.get("/api/cart").json() == []
    assert as_user(cast.alice).get("/api/cart").json()[0]["quantity"] == 1


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"productId": "1", "quantity": 1}, "productId"),
        ({"productId": 1.5}, "productId"),
        ({"productId": True}, "productId"),
        ({"productId": None}, "productId"),
        ({"productId": 2**40}, "productId"),
        ({}, "productId"),
        ({"productId": 1, "quantity": 0}, "quantity"),
        ({"productId": 1, "quantity": -1}, "quantity"),
        ({"productId": 1, "quantity": 100}, "quantity"),
        ({"productId": 1, "quantity": "1"}, "quantity"),
        ({"productId": 1, "price": "0.01"}, "price"),
        ([], "body"),
        ("text", "body"),
        (None, "body"),
    ],
)
def test_an_invalid_addition_is_refused_by_field(as_user: SignIn, cast: Cast, body: Any, field: str) -> None:
    response = as_user(cast.alice).post("/api/cart", json=body)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_input")
    assert field in response.json()["fields"]


def test_nan_is_not_a_quantity(as_user: SignIn, cast: Cast) -> None:
    response = as_user(cast.alice).post(
        "/api/cart", content='{"productId": 1, "quantity": NaN}', headers={"Content-Type": "application/json"}
    )
    assert (response.status_code, list(response.json()["fields"])) == (422, ["quantity"])


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", ""), ("PUT", "/1"), ("DELETE", "/1")])
def test_a_guest_has_no_cart(client: TestClient, method: str, path: str) -> None:
    body = {"productId": 1} if method == "POST" else {"quantity": 1} if method == "PUT" else None
    response = client.request(method, f"/api/cart{path}", json=body)
    assert (response.status_code, response.json()["code"]) == (401, "not_signed_in")


def test_an_invite_only_store_keeps_its_carts_closed(
    as_user: SignIn, cast: Cast, fern: Product, configure: Callable[..., None]
) -> None:
    configure(ACCESS_MODE="invite_only")
    response = as_user(cast.alice).post("/api/cart", json={"productId": fern.id})
    assert (response.status_code, response.json()["code"]) == (403, "invitation_required")
    assert as_user(cast.ada).post("/api/cart", json={"productId": fern.id}).status_code == 201
