"""A change of an order's status ends the stop that it does not fit, or reopens one (RULE run-stops)."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.models import EventSource, OrderStatus, Product, StopEventKind, StopOutcome, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.dispatch.door import AnswerResult, EventData
from marketplace_app.services import invariants
from marketplace_app.services.dispatch import departures, door, runs
from tests.conftest import Cast
from tests.counting import count_statements
from tests.doors import CASH, ID, Phone, forms
from tests.services.buying.test_fulfilment import set_status
from tests.services.dispatch.test_runs import call, outcomes, place, plan


@pytest.mark.parametrize(
    ("is_out", "status", "outcome"),
    [
        (False, OrderStatus.CONFIRMED, None),
        (False, OrderStatus.OUT_FOR_DELIVERY, None),
        (False, OrderStatus.DELIVERED, StopOutcome.DELIVERED),
        (False, OrderStatus.CANCELLED, StopOutcome.REMOVED),
        (True, OrderStatus.CONFIRMED, StopOutcome.REMOVED),
        (True, OrderStatus.PENDING, StopOutcome.REMOVED),
        (True, OrderStatus.DELIVERED, StopOutcome.DELIVERED),
        (True, OrderStatus.CANCELLED, StopOutcome.CANCELLED),
    ],
)
def test_a_status_set_by_hand_ends_the_stop_that_it_does_not_fit(
    cast: Cast, dora: User, fern: Product, is_out: bool, status: OrderStatus, outcome: StopOutcome | None
) -> None:
    order_id = place(cast.alice, fern)
    run = plan(cast.ada, dora, order_id)
    if is_out:
        call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, order_id, status)
    listed = outcomes(cast.ada, run.id)
    assert listed == ([] if outcome is StopOutcome.REMOVED else [outcome])


def test_an_order_that_was_delivered_by_mistake_is_on_its_run_again(
    engine: Engine, cast: Cast, dora: User, fern: Product
) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    run = plan(cast.ada, dora, one, two)
    call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, one, OrderStatus.DELIVERED, OrderStatus.OUT_FOR_DELIVERY)
    assert outcomes(cast.ada, run.id) == [None, None]
    answers = call(dora, door.record, run.stops[0].id, forms([Phone().event(run.stops[0], "arrived")]))
    assert [answer.result for answer in answers] == [AnswerResult.APPLIED]
    with Session(engine) as session:
        assert [check.name for check in invariants.check(session) if not check.holds] == []


def test_a_stop_stays_ended_if_its_driver_delivered_it_or_its_run_is_closed(
    cast: Cast, dora: User, fern: Product, zone: None
) -> None:
    by_phone, by_hand = place(cast.alice, fern), place(cast.bob, fern)
    run = plan(cast.ada, dora, by_phone, by_hand)
    call(cast.ada, departures.depart, run.id)
    at_door = (StopEventKind.ARRIVED, {}), (StopEventKind.ID_CHECKED, ID), (StopEventKind.PIN_ENTERED, {})
    for kind, data in (*at_door, (StopEventKind.CASH_COUNTED, CASH), (StopEventKind.BAG_PLACED, {})):
        report = (kind, parse(EventData, data), EventSource.PAPER)
        assert call(cast.ada, door.enter, run.id, run.stops[0].id, *report).code is None
    set_status(cast.ada, by_hand, OrderStatus.DELIVERED)
    set_status(cast.ada, by_phone, OrderStatus.OUT_FOR_DELIVERY)
    assert outcomes(cast.ada, run.id) == [StopOutcome.DELIVERED] * 2
    call(cast.ada, departures.close, run.id)
    set_status(cast.ada, by_hand, OrderStatus.OUT_FOR_DELIVERY)
    assert outcomes(cast.ada, run.id) == [StopOutcome.DELIVERED] * 2


def test_an_older_delivery_than_the_last_stop_is_not_reopened(cast: Cast, dora: User, fern: Product) -> None:
    run = plan(cast.ada, dora, order_id := place(cast.alice, fern), place(cast.bob, fern))
    call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, order_id, OrderStatus.DELIVERED, OrderStatus.CONFIRMED)
    later = plan(cast.ada, dora, order_id)
    call(cast.ada, runs.take_off, later.id, later.stops[0].id)
    set_status(cast.ada, order_id, OrderStatus.DELIVERED, OrderStatus.OUT_FOR_DELIVERY)
    assert outcomes(cast.ada, run.id) == [StopOutcome.DELIVERED, None]


def test_placing_an_order_reads_no_run_and_a_change_of_status_reads_its_stop_once(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    """A shop that plans no runs pays one cheap statement for each change of a status."""
    with count_statements(engine) as placing:
        order_id = place(cast.alice, fern)
    assert not [sql for sql in placing if "run_stops" in sql]
    for status in (OrderStatus.CONFIRMED, OrderStatus.DELIVERED, OrderStatus.CANCELLED, OrderStatus.PENDING):
        with count_statements(engine) as changing:
            set_status(cast.ada, order_id, status)
        assert len([sql for sql in changing if "run_stops" in sql]) == 1
    with count_statements(engine) as changing:
        set_status(cast.ada, order_id, OrderStatus.OUT_FOR_DELIVERY)
    assert not [sql for sql in changing if "run_stops" in sql]
