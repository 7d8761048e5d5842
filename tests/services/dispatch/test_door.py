"""What happens at a door, on the real database (RULE door, RULE driver-events, RULE failed-stops)."""

import random
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.limits import MAX_WRONG_PINS
from marketplace_app.models import (
    AuditEntry,
    EventResult,
    EventSource,
    FailureReason,
    Order,
    OrderLegalRecord,
    OrderStatus,
    OutboxMessage,
    Product,
    Role,
    Run,
    RunStop,
    StopEventKind,
    StopFlag,
    StopOutcome,
    User,
)
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.dispatch.door import EventAnswer, EventData
from marketplace_app.schemas.dispatch.runs import ReleaseForm
from marketplace_app.services import invariants, mails
from marketplace_app.services.buying import fulfilment, orders
from marketplace_app.services.dispatch import door, driver_run, failures
from tests.builders import enforce_rules, make_product, make_rules, make_run, make_user, make_zone, order_form
from tests.conftest import Cast
from tests.doors import CASH, ID, PIN, WRONG_PIN, Phone, event, forms, make_order_out

Events = list[dict[str, Any]]
REASON = ReleaseForm(reason="Called the customer, who read the PIN to me")


@pytest.fixture
def stop(session: Session, cast: Cast, dora: User) -> RunStop:
    """Of alice's order, on dora's run."""
    run = make_run(session, dora, make_order_out(session, cast.alice), is_out=True)
    session.commit()
    return run.stops[0]


def send(driver: User, stop: RunStop, events: Events) -> tuple[EventAnswer, ...]:
    return db.write(lambda s: door.record(s, s.get(User, driver.id), stop.id, forms(events)))


def results(answers: tuple[EventAnswer, ...]) -> list[str]:
    """The code of each answer, else its result: `applied`, `waiting` or `known`."""
    return [answer.code or answer.result.value for answer in answers]


def reloaded(stop: RunStop) -> RunStop:
    """The stop as it is stored, with its order and events."""

    def load(session: Session) -> RunStop:
        found = session.get_one(RunStop, stop.id)
        _ = found.order.delivery, found.order.history, found.events  # which cannot be loaded later
        return found

    return db.read(load)


def count(engine: Engine, model: Any, *conditions: Any) -> int:
    with Session(engine) as session:
        return session.execute(select(func.count()).select_from(model).where(*conditions)).scalar_one()


def test_all_steps_in_order_deliver_the_order(dora: User, stop: RunStop) -> None:
    answers = send(dora, stop, Phone().steps(stop))
    assert results(answers) == ["applied"] * 5
    ended = reloaded(stop)
    assert (ended.outcome, ended.order.status, ended.flag) == (StopOutcome.DELIVERED, OrderStatus.DELIVERED, None)
    change = ended.order.history[-1]
    assert (change.from_status, change.actor_id) == (OrderStatus.OUT_FOR_DELIVERY, dora.id)
    assert {each.actor_id for each in ended.events} == {dora.id}


@pytest.mark.parametrize("left_out", ["arrived", "id_checked", "pin_entered", "cash_counted"])
def test_a_bag_is_not_placed_before_id_pin_and_cash(dora: User, stop: RunStop, left_out: str) -> None:
    phone = Phone()
    before = [("arrived", {}), ("id_checked", ID), ("pin_entered", {"pin": PIN}), ("cash_counted", CASH)]
    events = [phone.event(stop, kind, **data) for kind, data in before if kind != left_out]
    refused = send(dora, stop, [*events, phone.event(stop, "bag_placed")])[-1]
    assert (refused.code, refused.result.value) == ("step_missing", "refused")
    assert (reloaded(stop).ended_at, reloaded(stop).order.status) == (None, OrderStatus.OUT_FOR_DELIVERY)


def test_an_event_waits_for_its_predecessor_and_is_then_judged(dora: User, stop: RunStop) -> None:
    first, second, third = Phone().steps(stop, upto="pin_entered")
    assert results(send(dora, stop, [third])) == ["waiting"]
    assert results(send(dora, stop, [second])) == ["waiting"]
    assert [event.result for event in reloaded(stop).events] == [EventResult.WAITING] * 2
    assert results(send(dora, stop, [first])) == ["applied"]
    assert [event.result for event in reloaded(stop).events] == [EventResult.APPLIED] * 3


