"""The dispatch board: the orders that are to be delivered, grouped by how far each has come (RULE dispatch-board)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, select, union_all
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.models import Order, Permission, Run, RunStop, StopOutcome, User
from marketplace_app.schemas.dispatch.runs import DispatchBoard, OrderCard, Problem, RunState, RunView, StopView
from marketplace_app.services.accounts import require
from marketplace_app.services.buying.fulfilment import BEFORE_DISPATCH
from marketplace_app.services.dispatch import cards, problems, run_views

_HAS_OPEN_STOP = exists().where(col(RunStop.order_id) == col(Order.id), col(RunStop.ended_at).is_(None))
_UNPLANNED = and_(col(Order.status).in_(BEFORE_DISPATCH), ~_HAS_OPEN_STOP)


def show(session: Session, actor: User | None) -> DispatchBoard:
    """All orders that are still to be delivered, in a few statements whatever their number.

    An order whose delivery failed is among the problems until it is planned again; then only its run shows it.
    """
    require(actor, Permission.SEE_DISPATCH)
    at = clock.now()
    runs = run_views.make(session, run_views.load(session, col(Run.closed_at).is_(None)), at)
    unplanned = cards.make(session, at, _UNPLANNED, on_runs={})
    found = _problems(session, at, runs, unplanned)
    in_problems = {problem.card.order_id for problem in found}
    return DispatchBoard(
        unplanned=tuple(card for card in unplanned.values() if card.order_id not in in_problems),
        planned=tuple(run for run in runs if run.state is RunState.PLANNED),
        out=tuple(run for run in runs if run.state is RunState.OUT),
        problems=found,
    )


def _problems(
    session: Session, at: datetime, runs: Sequence[RunView], unplanned: Mapping[str, OrderCard]
) -> tuple[Problem, ...]:
    """Of runs that are not closed: open stops that are locked or recalled, and cancelled orders that the driver still
    carries. Of all runs: stops that are flagged, and the last attempt of orders that wait to be planned again."""
    on_runs = [stop for run in runs for stop in run.stops]
    waiting = [card.order_id for card in unplanned.values() if card.attempts]
    stops = _without_earlier_failures(_find_stops(session, [stop.id for stop in on_runs if _is_problem(stop)], waiting))
    shown = {stop.card.order_id: stop.card for stop in on_runs} | dict(unplanned)
    shown |= cards.of_orders(session, at, [stop.order_id for stop in stops if stop.order_id not in shown], on_runs={})
    return tuple(problems.describe(stop, shown[stop.order_id]) for stop in stops if stop.order_id in shown)


def _is_problem(stop: StopView) -> bool:
    is_open = stop.outcome is None
    return stop.outcome is StopOutcome.CANCELLED or (is_open and (stop.is_locked or stop.card.is_recalled))


def _find_stops(session: Session, stop_ids: Sequence[int], order_ids: Sequence[str]) -> Sequence[RunStop]:
    """The stops with these ids, the failed stops of these orders, and all stops that are flagged."""
    conditions: list[ColumnElement[bool]] = [col(RunStop.flag).is_not(None)]
    if stop_ids:
        conditions.append(col(RunStop.id).in_(stop_ids))
    if order_ids:
        conditions.append(and_(col(RunStop.order_id).in_(order_ids), col(RunStop.outcome) == StopOutcome.FAILED))
    # Each by its index: with OR instead, SQLite reads all stops that there have ever been.
    found = union_all(*(select(col(RunStop.id)).where(condition) for condition in conditions))
    return session.execute(select(RunStop).where(col(RunStop.id).in_(found)).order_by(col(RunStop.id))).scalars().all()


def _without_earlier_failures(stops: Sequence[RunStop]) -> list[RunStop]:
    """Of several failed stops of an order, only the last, and those that are flagged."""
    last = {stop.order_id: stop.id for stop in stops if stop.outcome is StopOutcome.FAILED}
    return [
        stop
        for stop in stops
        if stop.flag is not None or stop.outcome is not StopOutcome.FAILED or stop.id == last[stop.order_id]
    ]
