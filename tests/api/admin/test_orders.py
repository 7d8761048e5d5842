"""The admin routes for all orders."""

import csv
import io
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app import limits
from marketplace_app.api.admin import orders as routes
from marketplace_app.models import Product, Role, User
from tests.builders import draft, make_order, make_product, make_user
from tests.conftest import ON_SQLITE, Cast, SignIn

ADDED_COLUMNS = ["promotion discount", "tax", "cash rounding"]


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "=Fern", price_cents=120_00, stock=50)
    session.commit()
    return product


@pytest.fixture
def viewer(session: Session) -> User:
    user = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    return user


def place(client: TestClient, product: Product, **changes: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.post("/api/orders", json=draft((product, 1), **changes)).json()
    return answer


def test_all_orders_are_listed_as_their_customers_see_them(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice, bob, ada = as_user(cast.alice), as_user(cast.bob), as_user(cast.ada)
    first, second = place(alice, fern), place(bob, fern)
    answer = ada.get("/api/admin/orders")
    assert (answer.status_code, answer.headers["X-Total-Count"]) == (200, "2")
    assert answer.json() == [second, first]
    page = ada.get("/api/admin/orders", params={"limit": 1, "offset": 1, "sort": "number", "order": "asc"})
    assert (page.json(), page.headers["X-Total-Count"]) == ([second], "2")
    found = ada.get("/api/admin/orders", params={"q": "alice", "status": ["pending", "confirmed"]})
    assert (found.json(), found.headers["X-Total-Count"]) == ([first], "1")


@ON_SQLITE
@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"sort": "colour"}, "sort"),
        ({"order": "up"}, "order"),
        ({"status": "lost"}, "status"),
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"offset": -1}, "offset"),
        ({"placedFrom": "yesterday"}, "placedFrom"),
        ({"placedTo": "9999-12-31"}, "placedTo"),
        ({"minTotal": "1.001"}, "minTotal"),
        ({"q": "x" * 201}, "q"),
    ],
)
def test_an_invalid_query_names_its_parameter(
    as_user: SignIn, cast: Cast, parameters: dict[str, Any], field: str
) -> None:
    for path in ("/api/admin/orders", "/api/admin/orders/export"):
        answer = as_user(cast.ada).get(path, params=parameters)
        assert (answer.status_code, list(answer.json()["fields"])) == (422, [field])


def test_an_order_has_its_customer_and_its_history(as_user: SignIn, cast: Cast, viewer: User, fern: Product) -> None:
    order = place(as_user(cast.alice), fern)
    ada = as_user(cast.ada)
    ada.put(f"/api/admin/orders/{order['id']}", json={"status": "confirmed", "contactPhone": "212 555 0101"})
    seen = ada.get(f"/api/admin/orders/{order['id']}").json()
    assert (seen["userId"], seen["status"], seen["contactPhone"]) == (cast.alice.id, "confirmed", "212 555 0101")
    assert [(step["from"], step["to"], step["by"]["name"]) for step in seen["history"]] == [
        (None, "pending", "Alice"),
        ("pending", "confirmed", "Ada"),
    ]
    assert [line["action"] for line in seen["audit"]] == ["order.placed", "order.status", "order.edited"]
    assert seen["audit"][-1]["details"] == {"fields": ["contact_phone"]}
    assert as_user(viewer).get(f"/api/admin/orders/{order['id']}").json()["audit"] == []


def test_a_deleted_order_is_gone_for_everybody(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice, ada = as_user(cast.alice), as_user(cast.ada)
    order = place(alice, fern)
    deleted = ada.delete(f"/api/admin/orders/{order['id']}")
    assert (deleted.status_code, deleted.json()) == (200, {"message": "Order deleted successfully"})
    assert ada.get("/api/admin/orders").json() == alice.get("/api/orders").json() == []
    for answer in (
        alice.get(f"/api/orders/{order['id']}"),
        ada.get(f"/api/admin/orders/{order['id']}"),
        ada.put(f"/api/admin/orders/{order['id']}", json={"status": "pending"}),
        ada.delete(f"/api/admin/orders/{order['id']}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert ada.get("/api/admin/stats").json()["totalOrders"] == 0


def test_several_orders_get_a_status_after_a_preview(as_user: SignIn, cast: Cast, fern: Product) -> None:
    ada = as_user(cast.ada)
    listed = [place(as_user(who), fern) for who in (cast.alice, cast.bob)]
    body = {"ids": [order["id"] for order in listed], "status": "confirmed"}
    expected = [
        {"id": o["id"], "number": o["number"], "from": "pending", "to": "confirmed", "changes": True, "problem": None}
        for o in listed
    ]
    preview = ada.post("/api/admin/orders/status?dryRun=true", json=body)
    assert (preview.status_code, preview.json()) == (200, expected)
    assert {order["status"] for order in ada.get("/api/admin/orders").json()} == {"pending"}
    assert ada.post("/api/admin/orders/status", json=body).json() == expected
    assert {order["status"] for order in ada.get("/api/admin/orders").json()} == {"confirmed"}


@ON_SQLITE
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"ids": []}, "ids"),
        ({"ids": [str(number) for number in range(limits.MAX_BULK_ORDERS + 1)]}, "ids"),
        ({"ids": [1]}, "ids.0"),
        ({"status": "lost"}, "status"),
        ({"reason": "x"}, "reason"),
    ],
)
def test_an_invalid_bulk_change_names_its_field(
    as_user: SignIn, cast: Cast, change: dict[str, Any], field: str
) -> None:
    refused = as_user(cast.ada).post("/api/admin/orders/status", json={"ids": ["x"], "status": "pending"} | change)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])