def test_events_sent_together_may_be_in_any_order(dora: User, stop: RunStop) -> None:
    assert results(send(dora, stop, Phone().steps(stop)[::-1])) == ["applied"] * 5


def test_a_known_event_does_nothing_and_says_why_it_was_refused(dora: User, stop: RunStop) -> None:
    phone = Phone()
    arrived, wrong = phone.event(stop, "arrived"), phone.event(stop, "bag_placed")
    assert results(send(dora, stop, [arrived, arrived, wrong])) == ["applied", "known", "step_missing"]
    before = reloaded(stop)
    again = send(dora, stop, [wrong, arrived])
    assert [answer.result.value for answer in again] == ["known", "known"]
    assert [answer.code for answer in again] == ["step_missing", None]
    assert [each.id for each in reloaded(stop).events] == [each.id for each in before.events]


def test_a_number_that_another_phone_has_used_is_taken(dora: User, stop: RunStop) -> None:
    send(dora, stop, Phone().steps(stop, upto="id_checked"))
    other = Phone()
    assert results(send(dora, stop, [other.event(stop, "arrived")])) == ["sequence_taken"]
    run = db.read(lambda s: driver_run.show(s, s.get(User, dora.id)))
    assert run is not None
    assert run.stops[0].next_sequence == 3, "with this number the other phone goes on"


def test_the_first_missing_number_comes_next(dora: User, stop: RunStop) -> None:
    send(dora, stop, [event(stop, 1, "arrived"), event(stop, 3, "pin_entered", pin=PIN)])
    run = db.read(lambda s: driver_run.show(s, s.get(User, dora.id)))
    assert run is not None
    assert run.stops[0].next_sequence == 2


def test_an_id_with_a_no_is_refused_and_another_is_looked_at(dora: User, stop: RunStop) -> None:
    phone = Phone()
    events = [phone.event(stop, "arrived"), phone.event(stop, "id_checked", **ID | {"ofAge": False})]
    assert results(send(dora, stop, events)) == ["applied", "id_not_accepted"]
    assert results(send(dora, stop, [phone.event(stop, "pin_entered", pin=PIN)])) == ["step_missing"]
    assert results(send(dora, stop, [phone.event(stop, "id_checked", **ID)])) == ["applied"]
    looked_again = phone.event(stop, "id_checked", **ID | {"nameMatches": False})
    assert results(send(dora, stop, [looked_again])) == ["id_not_accepted"]
    assert results(send(dora, stop, [phone.event(stop, "pin_entered", pin=PIN)])) == ["step_missing"]


def test_too_little_cash_is_refused(dora: User, stop: RunStop) -> None:
    phone = Phone()
    send(dora, stop, phone.steps(stop, upto="pin_entered"))
    short = send(dora, stop, [phone.event(stop, "cash_counted", counted="152.49")])
    assert results(short) == ["cash_short"]
    assert short[0].message.startswith("$0.01 is missing.")
    assert results(send(dora, stop, [phone.event(stop, "bag_placed")])) == ["step_missing"]


def test_the_fifth_wrong_pin_locks_the_stop_until_a_dispatcher_releases_it(
    dora: User, cast: Cast, stop: RunStop
) -> None:
    phone = Phone()
    send(dora, stop, phone.steps(stop, upto="id_checked"))
    wrong = [phone.event(stop, "pin_entered", pin=WRONG_PIN) for _ in range(MAX_WRONG_PINS)]
    answers = send(dora, stop, wrong)
    assert results(answers) == ["pin_wrong"] * MAX_WRONG_PINS
    assert [answer.message for answer in answers[-2:]] == [
        "Wrong PIN. Ask again: 1 try left.",
        "Wrong PIN. The stop is locked now: call dispatch.",
    ]
    assert reloaded(stop).is_locked
    for kind, data in (("pin_entered", {"pin": PIN}), ("failed", {"reason": "not_home"}), ("arrived", {})):
        assert results(send(dora, stop, [phone.event(stop, kind, **data)])) == ["stop_locked"]
    release(cast.ada, stop)
    assert not reloaded(stop).is_locked
    assert results(send(dora, stop, [phone.event(stop, "pin_entered", pin=PIN)])) == ["applied"]


