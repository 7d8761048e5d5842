"""Whether the passing of time alone has put the promise of an order at risk (RULE at-risk)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from marketplace_app.limits import MAX_RUN_STOPS, MINUTES_A_STOP, OUT_BEFORE, PLANNED_BEFORE
from marketplace_app.models import Order, OrderDelivery, OrderStatus, Run, RunStop
from marketplace_app.models.base import table_of
from marketplace_app.services.dispatch import risk

AHEAD = max(PLANNED_BEFORE, OUT_BEFORE, timedelta(minutes=MINUTES_A_STOP) * MAX_RUN_STOPS)
"""A promise that is further away than this is not at risk, whatever the state of its order."""
_OPEN = tuple(status for status in OrderStatus if not status.is_ended)
_ORDERS, _DELIVERIES = table_of(Order), table_of(OrderDelivery)
_STOPS, _RUNS = table_of(RunStop), table_of(Run)


def has_new_risk(session: Session, since: datetime, at: datetime) -> bool:
    """Whether any open order is at risk at the time `at` that was not at risk, or for another reason, at `since`."""
    return any(_is_new(progress, since, at) for progress in _list_progress(session, since, at))


def _is_new(progress: risk.Progress, since: datetime, at: datetime) -> bool:
    reason = risk.find_reason(progress, at)
    return reason not in ("", risk.find_reason(progress, since))


def _list_progress(session: Session, since: datetime, at: datetime) -> Sequence[risk.Progress]:
    """The progress of open orders, which are few and are found by their status. Orders already late at `since` are left
    out: their risk is not new."""
    promised_by = func.coalesce(_DELIVERIES.c.promised_by, _ORDERS.c.estimated_delivery_at)
    statement = (
        select(
            promised_by.label("promised_by"),
            _RUNS.c.id.is_not(None).label("is_planned"),
            _RUNS.c.departed_at.is_not(None).label("is_out"),
            _stops_before().label("stops_before"),
        )
        .select_from(_ORDERS)
        .outerjoin(_DELIVERIES, _DELIVERIES.c.order_id == _ORDERS.c.id)
        .outerjoin(_STOPS, (_STOPS.c.order_id == _ORDERS.c.id) & _STOPS.c.ended_at.is_(None))
        .outerjoin(_RUNS, _RUNS.c.id == _STOPS.c.run_id)
        .where(
            _ORDERS.c.status.in_(_OPEN),
            _ORDERS.c.deleted_at.is_(None),
            promised_by > since,
            promised_by <= at + AHEAD,
        )
    )
    return [risk.Progress(**row) for row in session.execute(statement).mappings()]


def _stops_before() -> Any:
    """How many stops of the order's run come first and have not ended."""
    others = _STOPS.alias("others")
    comes_first = (others.c.position < _STOPS.c.position) | (
        (others.c.position == _STOPS.c.position) & (others.c.id < _STOPS.c.id)
    )
    of_run = (others.c.run_id == _STOPS.c.run_id) & others.c.ended_at.is_(None)
    return select(func.count()).select_from(others).where(of_run, comes_first).correlate(_STOPS).scalar_subquery()
