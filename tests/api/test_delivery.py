"""Delivery times, by REST."""

from datetime import datetime, timedelta

from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.services.delivery import slots
from marketplace_app.services.dispatch import ready
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
    assert alice.get(WINDOWS).json()[0] == first | {"left": 0}, "without a ZIP code, for the usual place"
    full = as_user(cast.bob).post("/api/orders", json=draft((fern, 2), slotId=slot))
    assert (full.status_code, full.json()["code"]) == (409, slots.WindowFull.code)
    assert [each["left"] for each in full.json()["windows"]] == [1], "next week's is offered instead"


def test_a_repeated_order_has_the_same_place(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, price_cents=60_00)
    slot = slot_id(make_window(session, make_zone(session, "97201"), capacity=1))
    session.commit()
    key, body = {"Idempotency-Key": "one intent"}, draft((fern, 2), slotId=slot)
    first, again = (as_user(cast.alice).post("/api/orders", json=body, headers=key) for _ in range(2))
    assert (first.status_code, first.json()) == (201, again.json())


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


def test_a_guest_sees_no_delivery_times(client: TestClient) -> None:
    assert client.get(WINDOWS).status_code == 401


def test_an_order_is_moved_to_another_time_unless_that_is_full(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, price_cents=60_00)
    zone = make_zone(session, "97201")
    early, late = (
        slot_id(make_window(session, zone, capacity=1, opens_minute=hour * 60, closes_minute=hour * 60 + 60))
        for hour in (9, 10)
    )
    session.commit()
    alice, bob = as_user(cast.alice), as_user(cast.bob)
    mine = alice.post("/api/orders", json=draft((fern, 2), slotId=early)).json()
    theirs = bob.post("/api/orders", json=draft((fern, 2), slotId=late)).json()
    path = f"/api/orders/{mine['id']}/slot"
    full = alice.put(path, json={"slotId": late})
    assert (full.status_code, full.json()["code"]) == (409, "window_full")
    assert [each["id"] for each in full.json()["windows"]] != []
    assert bob.put(path, json={"slotId": late}).status_code == 404
    assert alice.put(path, json={"slotId": "tomorrow"}).json()["fields"] == {
        "slotId": "One of the delivery times is expected"
    }
    bob.post(f"/api/orders/{theirs['id']}/cancel")
    moved = alice.put(path, json={"slotId": late})
    assert (moved.status_code, moved.json()["delivery"]["windowStart"]) == (200, theirs["delivery"]["windowStart"])
    left = {each["id"]: each["left"] for each in alice.get(WINDOWS).json()}
    assert (left[early], left[late]) == (1, 0)
    without = alice.post("/api/orders", json=draft((fern, 2))).json()
    refused = alice.put(f"/api/orders/{without['id']}/slot", json={"slotId": early})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_slot")


def test_a_customer_says_that_they_are_ready_once_they_were_asked(
    session: Session, cast: Cast, as_user: SignIn
) -> None:
    fern = make_product(session, price_cents=60_00)
    slot = slot_id(make_window(session, make_zone(session, "97201")))
    session.commit()
    alice = as_user(cast.alice)
    order = alice.post("/api/orders", json=draft((fern, 2), slotId=slot)).json()
    path, yes = f"/api/orders/{order['id']}/ready", {"answer": "yes"}
    early = alice.post(path, json=yes)
    assert (early.status_code, early.json()["code"]) == (409, "not_asked")
    starts_at = datetime.fromisoformat(order["delivery"]["windowStart"])
    db.write(lambda s: ready.ask(s, starts_at - timedelta(hours=1)))
    for answer in ("no", "", None, True):
        wrong = alice.post(path, json={"answer": answer})
        assert (wrong.status_code, wrong.json()["fields"]) == (422, {"answer": "The only answer is 'yes'."})
    first, second = alice.post(path, json=yes), alice.post(path, json=yes)
    assert (first.status_code, first.json()) == (200, second.json())
    assert list(first.json()["delivery"])[-2:] == ["readyAskedAt", "readyAt"]
    as_user(cast.ada).put(f"/api/admin/orders/{order['id']}", json={"status": "out_for_delivery"})
    late = alice.post(path, json=yes)
    assert (late.status_code, late.json()["code"]) == (409, "order_out")
