"""Delivery times, by REST."""

from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.services.delivery import slots
from tests.builders import draft, make_order, make_product, make_window, make_zone, slot_id
from tests.conftest import Cast, SignIn

WINDOWS = "/api/delivery/windows"


def test_delivery_times_are_listed_chosen_and_full(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, price_cents=60_00)
    slot = slot_id(make_window(session, make_zone(session, "97201"), capacity=1))
    session.commit()
    alice = as_user(cast.alice)
    first = alice.get(WINDOWS, params={"zip": "97201-1234"}).json()[0]
    assert list(first) == ["id", "startsAt", "endsAt", "left"]
    assert (first["id"], first["left"]) == (slot, 1)
    placed = alice.post("/api/orders", json=draft((fern, 2), slotId=slot))
    assert (placed.status_code, placed.json()["delivery"]["windowEnd"]) == (201, first["endsAt"])
    assert alice.get(WINDOWS).json()[0] == first | {"left": 0}, "without a ZIP code, for the last address"
    full = as_user(cast.bob).post("/api/orders", json=draft((fern, 2), slotId=slot))
    assert (full.status_code, full.json()["code"]) == (409, slots.WindowFull.code)
    assert [each["left"] for each in full.json()["windows"]] == [1]


def test_a_repeated_order_has_the_same_place(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, price_cents=60_00)
    slot = slot_id(make_window(session, make_zone(session, "97201"), capacity=1))
    session.commit()
    key, body = {"Idempotency-Key": "one intent"}, draft((fern, 2), slotId=slot)
    first, again = (as_user(cast.alice).post("/api/orders", json=body, headers=key) for _ in range(2))
    assert first.json() == again.json()


def test_without_windows_there_are_no_delivery_times(session: Session, cast: Cast, as_user: SignIn) -> None:
    alice = as_user(cast.alice)
    assert alice.get(WINDOWS).json() == alice.get(WINDOWS, params={"zip": "97201"}).json() == []
    make_order(session, cast.alice, 100_00, delivery_address="The old mill")
    make_zone(session, "97201")
    session.commit()
    assert alice.get(WINDOWS).json() == alice.get(WINDOWS, params={"zip": "97201"}).json() == []


def test_what_is_no_zip_code_or_slot_is_refused(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session)
    session.commit()
    alice = as_user(cast.alice)
    wrong = alice.get(WINDOWS, params={"zip": "972"})
    assert (wrong.status_code, wrong.json()["fields"]) == (422, {"zip": "Valid zip code is required"})
    for path in ("/api/orders", "/api/orders/quote"):
        items = {"items": [{"productId": fern.id, "quantity": 2}]}
        body = items if path.endswith("quote") else draft((fern, 2))
        refused = alice.post(path, json=body | {"slotId": "tomorrow"})
        assert (refused.status_code, list(refused.json()["fields"])) == (422, ["slotId"])


def test_a_visitor_sees_no_delivery_times(client: TestClient) -> None:
    assert client.get(WINDOWS).status_code == 401