def release(staff: User, stop: RunStop) -> None:
    db.write(lambda s: door.release(s, s.get(User, staff.id), stop.run_id, stop.id, REASON))


def lock_with_wrong_pins(dora: User, stop: RunStop) -> Phone:
    phone = Phone()
    send(dora, stop, phone.steps(stop, upto="id_checked"))
    send(dora, stop, [phone.event(stop, "pin_entered", pin=WRONG_PIN) for _ in range(MAX_WRONG_PINS)])
    return phone


def test_a_release_is_audited_and_its_reason_kept_with_the_stop(
    engine: Engine, dora: User, cast: Cast, stop: RunStop
) -> None:
    lock_with_wrong_pins(dora, stop)
    release(cast.ada, stop)
    released = reloaded(stop).events[-1]
    assert (released.kind, released.source, released.actor_id) == ("released", EventSource.DISPATCH, cast.ada.id)
    assert released.data == {"reason": REASON.reason}
    with Session(engine) as session:
        entry = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "stop.released")).scalar_one()
        assert (entry.subject, entry.details) == (f"order:{stop.order_id}", {"run": stop.run_id})
    with pytest.raises(door.NothingToRelease):
        release(cast.ada, stop)


def test_only_staff_who_may_plan_runs_release_stops_and_nobody_their_own(
    session: Session, dora: User, cast: Cast, stop: RunStop
) -> None:
    viewer, support = make_user(session, "vera", role=Role.VIEWER), make_user(session, "sam", role=Role.SUPPORT)
    own = make_run(
        session, make_user(session, "dirk", role=Role.DRIVER), make_order_out(session, support), is_out=True
    ).stops[0]
    session.commit()
    lock_with_wrong_pins(dora, stop)
    for other in (dora, viewer, cast.alice):
        with pytest.raises(errors.NotAllowed):
            release(other, stop)
    with pytest.raises(fulfilment.OwnOrder):
        release(support, own)
    release(support, stop)


def test_a_stop_of_another_run_is_not_released(dora: User, cast: Cast, stop: RunStop) -> None:
    with pytest.raises(errors.NotFound):
        db.write(lambda s: door.release(s, s.get(User, cast.ada.id), stop.run_id + 1, stop.id, REASON))


def test_a_wrong_pin_from_offline_marks_the_stop_and_undoes_nothing(dora: User, cast: Cast, stop: RunStop) -> None:
    phone = Phone()
    events = phone.steps(stop)
    events[2]["data"] = {"pin": WRONG_PIN, "offline": True}
    assert results(send(dora, stop, events)) == ["applied"] * 5
    ended = reloaded(stop)
    assert (ended.outcome, ended.flag, ended.wrong_pins) == (StopOutcome.DELIVERED, StopFlag.WRONG_PIN, 0)
    release(cast.ada, stop)
    assert (reloaded(stop).flag, reloaded(stop).outcome) == (None, StopOutcome.DELIVERED)


def test_a_right_pin_from_offline_marks_nothing(dora: User, stop: RunStop) -> None:
    events = Phone().steps(stop)
    events[2]["data"] = {"pin": PIN, "offline": True}
    assert results(send(dora, stop, events)) == ["applied"] * 5
    assert reloaded(stop).flag is None


@pytest.mark.attack("guessing a door PIN through events that wait")
def test_a_waiting_wrong_pin_says_nothing_and_counts_later(dora: User, stop: RunStop) -> None:
    guesses = [event(stop, number, "pin_entered", pin=WRONG_PIN) for number in range(3, 10)]
    guesses.append(event(stop, 10, "pin_entered", pin=PIN))
    assert {answer.result.value for answer in send(dora, stop, guesses)} == {"waiting"}
    send(dora, stop, Phone().steps(stop, upto="id_checked"))
    codes = [each.code for each in reloaded(stop).events if each.kind is StopEventKind.PIN_ENTERED]
    assert codes == ["pin_wrong"] * MAX_WRONG_PINS + ["stop_locked"] * 3


