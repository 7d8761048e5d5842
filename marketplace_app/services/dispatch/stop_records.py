"""What stops say about customers: on their page for staff, in the export of their data, and when an account is
erased."""

from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.errors import Conflict
from marketplace_app.models import Order, Run, RunStop, StopEvent, StopEventKind, User
from marketplace_app.schemas.admin.user import FailedDeliveries
from marketplace_app.services.dispatch import failures

PERSONAL = (StopEventKind.SIGNED, StopEventKind.FAILED, StopEventKind.RELEASED)
"""Kinds of events with a signature, or a text about the person."""

COUNTED = tuple(reason for reason, rule in failures.RULES.items() if rule.is_counted)


class OutOnRun(Conflict):
    code = "driver_out"
    message = "You are out on a run. When it is closed, you can delete your account."


def export_of(session: Session, user: User) -> list[dict[str, Any]]:
    """What happened at the door with the person's orders, in the order in which it was reported."""
    statement = (
        select(col(Order.number), StopEvent)
        .join(RunStop, col(RunStop.id) == col(StopEvent.stop_id))
        .join(Order, col(Order.id) == col(RunStop.order_id))
        .where(col(Order.user_id) == user.id)
        .order_by(col(StopEvent.id))
    )
    return [
        {
            "orderNumber": number,
            "kind": event.kind.value,
            "at": clock.iso(event.claimed_at),
            "receivedAt": clock.iso(event.received_at),
            "data": event.data,
        }
        for number, event in session.execute(statement)
    ]


def count_failures(session: Session, user_id: int) -> tuple[FailedDeliveries, ...]:
    """A customer's failed deliveries by reason, without those for which the customer is not responsible."""
    statement = (
        select(col(RunStop.failure), func.count())
        .join(Order, col(Order.id) == col(RunStop.order_id))
        .where(col(Order.user_id) == user_id, col(RunStop.failure).in_(COUNTED))
        .group_by(col(RunStop.failure))
        .order_by(func.count().desc(), col(RunStop.failure))
    )
    return tuple(FailedDeliveries(reason=reason, count=count) for reason, count in session.execute(statement))


def erase_for(session: Session, user: User) -> None:
    """Signatures and notes; why an order could not be delivered stays with its stop."""
    stops = select(col(RunStop.id)).join(Order, col(Order.id) == col(RunStop.order_id))
    own = stops.where(col(Order.user_id) == user.id)
    personal = update(StopEvent).where(col(StopEvent.stop_id).in_(own), col(StopEvent.kind).in_(PERSONAL))
    session.execute(personal.values(data={}).execution_options(synchronize_session=False))


def require_not_out(session: Session, user: User) -> None:
    """A driver is not erased while orders are in their hands. Raises OutOnRun."""
    out = select(col(Run.id)).where(
        col(Run.driver_id) == user.id, col(Run.departed_at).is_not(None), col(Run.closed_at).is_(None)
    )
    if session.execute(out).first() is not None:
        raise OutOnRun()
