"""'I have read this' over REST (RULE recall-notice)."""

from sqlmodel import Session

from tests.builders import draft, make_batch, make_product
from tests.conftest import Cast, SignIn


def test_a_buyer_confirms_having_read_a_recall_notice(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, "Fern Hollow", price_cents=120_00, stock=0)
    batch = make_batch(session, fern, "A1", units=9)
    session.commit()
    alice = as_user(cast.alice)
    order = alice.post("/api/orders", json=draft((fern, 2))).json()
    path = f"/api/orders/{order['id']}/recall-read"
    assert alice.post(path).json() == []
    as_user(cast.ada).post(
        "/api/admin/recalls", json={"batchId": batch.id, "reason": "The laboratory found mould"}
    ).raise_for_status()
    first = alice.post(path)
    assert first.status_code == 200
    (notice,) = first.json()
    assert (notice["code"], notice["reason"], notice["units"]) == ("A1", "The laboratory found mould", 2)
    assert notice["readAt"] is not None
    assert alice.post(path).json() == first.json()
    assert as_user(cast.bob).post(path).status_code == 404
    assert as_user(cast.ada).get(f"/api/admin/recalls/{batch.id}").json()["readers"] == 1
