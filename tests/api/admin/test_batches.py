"""Batches over REST: what staff send and get (RULE batch-keeping)."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Product
from marketplace_app.schemas.batches.batches import ReceiveForm
from tests.builders import make_product

BATCHES = "/api/admin/batches"
WHOLE = {name: value for name, value in ReceiveForm.EXAMPLE.items() if name != "productId"}
WHOLE["expiresOn"] = "2099-05-02"  # the day in the example will have passed


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, stock=0)
    session.commit()
    return product


def received(ada: TestClient, fern: Product, **values: Any) -> dict[str, Any]:
    answer = ada.post(BATCHES, json=WHOLE | {"productId": fern.id} | values)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def stock_of(ada: TestClient, fern: Product) -> int:
    return int(ada.get(f"/api/admin/products/{fern.id}").json()["stock"])


def test_a_batch_keeps_what_was_sent(ada: TestClient, fern: Product) -> None:
    batch = received(ada, fern)
    assert {name: batch[name] for name in WHOLE} == WHOLE
    assert (batch["state"], batch["setAside"], stock_of(ada, fern)) == ("for_sale", 0, 48)


def test_batches_are_listed_by_their_last_day(ada: TestClient, fern: Product) -> None:
    for code, last in (("A", None), ("B", "2099-03-01"), ("C", "2099-01-01")):
        received(ada, fern, code=code, expiresOn=last)
    answer = ada.get(BATCHES, params={"productId": fern.id, "limit": 2})
    assert [batch["code"] for batch in answer.json()] == ["C", "B"]
    assert answer.headers["X-Total-Count"] == "3"
    assert ada.get(BATCHES, params={"productId": 987654}).json() == []


def test_holding_and_releasing_move_units_out_of_the_stock_and_back(ada: TestClient, fern: Product) -> None:
    path = f"{BATCHES}/{received(ada, fern)['id']}"
    held = ada.post(f"{path}/hold", json={"reason": "Mould found"}).json()
    assert (held["state"], held["units"], held["setAside"], held["holdReason"]) == ("held", 0, 48, "Mould found")
    assert stock_of(ada, fern) == 0
    free = ada.post(f"{path}/release", json={"reason": "Tested again"}).json()
    assert (free["state"], free["units"], free["setAside"], free["holdReason"]) == ("for_sale", 48, 0, "")
    assert ada.post(f"{path}/release", json={"reason": "Again"}).json()["code"] == "batch_not_held"
    moved = ada.get(f"/api/admin/products/{fern.id}/movements").json()
    assert [(each["reason"], each["change"], each["note"]) for each in moved] == [
        ("release", 48, "Tested again"),
        ("set_aside", -48, "Mould found"),
        ("adjust", 48, "Received batch FH-2611"),
    ]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"code": ""}, "code"),
        ({"units": 0}, "units"),
        ({"units": 1_000_001}, "units"),
        ({"expiresOn": "2026-11-01"}, "expiresOn"),
        ({"packedOn": "yesterday"}, "packedOn"),
        ({"thcPercent": 101}, "thcPercent"),
        ({"unitCost": "-1"}, "unitCost"),
        ({"report": {"reportedOn": "2026-11-05"}}, "report.pesticides"),
        ({"colour": "green"}, "colour"),
    ],
)
def test_what_cannot_be_is_refused_by_field(ada: TestClient, fern: Product, values: Any, field: str) -> None:
    answer = ada.post(BATCHES, json=WHOLE | {"productId": fern.id} | values)
    assert answer.status_code == 422
    assert field in answer.json()["fields"]


def test_a_code_is_given_once_to_a_product(ada: TestClient, fern: Product) -> None:
    received(ada, fern)
    other = received(ada, fern, code="B")
    for answer in (
        ada.post(BATCHES, json=WHOLE | {"productId": fern.id}),
        ada.put(f"{BATCHES}/{other['id']}", json={"code": WHOLE["code"]}),
    ):
        assert answer.json()["fields"] == {"code": "Another batch of this product has this code."}


def test_the_stock_of_batches_is_not_changed_with_the_product_or_by_a_file(ada: TestClient, fern: Product) -> None:
    received(ada, fern)
    path = f"/api/admin/products/{fern.id}"
    assert ada.post(f"{path}/stock", json={"change": 1, "note": "Found"}).json()["code"] == "stock_in_batches"
    file = ada.get("/api/admin/products/export").content
    same = ada.post("/api/admin/products/import", content=file, headers={"Content-Type": "text/csv"})
    assert same.json()["unchanged"] == 1
    wrong = ada.post(
        "/api/admin/products/import", content=file.replace(b",48,", b",49,"), headers={"Content-Type": "text/csv"}
    )
    assert wrong.status_code == 422, wrong.text
    assert [error["column"] for error in wrong.json()["errors"]] == ["stock"]
    assert stock_of(ada, fern) == 48
