"""Editing orders over REST, by admins only."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Product
from tests.builders import draft, make_product
from tests.conftest import ON_SQLITE, Cast, SignIn


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, price_cents=120_00, stock=50)
    session.commit()
    return product


def place(client: TestClient, product: Product) -> str:
    return str(client.post("/api/orders", json=draft((product, 1))).json()["id"])


def test_an_admin_changes_an_order_and_the_customer_sees_it(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice, ada = as_user(cast.alice), as_user(cast.ada)
    order_id = place(alice, fern)
    changes = {
        "status": "out_for_delivery",
        "deliveryAddress": "9 Elm Street, Portland, OR 97202",
        "contactPhone": "503 555 0199",
        "estimatedDelivery": "2026-11-23T10:00:00-08:00",
    }
    changed = ada.put(f"/api/admin/orders/{order_id}", json=changes)
    assert changed.status_code == 200
    seen = alice.get(f"/api/orders/{order_id}").json()
    assert seen == changed.json()
    assert seen["deliveryAddress"] == "9 Elm Street, Portland, OR 97202"
    assert seen["address"] == {"street": "", "city": "", "state": "", "zip": ""}
    assert (seen["status"], seen["contactPhone"]) == ("out_for_delivery", "503 555 0199")
    assert seen["estimatedDelivery"] == "2026-11-23T18:00:00Z"
    assert [step["to"] for step in seen["history"]] == ["pending", "out_for_delivery"]
    assert seen["deliveryInstructions"] == "Side entrance, the green door."


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"status": "lost"}, "status"),
        ({"status": 1}, "status"),
        ({"total": "1.00"}, "total"),
        ({"userId": 2}, "userId"),
        ({"contactPhone": "12"}, "contactPhone"),
        ({"deliveryAddress": ""}, "deliveryAddress"),
        ({"estimatedDelivery": "soon"}, "estimatedDelivery"),
        ({"estimatedDelivery": "2026-11-23T10:00:00"}, "estimatedDelivery"),
        ({"estimatedDelivery": "0219-10-27T01:28:04Z"}, "estimatedDelivery"),
        ({"estimatedDelivery": "0001-01-01T00:00:00+23:59"}, "estimatedDelivery"),
        ({"estimatedDelivery": "9999-12-31T23:59:59-23:59"}, "estimatedDelivery"),
    ],
)
def test_a_refused_field_is_named_and_nothing_is_changed(
    as_user: SignIn, cast: Cast, fern: Product, body: dict[str, Any], field: str
) -> None:
    order_id = place(as_user(cast.alice), fern)
    refused = as_user(cast.ada).put(f"/api/admin/orders/{order_id}", json={"contactPhone": "503 555 0199"} | body)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert as_user(cast.alice).get(f"/api/orders/{order_id}").json()["contactPhone"] == "503 555 0142"


def test_only_admins_have_access(client: TestClient, as_user: SignIn, cast: Cast, fern: Product) -> None:
    order_id = place(as_user(cast.alice), fern)
    for who, status in ((client, 401), (as_user(cast.alice), 403)):
        assert who.put(f"/api/admin/orders/{order_id}", json={"status": "delivered"}).status_code == status
    assert as_user(cast.ada).put("/api/admin/orders/unknown", json={"status": "delivered"}).status_code == 404