@pytest.mark.parametrize("reason", FailureReason)
def test_a_failed_stop_ends_and_its_reason_decides_what_follows(
    engine: Engine, dora: User, stop: RunStop, reason: FailureReason
) -> None:
    failed = Phone().event(stop, "failed", reason=reason.value, note="Rang twice")
    assert results(send(dora, stop, [failed])) == ["applied"]
    ended, rule = reloaded(stop), failures.RULES[reason]
    assert (ended.outcome, ended.failure) == (StopOutcome.FAILED, reason)
    assert ended.order.status is (OrderStatus.CANCELLED if rule.is_cancelled else OrderStatus.CONFIRMED)
    assert ended.order.delivery is not None
    assert ended.order.delivery.attempts == 1
    with Session(engine) as session:
        sent = session.execute(select(OutboxMessage)).scalars().all()
        assert [(each.kind, each.recipient) for each in sent] == [("delivery_failed", "alice@example.org")]
        mail = mails.compose(session, sent[0].kind, sent[0].payload)
        assert mail is not None
        said = mail.plain().replace(ended.order.id, "")  # a random id may contain any four digits
    assert f"We could not hand over your order {ended.order.number} today {rule.sentence}." in said
    assert ("The order is cancelled." in said) is rule.is_cancelled
    assert ("We will deliver it another time" in said) is not rule.is_cancelled
    assert (PIN in said, "Rang twice" in said) == (False, False)


@pytest.mark.parametrize(
    ("claimed", "told"),
    [(timedelta(days=-1), timedelta(days=-1)), (timedelta(days=-400), timedelta(days=-2)), (timedelta(days=400), None)],
    ids=["while it was out", "before it left", "in the future"],
)
def test_the_mail_about_a_failure_is_of_the_day_on_which_the_run_was_out(
    session: Session, dora: User, stop: RunStop, claimed: timedelta, told: timedelta | None
) -> None:
    at, timezone = clock.now(), get_settings().timezone
    session.get_one(Run, stop.run_id).departed_at = at - timedelta(days=2)
    session.commit()
    send(dora, stop, [Phone().event(stop, "failed", reason="not_home") | {"at": clock.iso(at + claimed)}])
    payload = db.read(lambda s: s.execute(select(OutboxMessage)).scalar_one().payload)
    assert payload["day"] == (at + (told or timedelta())).astimezone(timezone).date().isoformat()


def test_what_comes_after_the_end_is_refused(dora: User, stop: RunStop) -> None:
    phone = Phone()
    send(dora, stop, phone.steps(stop))
    late = [phone.event(stop, "failed", reason="not_home"), phone.event(stop, "arrived")]
    assert results(send(dora, stop, late)) == ["stop_ended"] * 2
    assert reloaded(stop).order.status is OrderStatus.DELIVERED


def test_a_cancelled_order_is_not_handed_over(dora: User, cast: Cast, stop: RunStop) -> None:
    phone = Phone()
    send(dora, stop, phone.steps(stop, upto="cash_counted"))
    cancel = OrderEditForm(status=OrderStatus.CANCELLED)
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), stop.order_id, cancel).id)
    for kind, data in (("bag_placed", {}), ("failed", {"reason": "not_home"})):
        answer = send(dora, stop, [phone.event(stop, kind, **data)])
        assert results(answer) == ["do_not_hand_over"]
        assert "Bring it back" in answer[0].message
    assert reloaded(stop).order.status is OrderStatus.CANCELLED


def test_a_cancelling_failure_returns_the_stock(session: Session, cast: Cast, dora: User) -> None:
    fern = make_product(session, price_cents=120_00, stock=5)
    make_zone(session, "97201")
    session.commit()
    order_id = str(
        db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), order_form((fern, 2)), key=None))["id"]
    )
    out = OrderEditForm(status=OrderStatus.OUT_FOR_DELIVERY)
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, out).id)
    run = make_run(session, dora, session.get_one(Order, order_id), is_out=True)
    session.commit()
    assert db.read(lambda s: s.get_one(Product, fern.id).stock) == 3
    send(dora, run.stops[0], [Phone().event(run.stops[0], "failed", reason="under_21")])
    assert db.read(lambda s: s.get_one(Product, fern.id).stock) == 5
    assert [check.name for check in db.read(lambda s: list(invariants.check(s))) if not check.holds] == []


