"""Runs leave with their orders, and come back (RULE depart, RULE close-run)."""

import pytest
from sqlalchemy import select, text
from sqlmodel import Session, col

from marketplace_app.models import OrderStatus, Product, StopEvent, StopEventKind, StopOutcome, User
from marketplace_app.schemas.dispatch.runs import RunForm, RunState
from marketplace_app.services import run_stops
from marketplace_app.services.dispatch import departures, runs
from tests.builders import enforce_rules, make_rules
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.dispatch.test_runs import call, outcomes, place, plan, status_of


def test_a_run_closes_when_each_stop_has_ended(cast: Cast, dora: User, fern: Product) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    run = plan(cast.ada, dora, one, two)
    call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, one, OrderStatus.DELIVERED)
    with pytest.raises(run_stops.StopsOpen, match=r"order \d+\.$"):
        call(cast.ada, departures.close, run.id)
    set_status(cast.ada, two, OrderStatus.CANCELLED)
    assert call(cast.ada, departures.close, run.id).state is RunState.CLOSED
    assert outcomes(cast.ada, run.id) == [StopOutcome.DELIVERED, StopOutcome.CANCELLED]
    assert call(cast.ada, departures.close, run.id).state is RunState.CLOSED


def test_closing_records_the_return_of_what_left_and_was_not_delivered(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    placed = [place(cast.alice, fern) for _ in range(5)]
    never_out, cancelled_before, cancelled, put_back, delivered = placed
    run = plan(cast.ada, dora, *placed)
    stops = dict(zip(placed, run.stops, strict=True))
    call(cast.ada, runs.take_off, run.id, stops[never_out].id)
    set_status(cast.ada, cancelled_before, OrderStatus.CANCELLED)
    call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, cancelled, OrderStatus.CANCELLED)
    set_status(cast.ada, put_back, OrderStatus.CONFIRMED)
    set_status(cast.ada, delivered, OrderStatus.DELIVERED)
    for _ in range(2):
        call(cast.ada, departures.close, run.id)
    returned = session.execute(select(StopEvent).order_by(col(StopEvent.stop_id))).scalars().all()
    assert [event.stop_id for event in returned] == [stops[cancelled].id, stops[put_back].id]
    assert {event.kind for event in returned} == {StopEventKind.RETURNED}


@pytest.mark.parametrize("change", ["role = 'customer'", "banned_at = CURRENT_TIMESTAMP, ban_reason = 'Left'"])
def test_a_run_does_not_leave_with_a_driver_who_may_not_drive_any_more(
    session: Session, cast: Cast, dora: User, fern: Product, change: str
) -> None:
    run = plan(cast.ada, dora, order_id := place(cast.alice, fern))
    session.execute(text(f"UPDATE users SET {change} WHERE id = {dora.id}"))
    session.commit()
    with pytest.raises(departures.DriverMayNotDrive):
        call(cast.ada, departures.depart, run.id)
    assert status_of(order_id) is OrderStatus.PENDING
    call(cast.ada, runs.change, run.id, RunForm(day=run.day, driverId=cast.ada.id))
    assert call(cast.ada, departures.depart, run.id).state is RunState.OUT


def test_a_vehicle_carries_no_more_than_the_rules_allow(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    make_rules(session, "OR", vehicleValue="200.00")
    enforce_rules(session)
    session.commit()
    address = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
    one, two = (place(who, fern, deliveryAddress=None, address=address) for who in (cast.alice, cast.bob))
    run = plan(cast.ada, dora, one, two)
    with pytest.raises(departures.VehicleValueExceeded, match=r"worth \$240\.00.*at most \$200\.00"):
        call(cast.ada, departures.depart, run.id)
    call(cast.ada, runs.take_off, run.id, run.stops[1].id)
    assert call(cast.ada, departures.depart, run.id).state is RunState.OUT
