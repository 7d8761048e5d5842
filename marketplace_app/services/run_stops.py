"""An order's stops on runs: which one is open, and how a change of the order's status ends or reopens it.

For callers that hold the lock of the order's customer, which comes before the lock of a run (RULE lock-order).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, exists, func, or_, select, update
from sqlalchemy.orm import selectinload
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.models import (
    EventResult,
    Order,
    OrderStatus,
    Run,
    RunStop,
    StopEvent,
    StopEventKind,
    StopOutcome,
)
from marketplace_app.models.base import related, table_of

_STOPS, _RUNS, _EVENTS = table_of(RunStop), table_of(Run), table_of(StopEvent)
# Built once, because it is run with every change of a status.
_OPEN_STOP = (
    select(_STOPS.c.id, _STOPS.c.run_id, _RUNS.c.departed_at.is_not(None).label("is_out"))
    .join(_RUNS, _RUNS.c.id == _STOPS.c.run_id)
    .where(_STOPS.c.order_id == bindparam("order_id"), _STOPS.c.ended_at.is_(None))
)
# The newest stop of an order, if its run is out and it ended as delivered although no bag was reported as placed: then
# somebody has set the order's status. The run is locked, so that it is not closed meanwhile.
_STOP_TO_REOPEN = (
    select(_STOPS.c.id)
    .join(_RUNS, _RUNS.c.id == _STOPS.c.run_id)
    .where(
        _STOPS.c.id
        == select(func.max(_STOPS.c.id)).where(_STOPS.c.order_id == bindparam("order_id")).scalar_subquery(),
        _STOPS.c.outcome == StopOutcome.DELIVERED,
        _RUNS.c.departed_at.is_not(None),
        _RUNS.c.closed_at.is_(None),
        ~exists().where(
            _EVENTS.c.stop_id == _STOPS.c.id,
            _EVENTS.c.kind == StopEventKind.BAG_PLACED,
            _EVENTS.c.result == EventResult.APPLIED,
        ),
    )
    .with_for_update(of=_RUNS)
)


class RunNotFound(NotFound):
    message = "This run does not exist any more. Please reload the board."


class StopsOpen(Conflict):
    code = "stops_open"

    def __init__(self, numbers: Sequence[int], refusal: str = "The run cannot be closed") -> None:
        named = ", ".join(map(str, sorted(numbers)))
        orders = "order" if len(numbers) == 1 else "orders"
        super().__init__(f"{refusal}: it is not recorded what became of {orders} {named}.")


class OpenStop(NamedTuple):
    id: int
    run_id: int
    is_out: bool
    """Whether its run has departed."""


def find_open(session: Session, order_id: str) -> OpenStop | None:
    """The open stop of an order; None without one."""
    found = session.connection().execute(_OPEN_STOP, {"order_id": order_id}).first()
    return OpenStop(*found) if found else None


def settle(session: Session, order: Order, before: OrderStatus) -> None:
    """Make an order's stop fit its new status: end the open stop if it does not fit, or, if a delivered order is out
    for delivery again, reopen the stop that the delivery ended (RULE run-stops)."""
    if order.status is OrderStatus.OUT_FOR_DELIVERY:
        if before is OrderStatus.DELIVERED:
            _reopen(session, order)
        return
    stop = find_open(session, order.id)
    if stop is None:
        return
    outcome = _outcome(order.status, stop)
    if outcome is not None:
        end(session, [stop.id], outcome)


def _reopen(session: Session, order: Order) -> None:
    """The order was not delivered after all, so its driver still has it."""
    stop_id = session.connection().execute(_STOP_TO_REOPEN, {"order_id": order.id}).scalar_one_or_none()
    if stop_id is not None:
        reopening = update(RunStop).where(col(RunStop.id) == stop_id).values(ended_at=None, outcome=None)
        session.execute(reopening.execution_options(synchronize_session="fetch"))


def _outcome(status: OrderStatus, stop: OpenStop) -> StopOutcome | None:
    """None if the stop stays open, since the order is still expected to go out with it."""
    if status is OrderStatus.DELIVERED:
        return StopOutcome.DELIVERED
    if status is OrderStatus.CANCELLED:
        return StopOutcome.CANCELLED if stop.is_out else StopOutcome.REMOVED
    return StopOutcome.REMOVED if stop.is_out else None


def end(session: Session, stop_ids: Iterable[int], outcome: StopOutcome) -> None:
    """End the stops that have not ended yet."""
    ending = update(RunStop).where(col(RunStop.id).in_(stop_ids), col(RunStop.ended_at).is_(None))
    session.execute(ending.values(ended_at=clock.now(), outcome=outcome).execution_options(synchronize_session="fetch"))


def lock_run(session: Session, run_id: int) -> Run:
    """A run, with its stops as they are now. Nobody else adds or moves any until the transaction ends; only a change of
    one order's status, which locks no run, may end one meanwhile. Raises NotFound."""
    return lock_runs(session, [run_id])[0]


def lock_runs(session: Session, run_ids: Iterable[int]) -> Sequence[Run]:
    """The same for several runs, locked and returned in id order. Raises NotFound if any does not exist."""
    wanted = sorted(set(run_ids))
    statement = select(Run).where(col(Run.id).in_(wanted)).order_by(col(Run.id)).with_for_update()
    session.execute(statement)
    loaded = select(Run).where(col(Run.id).in_(wanted)).order_by(col(Run.id)).options(selectinload(related(Run.stops)))
    found = session.execute(loaded.execution_options(populate_existing=True)).scalars().all()
    if len(found) < len(wanted):
        raise RunNotFound()
    return found


def lock_runs_of(session: Session, order_ids: Sequence[str]) -> None:
    """Lock the runs that orders are on, or were delivered on, for a change of several orders.

    Such a change writes the first order's entry in the audit trail before it locks the second order's stop; whoever
    changes the stops of a run locks the stops first. Since both begin with the run, they cannot deadlock.
    """
    may_change = or_(_STOPS.c.ended_at.is_(None), _STOPS.c.outcome == StopOutcome.DELIVERED)
    are_on = select(_STOPS.c.run_id).where(_STOPS.c.order_id.in_(order_ids), may_change)
    is_locked = (_RUNS.c.id.in_(are_on), _RUNS.c.closed_at.is_(None))
    session.execute(select(_RUNS.c.id).where(*is_locked).order_by(_RUNS.c.id).with_for_update())


def is_listed(stop: RunStop) -> bool:
    """Whether a run's page lists it: not if it was taken off the run or its order was deleted."""
    return stop.outcome is not StopOutcome.REMOVED and stop.order.deleted_at is None


def open_stops(run: Run) -> list[RunStop]:
    """In the order in which they are driven to."""
    return [stop for stop in run.stops if stop.ended_at is None]