def test_an_order_without_door_pin_is_delivered_without_one(session: Session, cast: Cast, dora: User) -> None:
    run = make_run(session, dora, make_order_out(session, cast.alice, pin=None), is_out=True)
    session.commit()
    stop, phone = run.stops[0], Phone()
    events = [phone.event(stop, "arrived"), phone.event(stop, "id_checked", **ID)]
    events += [phone.event(stop, "cash_counted", **CASH), phone.event(stop, "bag_placed")]
    assert results(send(dora, stop, events)) == ["applied"] * 4


def test_a_signature_is_needed_where_the_rules_ask_for_one(session: Session, cast: Cast, dora: User) -> None:
    enforce_rules(session)
    rules = make_rules(session, record={"items": ["signature"], "keepDays": 30})
    order = make_order_out(session, cast.alice)
    session.add(OrderLegalRecord(order_id=order.id, version_id=rules.id))
    stop = make_run(session, dora, order, is_out=True).stops[0]
    session.commit()
    run = db.read(lambda s: driver_run.show(s, s.get(User, dora.id)))
    assert run is not None
    assert run.stops[0].needs_signature
    phone = Phone()
    assert results(send(dora, stop, phone.steps(stop)))[-1] == "step_missing"
    signed = [phone.event(stop, "signed", signature="M1 1L2 2"), phone.event(stop, "bag_placed")]
    assert results(send(dora, stop, signed)) == ["applied", "applied"]


def test_the_claimed_time_is_kept_beside_that_of_arrival(dora: User, stop: RunStop) -> None:
    phone, claimed = Phone(), clock.now() - timedelta(days=400)
    began = clock.now()
    send(dora, stop, [phone.event(stop, "arrived") | {"at": clock.iso(claimed)}])
    stored = reloaded(stop).events[0]
    assert clock.iso(stored.claimed_at) == clock.iso(claimed)
    assert began <= stored.received_at <= clock.now()


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_time_at_the_end_of_the_calendar_is_kept_within_it(dora: User, stop: RunStop, at: str) -> None:
    assert results(send(dora, stop, [Phone().event(stop, "arrived") | {"at": at}])) == ["applied"]
    assert reloaded(stop).events[0].claimed_at.year in (2000, 2999)


def test_nobody_reports_on_a_stop_that_is_not_on_their_run(session: Session, cast: Cast, dora: User) -> None:
    dirk = make_user(session, "dirk", role=Role.DRIVER)
    out = make_run(session, dora, make_order_out(session, cast.alice), is_out=True).stops[0]
    planned = make_run(session, dirk, make_order_out(session, cast.bob)).stops[0]
    session.commit()
    for driver, stop in ((dirk, out), (dirk, planned), (cast.ada, out)):
        with pytest.raises(errors.NotFound):
            send(driver, stop, [Phone().event(stop, "arrived")])
        with pytest.raises(errors.NotFound):
            db.read(lambda s, driver=driver, stop=stop: door.require_own(s, s.get(User, driver.id), [stop.id]))
    with pytest.raises(errors.NotAllowed):
        send(cast.alice, out, [Phone().event(out, "arrived")])
    assert reloaded(out).events == []


def test_a_stop_that_was_taken_off_the_run_takes_no_more_events(dora: User, cast: Cast, stop: RunStop) -> None:
    """An answer such as `stop_ended` would let the phone drop what it has saved of the stop without saying so."""
    put_back = OrderEditForm(status=OrderStatus.CONFIRMED)
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), stop.order_id, put_back).id)
    assert reloaded(stop).outcome is StopOutcome.REMOVED
    with pytest.raises(errors.NotFound):
        send(dora, stop, [Phone().event(stop, "arrived")])
    with pytest.raises(errors.NotFound):
        db.read(lambda s: door.require_own(s, s.get(User, dora.id), [stop.id]))
    assert reloaded(stop).events == []


def test_a_closed_run_takes_no_more_events(session: Session, dora: User, stop: RunStop) -> None:
    run = session.get_one(Run, stop.run_id)
    run.closed_at = clock.now()
    session.add(run)
    session.commit()
    with pytest.raises(errors.NotFound):
        send(dora, stop, [Phone().event(stop, "arrived")])
    assert db.read(lambda s: driver_run.show(s, s.get(User, dora.id))) is None