def test_cancelled_orders_are_not_reopened_in_bulk_without_stock(as_user: SignIn, session: Session, cast: Cast) -> None:
    last = make_product(session, "Quiet Mint", price_cents=120_00, stock=1)
    session.commit()
    ada = as_user(cast.ada)
    first = place(as_user(cast.alice), last)
    ada.post("/api/admin/orders/status", json={"ids": [first["id"]], "status": "cancelled"})
    place(as_user(cast.bob), last)
    refused = ada.post("/api/admin/orders/status", json={"ids": [first["id"]], "status": "pending"})
    assert (refused.status_code, refused.json()["code"]) == (409, "out_of_stock")
    assert refused.json()["message"] == f"Order {first['number']}: Quiet Mint is out of stock."
    unknown = ada.post("/api/admin/orders/status", json={"ids": [first["id"], "unknown"], "status": "delivered"})
    assert unknown.status_code == 404


def export(client: TestClient, **parameters: Any) -> list[dict[str, str]]:
    answer = client.get("/api/admin/orders/export", params=parameters)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="orders-')
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8"), newline="")))


def test_an_export_has_a_row_for_each_matching_order(as_user: SignIn, cast: Cast, fern: Product) -> None:
    order = place(as_user(cast.alice), fern, firstName="Zoë", lastName='"Q", Ltd')
    place(as_user(cast.bob), fern)
    ada = as_user(cast.ada)
    assert len(export(ada)) == 2
    [row] = export(ada, q="zoe")
    assert (row["id"], row["number"], row["status"]) == (order["id"], str(order["number"]), "pending")
    assert (row["customer"], row["total"], row["placed"]) == ('Zoë "Q", Ltd', order["total"], order["createdAt"])
    assert row["items"] == "1 x =Fern"
    entries = ada.get(f"/api/admin/orders/{order['id']}").json()["audit"]
    assert [entry["action"] for entry in entries] == ["order.placed"]


def test_new_columns_of_an_export_follow_those_that_were_there(as_user: SignIn, cast: Cast, fern: Product) -> None:
    place(as_user(cast.alice), fern)
    [row] = export(as_user(cast.ada))
    assert list(row)[-5:] == ["delivery instructions", "payment instructions", *ADDED_COLUMNS]
    assert [row[name] for name in ADDED_COLUMNS] == ["0.00", "0.00", "0.00"]


def test_an_export_has_tax_promotion_and_rounding(as_user: SignIn, cast: Cast, session: Session) -> None:
    amounts = {"promotion_discount_cents": 5_00, "tax_cents": 8_37, "cash_rounding_cents": 3_37}
    make_order(session, cast.alice, 100_00, total_cents=100_00, **amounts)
    session.commit()
    [row] = export(as_user(cast.ada))
    assert [row[name] for name in ADDED_COLUMNS] == ["5.00", "8.37", "3.37"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_of_an_export_is_a_formula(as_user: SignIn, cast: Cast, fern: Product, start: str) -> None:
    evil = f'{start}HYPERLINK("https://evil.example","x")'
    place(as_user(cast.alice), fern, firstName=evil, deliveryInstructions=evil, deliveryAddress=evil)
    [row] = export(as_user(cast.ada))
    for column in ("customer", "delivery instructions", "address"):
        assert row[column] == f"'{evil}", column
    assert row["total"] == "115.00"


def test_an_export_is_read_in_chunks(
    as_user: SignIn, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [place(as_user(cast.alice), fern)["number"] for _ in range(5)]
    sizes: list[int] = []
    real = routes.order_export.next_chunk

    def recording(*args: Any, **kwargs: Any) -> Any:
        chunk = real(*args, **kwargs)
        sizes.append(len(chunk.rows))
        return chunk

    monkeypatch.setattr(routes.order_export, "EXPORT_CHUNK", 2)
    monkeypatch.setattr(routes.order_export, "next_chunk", recording)
    ignored = {"sort": "total", "limit": 1}  # they are for pages: an export has all rows, newest first
    assert [int(row["number"]) for row in export(as_user(cast.ada), **ignored)] == numbers[::-1]
    assert sizes == [2, 2, 1]


def test_callers_without_permission_are_refused(
    client: TestClient, as_user: SignIn, cast: Cast, session: Session, viewer: User, fern: Product
) -> None:
    support = make_user(session, "sue", role=Role.SUPPORT)
    session.commit()
    order = place(as_user(cast.alice), fern)
    one, status = f"/api/admin/orders/{order['id']}", {"ids": [order["id"]], "status": "delivered"}
    for who, expected in ((client, 401), (as_user(cast.alice), 403)):
        assert who.get("/api/admin/orders").status_code == expected
        assert who.get(one).status_code == expected
        assert who.delete(one).status_code == expected
        assert who.post("/api/admin/orders/status", json=status).status_code == expected
        assert who.get("/api/admin/orders/export").status_code == expected
    vera, sue = as_user(viewer), as_user(support)
    assert vera.get("/api/admin/orders").status_code == 200
    assert vera.post("/api/admin/orders/status", json=status).status_code == 403
    assert sue.post("/api/admin/orders/status?dryRun=true", json=status).status_code == 200
    for who in (vera, sue):
        assert who.delete(one).status_code == 403
        assert who.get("/api/admin/orders/export").status_code == 403
    assert as_user(cast.ada).get(one).json()["status"] == "pending"
