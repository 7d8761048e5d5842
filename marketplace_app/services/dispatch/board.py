"""The dispatch board: what is to be delivered, by how far it is (RULE dispatch-board)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import and_, exists, or_, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.models import Order, OrderStatus, Permission, Run, RunStop, StopOutcome, User
from marketplace_app.schemas.runs import DispatchBoard, OrderCard, Problem, RunState
from marketplace_app.services.accounts import require
from marketplace_app.services.dispatch import cards, problems, run_views
from marketplace_app.services.dispatch.cards import Place

_HAS_OPEN_STOP = exists().where(col(RunStop.order_id) == col(Order.id), col(RunStop.ended_at).is_(None))
_UNPLANNED = and_(col(Order.status).in_((OrderStatus.PENDING, OrderStatus.CONFIRMED)), ~_HAS_OPEN_STOP)


def show(session: Session, actor: User | None) -> DispatchBoard:
    """All orders that are still to be delivered, in a few statements whatever their number.

    An order whose delivery failed is among the problems until it is planned again; then it is on its run alone.
    """
    require(actor, Permission.SEE_DISPATCH)
    at = clock.now()
    runs = run_views.make(session, run_views.load(session, col(Run.closed_at).is_(None)), at)
    unplanned = cards.make(session, at, _UNPLANNED, {})
    found = _problems(session, at, unplanned)
    failed = {problem.card.order_id for problem in found}
    return DispatchBoard(
        unplanned=tuple(card for card in unplanned.values() if card.order_id not in failed),
        planned=tuple(run for run in runs if run.state is RunState.PLANNED),
        out=tuple(run for run in runs if run.state is RunState.OUT),
        problems=found,
    )


def _problems(session: Session, at: datetime, unplanned: Mapping[str, OrderCard]) -> tuple[Problem, ...]:
    """Stops that are locked or flagged; the last attempt of orders that wait to be planned again; and cancelled orders
    that a driver still carries."""
    waiting = [card.order_id for card in unplanned.values() if card.attempts]
    is_carried = and_(col(RunStop.outcome) == StopOutcome.CANCELLED, col(Run.closed_at).is_(None))
    has_failed = and_(col(RunStop.outcome) == StopOutcome.FAILED, col(RunStop.order_id).in_(waiting))
    statement = (
        select(RunStop)
        .join(Run, col(Run.id) == col(RunStop.run_id))
        .where(or_(col(RunStop.flag).is_not(None), problems.IS_LOCKED, is_carried, has_failed))
        .order_by(col(RunStop.id))
    )
    stops = _latest(session.execute(statement).scalars().all())
    out = {stop.order_id: Place(is_out=True, stops_before=0) for stop in stops if stop.ended_at is None}
    shown = cards.of_orders(session, at, [stop.order_id for stop in stops], out)
    return tuple(problems.describe(stop, shown[stop.order_id]) for stop in stops if stop.order_id in shown)


def _latest(stops: Sequence[RunStop]) -> list[RunStop]:
    """Of several failed attempts of an order, the last."""
    last = {stop.order_id: stop.id for stop in stops if stop.outcome is StopOutcome.FAILED and stop.flag is None}
    return [stop for stop in stops if last.get(stop.order_id, stop.id) == stop.id or stop.flag is not None]
