"""However a phone's events arrive, they end in one state (RULE driver-events)."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, text
from sqlmodel import Session, SQLModel

from marketplace_app import codes, db
from marketplace_app.models import OrderStatus, Role, RunStop, StopOutcome, User
from marketplace_app.schemas.dispatch.door import EventAnswer
from marketplace_app.services.dispatch import door
from tests.builders import make_run, make_user
from tests.conftest import ON_SQLITE, Cast, SignIn
from tests.doors import ID, PIN, STEPS, WRONG_PIN, Phone, forms, make_order_out
from tests.services.test_races import at_once

Events = list[dict[str, Any]]
STEP_REPORTS = (*STEPS, ("id_checked", ID | {"ofAge": False}), ("cash_counted", {"counted": "1.00"}))
GUESSES = tuple(("pin_entered", {"pin": WRONG_PIN, "offline": is_offline}) for is_offline in (False, True))
FAILURES = tuple(("failed", {"reason": reason}) for reason in ("not_home", "refused"))
REPORTS = st.lists(st.sampled_from([*STEP_REPORTS, *GUESSES, *FAILURES]), max_size=8)
PLANS = st.one_of(REPORTS, REPORTS.map(lambda extra: [*extra, *STEPS]), REPORTS.map(lambda extra: [*STEPS, *extra]))


def send(driver_id: int, stop_id: int, events: Events) -> tuple[EventAnswer, ...]:
    return db.write(lambda s: door.record(s, s.get(User, driver_id), stop_id, forms(events)))


def new_stops(engine: Engine, customer: User, count: int) -> tuple[int, list[RunStop]]:
    """A new driver, who is out with this many orders."""
    with Session(engine, expire_on_commit=False) as session:
        driver = make_user(session, f"driver-{codes.new_token()}", role=Role.DRIVER)
        stops = make_run(session, driver, *(make_order_out(session, customer) for _ in range(count)), is_out=True).stops
        session.commit()
        return driver.id, list(stops)


def state_of(stops: Sequence[RunStop]) -> list[tuple[Any, ...]]:
    """All that may not depend on how events arrived."""

    def load(session: Session, stop_id: int) -> tuple[Any, ...]:
        stop = session.get_one(RunStop, stop_id)
        attempts = stop.order.delivery.attempts if stop.order.delivery else None
        changes = [change.to_status for change in stop.order.history]
        events = sorted((e.sequence or 0, e.kind, e.result, e.code or "") for e in stop.events)
        return stop.outcome, stop.failure, stop.wrong_pins, stop.flag, stop.order.status, attempts, changes, events

    return [db.read(lambda s, stop=stop: load(s, stop.id)) for stop in stops]


@ON_SQLITE
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plans=st.lists(PLANS, min_size=1, max_size=3), data=st.data())
@pytest.mark.slow
def test_late_doubled_and_shuffled_events_end_in_the_state_of_those_in_order(
    engine: Engine, cast: Cast, plans: list[list[tuple[str, dict[str, Any]]]], data: st.DataObject
) -> None:
    driver_id, stops = new_stops(engine, cast.alice, len(plans))
    phone = Phone()
    events = [phone.event(stop, kind, **sent) for stop, plan in zip(stops, plans, strict=True) for kind, sent in plan]
    unsent = data.draw(
        st.permutations([*events, *data.draw(st.lists(st.sampled_from(events)) if events else st.just([]))])
    )
    while unsent:
        size = data.draw(st.integers(1, len(unsent)))
        batch, unsent = unsent[:size], unsent[size:]
        for stop in stops:
            if own := [each for each in batch if each["stopId"] == stop.id]:
                send(driver_id, stop.id, own)
    other_driver, other_stops = new_stops(engine, cast.alice, len(plans))
    other_phone = Phone()
    for stop, plan in zip(other_stops, plans, strict=True):
        for kind, sent in plan:
            send(other_driver, stop.id, [other_phone.event(stop, kind, **sent)])
    assert state_of(stops) == state_of(other_stops)


@pytest.mark.race
def test_several_phones_of_a_driver_at_once_deliver_once(engine: Engine, cast: Cast) -> None:
    driver_id, [stop] = new_stops(engine, cast.alice, 1)
    steps_of_phones = [Phone().steps(stop) for _ in range(4)]
    answers = at_once([lambda events=events: send(driver_id, stop.id, events) for events in steps_of_phones])
    assert Counter(a.code or a.result.value for each in answers for a in each) == {"applied": 5, "sequence_taken": 15}
    outcome, *_, status, attempts, changes, events = state_of([stop])[0]
    assert (outcome, status, attempts, len(events)) == (StopOutcome.DELIVERED, OrderStatus.DELIVERED, 0, 5)
    assert changes == [OrderStatus.DELIVERED]


@pytest.mark.race
def test_the_same_events_at_once_are_applied_once(engine: Engine, cast: Cast) -> None:
    driver_id, [stop] = new_stops(engine, cast.alice, 1)
    events = Phone().steps(stop)
    answers = at_once([lambda: send(driver_id, stop.id, events)] * 4)
    assert Counter(a.result.value for each in answers for a in each) == {"applied": 5, "known": 15}
    assert state_of([stop])[0][0] is StopOutcome.DELIVERED


def tables_with(engine: Engine, pin: str) -> set[str]:
    """The tables that have these digits by themselves: not as a part of an id, a hash or a time."""
    alone = re.compile(rf"(?<![0-9A-Za-z.]){pin}(?![0-9A-Za-z])")
    with engine.connect() as connection:
        return {
            name
            for name in SQLModel.metadata.tables
            if any(alone.search(str(tuple(row))) for row in connection.execute(text(f"SELECT * FROM {name}")))  # noqa: S608
        }


@pytest.mark.attack("finding a door PIN in what the store keeps and says")
def test_a_pin_is_in_no_other_table_no_log_and_no_answer(
    engine: Engine, cast: Cast, as_user: SignIn, caplog: pytest.LogCaptureFixture
) -> None:
    driver_id, stops = new_stops(engine, cast.alice, 3)
    client = as_user(db.read(lambda s: s.get_one(User, driver_id)))
    phone, answers = Phone(), []
    caplog.set_level("DEBUG")
    delivered = [phone.event(stops[0], "pin_entered", pin=WRONG_PIN), *phone.steps(stops[0])]
    offline = phone.steps(stops[1])
    offline[2]["data"] = {"pin": WRONG_PIN, "offline": True}
    waiting = phone.steps(stops[2])[2:]
    batch = [*delivered, *offline, *waiting]
    random.Random(3).shuffle(batch)
    for sent in (batch, batch, [batch[0] | {"data": {"pin": f"{PIN}0"}}], [batch[0] | {"kind": "none"}]):
        answers.append(client.post("/api/driver/events", json=sent))
    answers.append(client.get("/api/driver/run"))
    release = f"/api/admin/runs/{stops[1].run_id}/stops/{stops[1].id}/release"
    answers.append(as_user(cast.ada).post(release, json={"reason": "Called"}))
    assert [answer.status_code for answer in answers] == [200, 200, 422, 422, 200, 204]
    assert tables_with(engine, PIN) == {"order_deliveries"}
    assert tables_with(engine, WRONG_PIN) == set()
    said = " ".join([*(answer.text for answer in answers), caplog.text])
    assert [pin for pin in (PIN, WRONG_PIN) if re.search(rf"(?<![0-9A-Za-z.]){pin}(?![0-9A-Za-z])", said)] == []
