"""The run that a driver is out on, as their phone shows it (RULE door)."""

from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload
from sqlmodel import Session, col

from marketplace_app.config import get_settings
from marketplace_app.models import Order, Permission, Run, RunStop, StopOutcome, User
from marketplace_app.models.base import related
from marketplace_app.schemas.dispatch.door import DriverItem, DriverRun, DriverStop
from marketplace_app.services import settings
from marketplace_app.services.accounts import require
from marketplace_app.services.batches import of_orders
from marketplace_app.services.dispatch import steps
from marketplace_app.services.jurisdictions import records
from marketplace_app.services.run_stops import is_listed


def show(session: Session, actor: User | None) -> DriverRun | None:
    """None while the driver is not out on a run."""
    driver = require(actor, Permission.DRIVE)
    conditions = (col(Run.driver_id) == driver.id, col(Run.departed_at).is_not(None), col(Run.closed_at).is_(None))
    run = session.execute(select(Run).where(*conditions)).scalar_one_or_none()
    if run is None or run.departed_at is None:
        return None
    return DriverRun(
        id=run.id,
        day=run.day,
        vehicle=run.vehicle,
        departed_at=run.departed_at,
        time_zone=get_settings().timezone.key,
        offers_change_as_credit=bool(settings.current(session).keep_change_as_credit),
        stops=stops_of(session, run),
    )


def stops_of(session: Session, run: Run) -> tuple[DriverStop, ...]:
    """In the order in which they are driven to."""
    stops = _load_stops(session, run)
    to_be_signed = records.find_needing_signature(session, [stop.order for stop in stops])
    recalled = of_orders.find_recalled(session, [stop.order_id for stop in stops if stop.ended_at is None])
    return tuple(
        _stop(stop, needs_signature=stop.order_id in to_be_signed, is_recalled=stop.order_id in recalled)
        for stop in stops
    )


def _load_stops(session: Session, run: Run) -> list[RunStop]:
    of_order = joinedload(related(RunStop.order))
    statement = (
        select(RunStop)
        .where(col(RunStop.run_id) == run.id)
        .order_by(col(RunStop.position), col(RunStop.id))
        .options(
            selectinload(related(RunStop.events)),
            of_order.joinedload(related(Order.delivery)),
            of_order.joinedload(related(Order.legal_record)),
            of_order.selectinload(related(Order.lines)),
        )
    )
    stops = session.execute(statement).scalars()
    return [stop for stop in stops if is_listed(stop)]


def _stop(stop: RunStop, *, needs_signature: bool, is_recalled: bool) -> DriverStop:
    """A recalled stop counts as cancelled: nothing is handed over, and everything is brought back."""
    order = stop.order
    done = steps.done_steps(steps.sorted_as_judged(stop.events))
    used = {event.sequence for event in stop.events}
    return DriverStop(
        id=stop.id,
        position=stop.position,
        order_number=order.number,
        customer_name=order.customer_name,
        address=order.delivery_address,
        delivery_instructions=order.delivery_instructions,
        payment_instructions=order.payment_instructions,
        contact_phone=order.contact_phone,
        window_starts_at=order.delivery.window_starts_at if order.delivery else None,
        window_ends_at=order.delivery.window_ends_at if order.delivery else None,
        cash_cents=order.total_cents,
        needs_pin=order.delivery is not None,
        needs_signature=needs_signature,
        items=tuple(DriverItem(name=line.name, quantity=line.quantity) for line in order.lines),
        done=tuple(step for step in steps.STEPS if step in done),
        next_sequence=next(number for number in range(1, len(used) + 2) if number not in used),
        is_locked=stop.is_locked,
        outcome=StopOutcome.CANCELLED if is_recalled else stop.outcome,
        is_recalled=is_recalled,
        failure=stop.failure,
    )
