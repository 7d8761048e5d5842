"""Planning runs: who drives what on which day, which orders, in which order (RULE runs)."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict, EditedMeanwhile, NotFound
from marketplace_app.limits import MAX_RUN_STOPS, MAX_RUNS_A_DAY
from marketplace_app.models import Order, Permission, Run, RunStop, StopOutcome, User
from marketplace_app.schemas.base import conflicting_fields
from marketplace_app.schemas.dispatch.runs import NewRunForm, RunForm, RunQuery, RunView, StopForm, StopSequenceForm
from marketplace_app.services import run_stops
from marketplace_app.services.accounts import author_name, require
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.dispatch import drivers, run_views
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.run_stops import OpenStop, find_open, lock_run, lock_runs, open_stops


class RunDeparted(Conflict):
    code = "run_departed"
    message = "This run has left already, so it cannot be changed."


class AlreadyPlanned(Conflict):
    code = "already_planned"


class OrderEnded(Conflict):
    code = "order_ended"


class RunFull(Conflict):
    code = "run_full"
    message = f"A run has at most {MAX_RUN_STOPS} stops. Please plan another one."


class TooManyRuns(Conflict):
    code = "too_many_runs"
    message = f"There can be at most {MAX_RUNS_A_DAY} runs on a day."


class StopsChanged(Conflict):
    code = "run_changed"
    message = "The stops of this run have changed in the meantime. Please look at them again."


def list_runs(session: Session, actor: User | None, query: RunQuery) -> tuple[RunView, ...]:
    """All runs of a day, closed ones too; without a day, those of today at the store."""
    require(actor, Permission.SEE_DISPATCH)
    day = query.day or clock.today(get_settings().timezone)
    return run_views.make(session, run_views.load(session, col(Run.day) == day), clock.now())


def get(session: Session, actor: User | None, run_id: int) -> RunView:
    """Raises NotFound."""
    require(actor, Permission.SEE_DISPATCH)
    return run_views.make_one(session, run_id)


def plan(session: Session, actor: User | None, form: NewRunForm) -> RunView:
    """Plan a run with its first stops: all of them or none.

    Raises InvalidInput, TooManyRuns, and NotFound, OrderEnded, AlreadyPlanned or DriversOwnOrder for an order.
    """
    staff = require(actor, Permission.PLAN_RUNS)
    orders = _lock_orders(session, form.order_ids)
    driver = drivers.find(session, form.driver_id)
    _lock_day(session, form.day)
    _require_room_on(session, form.day)
    run = Run(planned_by_id=staff.id, planned_at=clock.now(), **form.columns())
    session.add(run)
    session.flush()
    for position, order in enumerate(orders, start=1):
        _require_plannable(session, order, driver)
        session.add(RunStop(run_id=run.id, order_id=order.id, position=position, added_at=clock.now()))
    session.flush()
    numbers = [order.number for order in orders]
    _record(session, staff, "run.planned", run, driver=author_name(driver), orders=numbers)
    return run_views.make_one(session, run.id)


def change(
    session: Session, actor: User | None, run_id: int, form: RunForm, *, seen: Mapping[str, Any] | None = None
) -> RunView:
    """Replace day, driver and vehicle of a run that has not departed; the same values change nothing.

    `seen` are the values that a form was filled with. Raises NotFound, InvalidInput, EditedMeanwhile, RunDeparted,
    DriversOwnOrder, TooManyRuns.
    """
    staff = require(actor, Permission.PLAN_RUNS)
    _lock_day(session, form.day, run_id)
    run = _lock_planned(session, run_id)
    if seen is not None and (fields := conflicting_fields(form, seen, run_views.make_one(session, run_id).values())):
        raise EditedMeanwhile(fields)
    driver = drivers.find(session, form.driver_id)
    for order in _orders_of(session, run):
        drivers.require_not_own(order, driver)
    if form.day != run.day:
        _require_room_on(session, form.day)
    changed = {name: value for name, value in form.columns().items() if getattr(run, name) != value}
    for name, value in changed.items():
        setattr(run, name, value)
    session.add(run)
    session.flush()
    if changed:
        facts = {"driver": author_name(driver), "day": run.day.isoformat(), "vehicle": run.vehicle}
        _record(session, staff, "run.changed", run, **facts)
    return run_views.make_one(session, run.id)


def discard(session: Session, actor: User | None, run_id: int) -> None:
    """Remove a run that has not departed; its orders can be planned again. Raises NotFound, RunDeparted."""
    staff = require(actor, Permission.PLAN_RUNS)
    run = _lock_planned(session, run_id)
    session.execute(delete(Run).where(col(Run.id) == run_id))  # its stops go with it
    # Recorded after the stops are deleted, because a change of an order's status takes its locks in the same order:
    # first the stop, then the head of the audit trail.
    _record(session, staff, "run.discarded", run)


def add(session: Session, actor: User | None, run_id: int, form: StopForm) -> RunView:
    """Put an order on a run, or move it there from another one. One that is on the run already moves to the position.

    Raises NotFound, RunDeparted, RunFull, OrderEnded, AlreadyPlanned if it is out, DriversOwnOrder.
    """
    return _put(session, require(actor, Permission.PLAN_RUNS), run_id, [form.order_id], form.position)


def add_all(session: Session, actor: User | None, run_id: int, order_ids: Sequence[str]) -> RunView:
    """Put several orders at the end of a run: all or none. Raises what `add` does."""
    return _put(session, require(actor, Permission.PLAN_RUNS), run_id, order_ids, None)


def _put(session: Session, staff: User, run_id: int, order_ids: Sequence[str], position: int | None) -> RunView:
    orders = _lock_orders(session, order_ids)
    run, others = _lock_with_others(session, run_id, [find_open(session, order.id) for order in orders])
    driver = session.get_one(User, run.driver_id)
    on_runs = {stop.order_id: stop for each in (run, *others) for stop in open_stops(each)}
    before = [stop.order_id for stop in open_stops(run)]
    listed = [stop for stop in open_stops(run) if stop.order_id not in order_ids]
    first = len(listed) if position is None else position - 1
    moved: list[tuple[Run, int]] = []
    for index, order in enumerate(orders, start=first):
        require_open(order)
        drivers.require_not_own(order, driver)
        stop = on_runs.get(order.id)
        if stop is not None and stop.run_id != run.id:
            moved.append((next(other for other in others if other.id == stop.run_id), order.number))
        stop = stop or RunStop(run_id=run.id, order_id=order.id, position=1, added_at=clock.now())
        stop.run_id = run.id
        listed.insert(index, stop)
    if len(listed) > MAX_RUN_STOPS:
        raise RunFull()
    _renumber(session, listed, range(1, len(listed) + 1))
    for other, number in moved:
        _record(session, staff, "run.stop_removed", other, order=number)
    for order in orders:
        if order.id not in before:
            _record(session, staff, "run.stop_added", run, order=order.number)
    if [stop.order_id for stop in listed if stop.order_id in before] != before:
        _record(session, staff, "run.reordered", run)
    return run_views.make_one(session, run.id)


def take_off(session: Session, actor: User | None, run_id: int, stop_id: int) -> RunView:
    """Take an order off a run that has not departed. Raises NotFound, RunDeparted."""
    staff = require(actor, Permission.PLAN_RUNS)
    run = _lock_planned(session, run_id)
    stop = next((each for each in open_stops(run) if each.id == stop_id), None)
    if stop is None:
        raise NotFound("This order is not on the run any more. Please reload the board.")
    number = session.get_one(Order, stop.order_id).number
    run_stops.end(session, [stop.id], StopOutcome.REMOVED)
    _record(session, staff, "run.stop_removed", run, order=number)
    return run_views.make_one(session, run.id)


def reorder(session: Session, actor: User | None, run_id: int, form: StopSequenceForm) -> RunView:
    """Set the order of the stops that have not ended, also of a run that is out.

    Raises NotFound, RunDeparted if it is closed, and StopsChanged if these are not its stops.
    """
    staff = require(actor, Permission.PLAN_RUNS)
    run = lock_run(session, run_id)
    if run.closed_at is not None:
        raise RunDeparted("This run is closed, so it cannot be changed.")
    by_id = {stop.id: stop for stop in open_stops(run)}
    if sorted(form.stop_ids) != sorted(by_id):
        raise StopsChanged()
    if form.stop_ids != [*by_id]:
        # On a run that is out, the open stops exchange their positions: all others belong to stops that have ended.
        positions = sorted(stop.position for stop in by_id.values()) if run.is_out else range(1, len(by_id) + 1)
        _renumber(session, [by_id[stop_id] for stop_id in form.stop_ids], positions)
        _record(session, staff, "run.reordered", run)
    return run_views.make_one(session, run.id)


def _lock_orders(session: Session, order_ids: Sequence[str]) -> list[Order]:
    """In the given order. Raises NotFound."""
    if not order_ids:
        return []
    found = {order.id: order for order, _ in fulfilment.lock_orders(session, order_ids)}
    if len(found) < len(order_ids):
        raise NotFound("One of these orders no longer exists. Please reload the board.")
    return [found[order_id] for order_id in order_ids]


def _lock_with_others(session: Session, run_id: int, open_now: Sequence[OpenStop | None]) -> tuple[Run, Sequence[Run]]:
    """The run, and the others that its new orders are on now. Raises NotFound, and RunDeparted or AlreadyPlanned if one
    of them has departed."""
    elsewhere = {stop.run_id for stop in open_now if stop is not None} - {run_id}
    locked = lock_runs(session, {run_id} | elsewhere)
    for other in locked:
        if other.id != run_id and other.departed_at is not None:
            raise AlreadyPlanned(f"This order is out for delivery on run {other.id}.")
        if other.id == run_id and other.departed_at is not None:
            raise RunDeparted()
    return next(run for run in locked if run.id == run_id), [run for run in locked if run.id != run_id]


def _lock_planned(session: Session, run_id: int) -> Run:
    run = lock_run(session, run_id)
    if run.departed_at is not None:
        raise RunDeparted()
    return run


def _orders_of(session: Session, run: Run) -> Sequence[Order]:
    order_ids = [stop.order_id for stop in open_stops(run)]
    return session.execute(select(Order).where(col(Order.id).in_(order_ids))).scalars().all()


def _lock_day(session: Session, day: date, run_id: int = 0) -> None:
    """Lock all runs of a day, and this one, in id order (RULE lock-order): if two people plan a run while there is room
    for one more, the second counts the first's. On a day without runs nothing is locked, but there is room for both."""
    wanted = or_(col(Run.day) == day, col(Run.id) == run_id)
    session.execute(select(col(Run.id)).where(wanted).order_by(col(Run.id)).with_for_update())


def _require_room_on(session: Session, day: date) -> None:
    planned = select(func.count()).select_from(Run).where(col(Run.day) == day)
    if session.execute(planned).scalar_one() >= MAX_RUNS_A_DAY:
        raise TooManyRuns()


def _require_plannable(session: Session, order: Order, driver: User) -> None:
    require_open(order)
    drivers.require_not_own(order, driver)
    if (stop := find_open(session, order.id)) is not None:
        raise AlreadyPlanned(f"Order {order.number} is on run {stop.run_id} already.")


def require_open(order: Order) -> None:
    """Raises OrderEnded."""
    if order.status.is_ended:
        raise OrderEnded(f"Order {order.number} is {order.status.label}, so there is nothing to deliver.")


def _renumber(session: Session, listed: Sequence[RunStop], positions: Sequence[int]) -> None:
    for stop, position in zip(listed, positions, strict=True):
        stop.position = position
        session.add(stop)
    session.flush()


def _record(session: Session, staff: User, action: str, run: Run, **details: object) -> None:
    audit_log.append(session, staff, action, f"run:{run.id}", **details)
    announcements.publish(session, live.STAFF)