def test_an_event_key_used_at_another_stop_is_known_and_not_stored_again(
    session: Session, cast: Cast, dora: User
) -> None:
    run = make_run(session, dora, make_order_out(session, cast.alice), make_order_out(session, cast.bob), is_out=True)
    session.commit()
    first, second = run.stops
    sent = Phone().event(first, "arrived")
    send(dora, first, [sent])
    assert results(send(dora, second, [sent | {"stopId": second.id}])) == ["known"]
    assert reloaded(second).events == []


def enter(staff: User, stop: RunStop, kind: StopEventKind, data: EventData, source: EventSource) -> EventAnswer:
    return db.write(lambda s: door.enter(s, s.get(User, staff.id), stop.run_id, stop.id, kind, data, source))


ID_SEEN = EventData(ofAge=True, nameMatches=True, notExpired=True)
COUNTED = EventData(counted="152.50")


@pytest.mark.parametrize(
    ("pin", "flag"),
    [(PIN, None), (WRONG_PIN, StopFlag.WRONG_PIN), (None, StopFlag.NO_PIN)],
    ids=["right", "wrong", "no"],
)
def test_paper_is_entered_in_the_same_order_of_steps(
    cast: Cast, stop: RunStop, pin: str | None, flag: StopFlag | None
) -> None:
    paper = EventSource.PAPER
    assert enter(cast.ada, stop, StopEventKind.BAG_PLACED, EventData(), paper).code == "step_missing"
    steps = [
        (StopEventKind.ARRIVED, EventData()),
        (StopEventKind.ID_CHECKED, ID_SEEN),
        (StopEventKind.PIN_ENTERED, EventData(pin=pin)),
    ]
    for kind, data in [*steps, (StopEventKind.CASH_COUNTED, COUNTED), (StopEventKind.BAG_PLACED, EventData())]:
        assert enter(cast.ada, stop, kind, data, paper).code is None
    ended = reloaded(stop)
    assert (ended.outcome, ended.flag) == (StopOutcome.DELIVERED, flag)


def test_a_dispatcher_reports_a_failure_for_a_driver_who_called(dora: User, cast: Cast, stop: RunStop) -> None:
    phone = Phone()
    send(dora, stop, phone.steps(stop, upto="id_checked"))
    enter(cast.ada, stop, StopEventKind.FAILED, EventData(reason=FailureReason.UNSAFE), EventSource.DISPATCH)
    assert reloaded(stop).order.status is OrderStatus.CONFIRMED
    assert results(send(dora, stop, [phone.event(stop, "pin_entered", pin=PIN)])) == ["stop_ended"]


def test_what_staff_enter_needs_its_data_a_run_that_is_out_and_their_permission(
    session: Session, dora: User, cast: Cast, stop: RunStop
) -> None:
    for kind in (StopEventKind.ID_CHECKED, StopEventKind.CASH_COUNTED, StopEventKind.FAILED):
        with pytest.raises(errors.InvalidInput):
            enter(cast.ada, stop, kind, EventData(), EventSource.PAPER)
    with pytest.raises(errors.InvalidInput):
        enter(cast.ada, stop, StopEventKind.PIN_ENTERED, EventData(), EventSource.DISPATCH)
    with pytest.raises(errors.NotAllowed):
        enter(dora, stop, StopEventKind.ARRIVED, EventData(), EventSource.PAPER)
    planned = make_run(session, dora, make_order_out(session, cast.bob)).stops[0]
    session.commit()
    with pytest.raises(errors.NotFound):
        enter(cast.ada, planned, StopEventKind.ARRIVED, EventData(), EventSource.PAPER)


@pytest.mark.parametrize("seed", range(5))
def test_events_that_are_late_doubled_and_shuffled_end_in_the_same_state(dora: User, stop: RunStop, seed: int) -> None:
    """One by one; `test_event_batches.py` sends any number at once."""
    rng, phone = random.Random(seed), Phone()
    wrong = phone.event(stop, "pin_entered", pin=WRONG_PIN)
    events = [wrong, *phone.steps(stop)]
    rng.shuffle(events)
    for each in (*events, *events):
        send(dora, stop, [each])
    ended = reloaded(stop)
    assert (ended.outcome, ended.order.status, ended.wrong_pins) == (StopOutcome.DELIVERED, OrderStatus.DELIVERED, 0)
    by_number = {each.sequence: each.code for each in ended.events}
    assert by_number == {1: "step_missing"} | dict.fromkeys(range(2, 7))
