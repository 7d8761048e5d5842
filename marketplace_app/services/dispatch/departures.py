"""A run leaves the shop with its orders, and comes back (RULE depart, RULE close-run)."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col
from ulid import ULID

from marketplace_app import clock, money
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict
from marketplace_app.limits import MAX_COUNTS_A_SHIFT
from marketplace_app.models import (
    EventResult,
    EventSource,
    Order,
    OrderLegalRecord,
    OrderStatus,
    Permission,
    Run,
    RunStop,
    StopEvent,
    StopEventKind,
    StopOutcome,
    User,
)
from marketplace_app.models.base import insert_rows
from marketplace_app.schemas.dispatch.runs import RunView
from marketplace_app.services import settings
from marketplace_app.services.accounts import may_drive, require
from marketplace_app.services.batches import of_orders
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.cash import colleagues, ledger
from marketplace_app.services.dispatch import run_views
from marketplace_app.services.dispatch.drivers import require_not_own
from marketplace_app.services.dispatch.runs import RunDeparted, StopsChanged
from marketplace_app.services.jurisdictions import versions
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.run_stops import StopsOpen, lock_run, open_stops


class RunEmpty(Conflict):
    code = "run_empty"
    message = "This run has no orders. Put some on it first."


class DriverOut(Conflict):
    code = "driver_out"
    message = "The driver is still out on another run. Close that one first, or choose another driver."


class DriverMayNotDrive(Conflict):
    code = "no_driver"
    message = "The driver of this run may not drive any more. Please choose another one."


class ShiftCounted(Conflict):
    """Cash that the driver takes from now on could not be counted any more."""

    code = "shift_counted"
    message = "The driver's cash has been counted twice. Close the shift first, then the run can leave."


class VehicleValueExceeded(Conflict):
    code = "vehicle_value"

    def __init__(self, value_cents: int, most_cents: int) -> None:
        super().__init__(
            f"The goods on this run are worth {money.show(value_cents)}. Under the state's rules a vehicle may carry"
            f" at most {money.show(most_cents)}. Please take orders off."
        )


def depart(session: Session, actor: User | None, run_id: int) -> RunView:
    """The run leaves: all its orders become out for delivery, or none.

    Raises NotFound, RunDeparted, RunEmpty, DriverMayNotDrive, DriverOut, VehicleValueExceeded, ShiftCounted, OwnOrder,
    OrderRecalled, and StopsChanged if somebody has changed the stops at the same time.
    """
    staff = require(actor, Permission.PLAN_RUNS)
    # Customers are locked before the run, so the stops are read twice.
    order_ids = _ids_of_orders_to_deliver(session, run_id)
    locked = fulfilment.lock_orders(session, order_ids)
    run = lock_run(session, run_id)
    if run.departed_at is not None:
        raise RunDeparted()
    if {stop.order_id for stop in open_stops(run)} != {order.id for order, _ in locked}:
        raise StopsChanged()
    if not locked:
        raise RunEmpty()
    driver = session.get_one(User, run.driver_id)
    if not may_drive(driver):
        raise DriverMayNotDrive()
    for order, _ in locked:
        require_not_own(order, driver)
    # `change_status` below does not check an order that is out for delivery already, because staff set it so by hand.
    if of_orders.find_recalled(session, order_ids):
        raise of_orders.OrderRecalled()
    _require_value_allowed(session, [order for order, _ in locked])
    _mark_departed(session, run)
    shift = ledger.ensure_open_shift(session, staff, driver.id)
    # A driver who works alone has nobody to witness the closing of the shift, and must not be kept from delivering.
    if len(shift.counts) >= MAX_COUNTS_A_SHIFT and not colleagues.works_alone(session, driver.id):
        raise ShiftCounted()
    for order, customer in locked:
        fulfilment.require_no_conflict_of_interest(staff, order, OrderStatus.OUT_FOR_DELIVERY)
        fulfilment.change_status(session, staff, order, customer, OrderStatus.OUT_FOR_DELIVERY)
    audit_log.append(session, staff, "run.departed", f"run:{run.id}", orders=len(locked))
    announcements.publish(session, live.STAFF)
    return run_views.make_one(session, run.id)


def close(session: Session, actor: User | None, run_id: int) -> RunView:
    """The run is over: each stop has ended, and what was not handed over is back in the shop. Closing twice changes
    nothing. Raises NotFound, StopsOpen, and RunEmpty for a run without open stops that has not left."""
    staff = require(actor, Permission.PLAN_RUNS)
    run = lock_run(session, run_id)
    if run.closed_at is not None:
        return run_views.make_one(session, run.id)
    if still_open := open_stops(run):
        statement = select(col(Order.number)).where(col(Order.id).in_([stop.order_id for stop in still_open]))
        raise StopsOpen(session.execute(statement).scalars().all())
    if run.departed_at is None:
        raise RunEmpty("This run has not left, so there is nothing to close. Remove it instead.")
    back = _brought_back(run.stops, run.departed_at)
    _record_return(session, staff, back)
    run.closed_at = clock.now()
    session.add(run)
    audit_log.append(session, staff, "run.closed", f"run:{run.id}", returned=len(back))
    announcements.publish(session, live.STAFF)
    return run_views.make_one(session, run.id)


def _ids_of_orders_to_deliver(session: Session, run_id: int) -> Sequence[str]:
    statement = select(col(RunStop.order_id)).where(col(RunStop.run_id) == run_id, col(RunStop.ended_at).is_(None))
    return session.execute(statement).scalars().all()


def _require_value_allowed(session: Session, orders: Sequence[Order]) -> None:
    """Raises VehicleValueExceeded, by the rules that the orders were judged by; no rules are read while none are
    enforced (RULE state-rules)."""
    if not settings.current(session).enforce_jurisdiction:
        return
    judged = select(col(OrderLegalRecord.version_id)).where(
        col(OrderLegalRecord.order_id).in_([order.id for order in orders])
    )
    rules = versions.rules_of(session, set(session.execute(judged).scalars()))
    limits = [each.vehicle_value_cents for each in rules.values() if each.vehicle_value_cents is not None]
    value = sum(order.subtotal_cents for order in orders)
    if limits and value > min(limits):
        raise VehicleValueExceeded(value, min(limits))


def _mark_departed(session: Session, run: Run) -> None:
    """Raises DriverOut: the database allows a driver only one run that is out."""
    try:
        with session.begin_nested():
            run.departed_at = clock.now()
            session.add(run)
    except IntegrityError:
        raise DriverOut() from None


def _brought_back(stops: Sequence[RunStop], departed_at: datetime) -> list[RunStop]:
    """The stops that left with the run and were not delivered. Stops that ended before the departure never left."""
    return [
        stop
        for stop in stops
        if stop.outcome is not StopOutcome.DELIVERED and stop.ended_at is not None and stop.ended_at >= departed_at
    ]


def _record_return(session: Session, staff: User, back: Sequence[RunStop]) -> None:
    at = clock.now()
    rows = [
        {
            "key": str(ULID()),
            "stop_id": stop.id,
            "kind": StopEventKind.RETURNED,
            "source": EventSource.DISPATCH,
            "actor_id": staff.id,
            "claimed_at": at,
            "received_at": at,
            "data": {},
            "result": EventResult.APPLIED,
        }
        for stop in back
    ]
    insert_rows(session, StopEvent, rows)
