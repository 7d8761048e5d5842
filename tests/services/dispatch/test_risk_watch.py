"""When open boards are told that an order is at risk (RULE at-risk)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.adapters import live
from marketplace_app.jobs import timetable
from marketplace_app.jobs.timetable import Task, run_due
from marketplace_app.models import Order, OrderDelivery, OrderStatus, User
from marketplace_app.services.dispatch import risk_watch
from marketplace_app.services.records import announcements
from tests.builders import make_order, make_run, make_zone
from tests.conftest import Cast
from tests.services.dispatch.test_risk import PROMISED


def promised(session: Session, who: User, **values: Any) -> Order:
    return make_order(session, who, 100_00, estimated_delivery_at=PROMISED, **values)


def is_new(minutes_left: float, since: float) -> bool:
    """Whether anything has come to be at risk between two moments, given as minutes before the promise."""
    at, before = (PROMISED - timedelta(minutes=minutes) for minutes in (minutes_left, since))
    return db.read(lambda s: risk_watch.has_new_risk(s, before, at))


def test_an_order_becomes_at_risk_once_and_late_once(session: Session, cast: Cast) -> None:
    promised(session, cast.alice)
    session.commit()
    assert {left: is_new(left, left + 5) for left in (121, 120, 115, 60, 1, 0, -1, -300)} == {
        121: False,
        120: True,
        115: False,
        60: False,
        1: False,
        0: True,
        -1: True,
        -300: False,
    }


def test_an_order_that_ended_or_was_deleted_is_never_at_risk(session: Session, cast: Cast) -> None:
    for status in (OrderStatus.DELIVERED, OrderStatus.CANCELLED):
        promised(session, cast.alice, status=status)
    promised(session, cast.alice, deleted_at=clock.now())
    session.commit()
    assert (is_new(120, 125), is_new(0, 5)) == (False, False)


def test_a_planned_order_is_at_risk_an_hour_before_unless_it_is_out(session: Session, cast: Cast, dora: User) -> None:
    order = promised(session, cast.alice)
    run = make_run(session, dora, order)
    session.commit()
    assert (is_new(118, 123), is_new(60, 65)) == (False, True)
    run.departed_at = clock.now()
    session.add(run)
    session.commit()
    assert (is_new(60, 65), is_new(11, 16)) == (False, True)


def test_the_stops_that_come_first_count_until_they_end(session: Session, cast: Cast, dora: User) -> None:
    far = PROMISED + timedelta(days=2)
    others = [make_order(session, cast.bob, 100_00, estimated_delivery_at=far) for _ in range(4)]
    run = make_run(session, dora, *others[:3], promised(session, cast.alice), others[3], is_out=True)
    session.commit()
    assert (is_new(47, 52), is_new(35, 40)) == (True, False)
    first = run.stops[0]
    first.ended_at, first.outcome = clock.now(), "delivered"
    session.add(first)
    session.commit()
    assert (is_new(47, 52), is_new(35, 40)) == (False, True)


def test_the_promise_counts_and_not_the_estimate_that_staff_may_edit(session: Session, cast: Cast) -> None:
    zone = make_zone(session, "97201")
    order = make_order(session, cast.alice, 100_00, estimated_delivery_at=PROMISED + timedelta(days=1))
    session.add(OrderDelivery(order_id=order.id, zone_id=zone.id, zone_name="", promised_by=PROMISED, door_pin="4071"))
    session.commit()
    assert is_new(120, 125)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics of which open pages are told."""
    topics: list[str] = []
    monkeypatch.setattr(announcements, "publish", lambda _session, topic: topics.append(topic))
    return topics


def test_open_boards_are_told_of_each_change_once_even_after_a_pause(
    session: Session, cast: Cast, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    promised(session, cast.alice)
    session.commit()
    task = Task(timetable.AT_RISK, timetable.announce_at_risk, timetable.every_few_minutes)

    def told_at(minutes_left: int) -> int:
        monkeypatch.setattr(clock, "now", lambda: PROMISED - timedelta(minutes=minutes_left))
        told.clear()
        run_due([task])
        assert {*told} <= {live.STAFF}
        return len(told)

    assert [told_at(left) for left in (180, 175, 170, 120, 115, 110, 30, 0, -5)] == [0, 0, 0, 1, 0, 0, 0, 1, 0]
    assert told_at(-600) == 0


def test_open_boards_are_told_of_what_becomes_at_risk_while_they_are_told(
    session: Session, cast: Cast, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    promised(session, cast.alice)
    session.commit()

    def set_minutes_left(minutes: int) -> None:
        monkeypatch.setattr(clock, "now", lambda: PROMISED - timedelta(minutes=minutes))

    def slow() -> None:
        timetable.announce_at_risk()
        set_minutes_left(119)

    task = Task(timetable.AT_RISK, slow, timetable.every_few_minutes)
    for minutes in (130, 121):
        set_minutes_left(minutes)
        run_due([task])
    assert told == []
    set_minutes_left(115)
    run_due([task])
    assert told == [live.STAFF]


def test_without_orders_at_risk_nothing_is_written(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    promised(session, cast.alice)
    session.commit()
    monkeypatch.setattr(clock, "now", lambda: PROMISED - timedelta(minutes=180))
    monkeypatch.setattr(timetable.db, "write", lambda _work: pytest.fail("it writes"))
    timetable.announce_at_risk()


@pytest.mark.parametrize(("minute", "next_minute"), [(0, 5), (4, 5), (5, 10), (57, 60)])
def test_a_task_of_every_few_minutes_is_due_at_multiples_of_five_minutes(minute: int, next_minute: int) -> None:
    hour = datetime(2026, 11, 25, 16, tzinfo=UTC)
    after = hour + timedelta(minutes=minute, seconds=59 if minute % 5 else 0)
    assert timetable.every_few_minutes(after) == hour + timedelta(minutes=next_minute)
