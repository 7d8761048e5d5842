"""What the events of stops say about customers: in the export of their data, and when an account is erased."""

from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.errors import Conflict
from marketplace_app.models import Order, Run, RunStop, StopEvent, StopEventKind, User

PERSONAL = (StopEventKind.SIGNED, StopEventKind.FAILED)
"""Kinds of events with a signature, or a note about the person."""


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


def erase_of(session: Session, user: User) -> None:
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
