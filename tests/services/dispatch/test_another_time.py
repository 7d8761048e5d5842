"""A customer moves an order to another delivery time; it never loses the one it has (RULE another-time)."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session, col, select

from marketplace_app import clock, db, errors, places
from marketplace_app.models import (
    AuditEntry,
    Order,
    OrderDelivery,
    OrderStatus,
    OutboxMessage,
    Product,
    Role,
    RunStop,
    Slot,
    StopOutcome,
    User,
)
from marketplace_app.schemas.delivery.slots import SlotForm
from marketplace_app.services import invariants, mails
from marketplace_app.services.buying import orders, own_orders
from marketplace_app.services.delivery import slots, windows
from marketplace_app.services.dispatch import another_time, ready
from marketplace_app.services.jurisdictions import enforcement
from tests.builders import (
    enforce_rules,
    make_rules,
    make_run,
    make_user,
    make_window,
    make_zone,
    order_form,
    slot_id,
)
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.delivery.test_zones import wait_for_a_blocked_transaction
from tests.services.test_races import at_once

CANCELLED, CONFIRMED, DELIVERED, OUT = (
    OrderStatus.CANCELLED,
    OrderStatus.CONFIRMED,
    OrderStatus.DELIVERED,
    OrderStatus.OUT_FOR_DELIVERY,
)


@pytest.fixture
def times(session: Session) -> tuple[str, str]:
    """From five to seven with 60 places, and from eight to nine with 10."""
    zone = make_zone(session, "97201")
    early = make_window(session, zone, capacity=60)
    late = make_window(session, zone, capacity=10, opens_minute=20 * 60, closes_minute=21 * 60)
    session.commit()
    return slot_id(early), slot_id(late)


def place_order(who: User, product: Product, slot: str | None) -> dict[str, Any]:
    form = order_form((product, 2), slotId=slot)
    return dict(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None)))


def move(who: User, placed: dict[str, Any], slot: str) -> dict[str, Any]:
    form = SlotForm.model_validate({"slotId": slot})
    return db.write(lambda s: another_time.choose(s, s.get(User, who.id), placed["id"], form)).wire()


def offered(who: User, placed: dict[str, Any]) -> dict[str, int]:
    """How many places are left, by slot."""
    found = db.read(lambda s: another_time.list_offered(s, s.get(User, who.id), placed["id"]))
    return {each.id: each.left for each in found}


def taken(engine: Engine) -> list[int]:
    """How many places of each slot are taken, the earliest slot first; fails if an invariant is broken."""
    with Session(engine) as session:
        assert [result.name for result in invariants.check(session) if not result.holds] == []
        return [*session.execute(select(Slot.taken).order_by(col(Slot.starts_at))).scalars()]


def test_the_slot_the_promise_and_the_estimate_move_together(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    early, late = times
    placed = place_order(cast.alice, fern, early)
    moved = move(cast.alice, placed, late)
    delivery = moved["delivery"]
    assert moved["estimatedDelivery"] == delivery["promisedBy"] == delivery["windowEnd"]
    before, after = (datetime.fromisoformat(each["windowStart"]) for each in (placed["delivery"], delivery))
    assert after - before == timedelta(hours=3)
    assert {name for name in moved if moved[name] != placed[name]} == {"estimatedDelivery", "delivery"}
    assert (delivery["doorPin"], delivery["zone"]) == (placed["delivery"]["doorPin"], "East side")
    assert taken(engine) == [0, 1]
    assert db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire() == moved


def test_the_trail_says_both_times_and_the_mail_the_new_one(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    move(cast.alice, placed, times[1])
    with Session(engine) as session:
        entry = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "order.moved")).scalar_one()
        assert (entry.actor_id, entry.subject) == (cast.alice.id, f"order:{placed['id']}")
        assert "5:00 PM to 7:00 PM" in entry.details["from"]
        assert "8:00 PM to 9:00 PM" in entry.details["to"]
        message = session.execute(select(OutboxMessage).where(col(OutboxMessage.kind) == "slot_changed")).scalar_one()
        mail = mails.compose(session, message.kind, message.payload)
    assert mail is not None
    assert (message.recipient, mail.subject) == (cast.alice.email, f"Order {placed['number']}: another time")
    assert "8:00 PM to 9:00 PM" in mail.paragraphs[1]


def test_choosing_the_time_it_has_changes_nothing(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[1])
    moved = move(cast.alice, placed, times[0])
    assert move(cast.alice, placed, times[0]) == moved
    assert taken(engine) == [1, 0]
    with Session(engine) as session:
        mailed = select(OutboxMessage).where(col(OutboxMessage.kind) == "slot_changed")
        assert len(session.execute(mailed).all()) == 1


def test_the_other_times_of_its_zone_are_offered(
    session: Session, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    make_window(session, make_zone(session, "97211", name="North"))
    session.commit()
    placed = place_order(cast.alice, fern, times[0])
    shown = offered(cast.alice, placed)
    assert times[0] not in shown
    assert shown[times[1]] == 10
    assert {each.partition("-")[0] for each in shown} == {each.partition("-")[0] for each in times}
    with pytest.raises(errors.NotFound):
        offered(cast.bob, placed)


def test_a_full_time_is_refused_others_are_offered_and_the_order_keeps_its_own(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    for _ in range(10):
        place_order(cast.bob, fern, times[1])
    with pytest.raises(slots.WindowFull) as refused:
        move(cast.alice, placed, times[1])
    assert 0 < len(refused.value.windows) <= 3
    assert not {each.id for each in refused.value.windows} & {*times}
    assert taken(engine) == [1, 10]
    assert db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire() == placed


def test_a_time_of_another_zone_past_its_cut_off_or_of_no_window_is_refused(
    engine: Engine, session: Session, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    elsewhere = slot_id(make_window(session, make_zone(session, "97211", name="North")))
    session.commit()
    placed = place_order(cast.alice, fern, times[0])
    for slot in (elsewhere, "987654-2026-11-27"):
        with pytest.raises(slots.WindowFull):
            move(cast.alice, placed, slot)
    session.execute(text("UPDATE windows SET cutoff_minutes = 10080"))
    session.commit()
    with pytest.raises(slots.WindowFull):
        move(cast.alice, placed, times[1])
    assert taken(engine) == [1]


def test_an_order_whose_zip_code_was_given_to_another_zone_keeps_its_time(
    engine: Engine, session: Session, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    north = make_zone(session, name="North")
    elsewhere = slot_id(make_window(session, north))
    session.execute(text(f"UPDATE zone_zips SET zone_id = {north.id}"))
    session.commit()
    assert offered(cast.alice, placed) == {}
    with pytest.raises(slots.WindowFull):
        move(cast.alice, placed, elsewhere)
    assert taken(engine) == [1]


def test_an_order_whose_window_was_removed_can_be_moved(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    db.write(lambda s: windows.remove(s, cast.ada, int(times[0].partition("-")[0])))
    assert offered(cast.alice, placed)[times[1]] == 10
    move(cast.alice, placed, times[1])
    assert taken(engine) == [1]


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_moving_an_order_locks_its_slot_before_its_delivery(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    """Removing a window locks its slots, then the deliveries in them: in the other order the two would deadlock."""
    placed = place_order(cast.alice, fern, times[0])
    with ThreadPoolExecutor(1) as pool, Session(engine) as removing:
        removing.execute(text("SELECT id FROM slots FOR UPDATE"))
        moving = pool.submit(move, cast.alice, placed, times[1])
        wait_for_a_blocked_transaction(engine)
        removing.execute(text("SELECT order_id FROM order_deliveries FOR UPDATE NOWAIT"))
        removing.rollback()
        moving.result(timeout=10)
    assert taken(engine) == [0, 1]


def test_an_order_without_a_time_has_none_to_change(cast: Cast, fern: Product, times: tuple[str, str]) -> None:
    placed = place_order(cast.alice, fern, None)
    with pytest.raises(another_time.NoSlot):
        move(cast.alice, placed, times[1])
    with pytest.raises(another_time.NoSlot):
        offered(cast.alice, placed)


@pytest.mark.parametrize("status", [OUT, DELIVERED, CANCELLED])
def test_an_order_that_is_out_or_has_ended_is_not_moved(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str], status: OrderStatus
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    set_status(cast.ada, placed["id"], status)
    with pytest.raises(own_orders.OrderAlreadyOut):
        move(cast.alice, placed, times[1])
    assert taken(engine) == [0 if status is CANCELLED else 1]


def test_a_confirmed_order_can_be_moved_and_only_by_its_customer(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    set_status(cast.ada, placed["id"], CONFIRMED)
    for who in (cast.bob, cast.ada):
        with pytest.raises(errors.NotFound):
            move(who, placed, times[1])
    assert move(cast.alice, placed, times[1])["status"] == "confirmed"
    assert taken(engine) == [0, 1]


def test_the_customer_is_asked_again_whether_they_are_ready_before_the_new_time(
    cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    starts, ends = (datetime.fromisoformat(placed["delivery"][name]) for name in ("windowStart", "windowEnd"))
    assert db.write(lambda s: ready.ask(s, starts - timedelta(hours=1))) == 1
    db.write(lambda s: ready.confirm(s, s.get(User, cast.alice.id), placed["id"]))
    assert "readyAskedAt" not in move(cast.alice, placed, times[1])["delivery"]
    assert db.write(lambda s: ready.ask(s, starts - timedelta(hours=1))) == 0
    assert db.write(lambda s: ready.ask(s, ends)) == 1


def test_moving_to_a_time_within_two_hours_counts_as_being_ready(
    cast: Cast, fern: Product, times: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    at = datetime.fromisoformat(placed["delivery"]["windowEnd"]) - timedelta(minutes=50)
    monkeypatch.setattr(clock, "now", lambda: at)
    delivery = move(cast.alice, placed, times[1])["delivery"]
    assert delivery["readyAskedAt"] == delivery["readyAt"] == clock.iso(at)
    assert db.write(lambda s: ready.ask(s, at)) == 0


def test_the_order_is_taken_off_the_run_that_it_was_planned_for(
    engine: Engine, session: Session, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed, other = (place_order(cast.alice, fern, times[0]) for _ in range(2))
    driver = make_user(session, "dora", role=Role.DRIVER)
    make_run(session, driver, *(session.get_one(Order, each["id"]) for each in (placed, other)))
    session.commit()
    move(cast.alice, placed, times[1])
    with Session(engine) as after:
        found = {stop.order_id: stop.outcome for stop in after.execute(select(RunStop)).scalars()}
    assert found == {placed["id"]: StopOutcome.REMOVED, other["id"]: None}


def test_times_outside_the_hours_that_the_state_allows_are_refused(
    engine: Engine, session: Session, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    make_rules(session, "OR", hours={"opens": "08:00", "closes": "20:00"})
    enforce_rules(session)
    session.commit()
    assert db.read(lambda s: enforcement.find_version(s, places.Place("97201", "OR"), clock.now())) is not None
    assert times[1] not in offered(cast.alice, placed)
    with pytest.raises(errors.OrderBlocked) as refused:
        move(cast.alice, placed, times[1])
    assert refused.value.blocker == "outside_hours"
    assert taken(engine) == [1]


def test_the_door_pin_is_in_no_mail_about_an_order_that_moved(
    engine: Engine, session: Session, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = place_order(cast.alice, fern, times[0])
    session.execute(text("UPDATE order_deliveries SET door_pin = '9753'"))
    session.commit()
    move(cast.alice, placed, times[1])
    with Session(engine) as after:
        for message in after.execute(select(OutboxMessage)).scalars():
            mail = mails.compose(after, message.kind, message.payload)
            assert mail is not None
            # The order's id, which is in the link, may contain any digits.
            assert "9753" not in mail.html().replace(placed["id"], "")


def move_fifty(
    engine: Engine, session: Session, fern: Product, times: tuple[str, str]
) -> tuple[Counter[type], list[int]]:
    """Move the orders of fifty customers to the same ten places.

    Returns how often each type of answer came, and the places taken in each slot.
    """
    people = [make_user(session, f"customer{n}") for n in range(50)]
    session.commit()
    placed = [place_order(who, fern, times[0]) for who in people]
    calls = [lambda w=w, p=p: move(w, p, times[1]) for w, p in zip(people, placed, strict=True)]
    answers = Counter(map(type, at_once(calls)))
    with Session(engine) as after:
        counts = [*after.execute(select(Slot.taken).order_by(col(Slot.starts_at))).scalars()]
        held = after.execute(select(OrderDelivery).where(col(OrderDelivery.held_slot_id).is_not(None))).all()
    assert len(held) == 50
    return answers, counts


@pytest.mark.race
def test_fifty_customers_who_want_ten_places_get_ten_and_the_others_keep_theirs(
    engine: Engine, session: Session, fern: Product, times: tuple[str, str]
) -> None:
    answers, counts = move_fifty(engine, session, fern, times)
    assert answers == {dict: 10, slots.WindowFull: 40}
    assert counts == [40, 10]
    assert taken(engine) == counts


def test_control_freeing_the_old_place_first_leaves_an_order_without_one(
    engine: Engine, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    """What the tests above would find if the old place were freed in a transaction of its own."""
    placed = place_order(cast.alice, fern, times[0])
    for _ in range(10):
        place_order(cast.bob, fern, times[1])
    db.write(lambda s: slots.settle(s, s.get_one(OrderDelivery, placed["id"]), holds=False))
    with pytest.raises(slots.WindowFull):
        move(cast.alice, placed, times[1])
    with Session(engine) as after:
        assert after.get_one(OrderDelivery, placed["id"]).held_slot_id is None
        broken = [result.name for result in invariants.check(after) if not result.holds]
    assert broken == ["an order holds its place in a slot until it is cancelled"]


@pytest.mark.race
def test_orders_that_change_places_do_not_deadlock(
    engine: Engine, session: Session, fern: Product, times: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session.execute(text("UPDATE windows SET capacity = 40"))
    people = [make_user(session, f"customer{n}") for n in range(20)]
    session.commit()
    placed = [place_order(who, fern, times[n % 2]) for n, who in enumerate(people)]
    others = [times[1 - n % 2] for n in range(20)]
    monkeypatch.setattr(db, "ATTEMPTS", 1)  # a deadlock would be tried again
    calls = [lambda w=w, p=p, t=t: move(w, p, t) for w, p, t in zip(people, placed, others, strict=True)]
    assert Counter(map(type, at_once(calls))) == {dict: 20}
    assert taken(engine) == [10, 10]


@pytest.mark.race
def test_a_move_and_a_cancellation_at_once_free_every_place(
    engine: Engine, session: Session, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    placed = [place_order(cast.alice, fern, times[0]) for _ in range(8)]
    calls: list[Callable[[], Any]] = []
    for each in placed:
        calls += [
            lambda p=each: move(cast.alice, p, times[1]),
            lambda p=each: db.write(lambda s: own_orders.cancel(s, s.get(User, cast.alice.id), p["id"])),
        ]
    at_once(calls)
    assert taken(engine) in ([0], [0, 0])
