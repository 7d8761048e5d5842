"""Recalls over REST (RULE recalls)."""

from fastapi.testclient import TestClient
from sqlmodel import Session

from tests.builders import draft, make_batch, make_product
from tests.conftest import Cast, SignIn

RECALLS = "/api/admin/recalls"


def test_a_recall_is_rehearsed_ordered_listed_and_exported(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, "Fern Hollow", price_cents=120_00, stock=0)
    batch = make_batch(session, fern, "A1", units=9)
    session.commit()
    ada: TestClient = as_user(cast.ada)
    order = as_user(cast.alice).post("/api/orders", json=draft((fern, 2))).json()
    body = {"batchId": batch.id, "reason": "The laboratory found mould"}
    rehearsed = ada.post(f"{RECALLS}/drill", json=body).json()
    assert ada.get(RECALLS).json() == []
    done = ada.post(RECALLS, json=body)
    assert done.status_code == 201
    recall = done.json()
    assert rehearsed["recall"] | {"recalledAt": recall["recalledAt"]} == recall
    assert [each["orderId"] for each in recall["doNotHandOver"]] == [order["id"]]
    assert ada.get(f"{RECALLS}/{batch.id}").json() == recall
    summary = {name: value for name, value in recall.items() if name != "doNotHandOver"}
    assert ada.get(RECALLS).json() == [summary]
    file = ada.get(f"{RECALLS}/{batch.id}/export")
    assert file.headers["Content-Type"].startswith("text/csv")
    assert file.text.count("\n") == 2
    assert ada.post(RECALLS, json=body).json()["code"] == "batch_recalled"
    assert ada.put(f"/api/admin/orders/{order['id']}", json={"status": "delivered"}).json()["code"] == "order_recalled"


def test_a_batch_that_was_not_recalled_has_no_recall(session: Session, cast: Cast, as_user: SignIn) -> None:
    batch = make_batch(session, make_product(session, stock=0), units=9)
    session.commit()
    ada = as_user(cast.ada)
    assert ada.get(f"{RECALLS}/{batch.id}").status_code == 404
    assert ada.get(f"{RECALLS}/{batch.id}/export").status_code == 404
