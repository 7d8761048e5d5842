"""Customers choose another delivery time for an order that is not out yet (RULE another-time)."""

from datetime import datetime

from sqlmodel import Session

from marketplace_app import clock, places
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.dispatch_messages import NO_DELIVERY_TIME
from marketplace_app.errors import Conflict
from marketplace_app.models import Order, OrderDelivery, StopOutcome, User
from marketplace_app.schemas.buying.orders import OrderView, view_of
from marketplace_app.schemas.delivery.slots import OfferedSlot, SlotForm
from marketplace_app.schemas.jurisdictions.state_rules import Version
from marketplace_app.services import run_stops, settings
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.buying import fulfilment, own_orders
from marketplace_app.services.delivery import slots
from marketplace_app.services.dispatch import ready
from marketplace_app.services.jurisdictions import enforcement
from marketplace_app.services.records import announcements, audit_log, outbox


class NoSlot(Conflict):
    """The order was placed without a slot."""

    code = "no_slot"
    message = NO_DELIVERY_TIME


def list_offered(session: Session, actor: User | None, order_id: str) -> tuple[OfferedSlot, ...]:
    """The times that one of the caller's own orders can be moved to. Raises NotFound, OrderAlreadyOut, NoSlot."""
    user = require_signed_in(actor)
    order = own_orders.find_changeable(session, user, order_id)
    delivery, at = _require_slot(order), clock.now()
    place = places.read_parts_or_address(order.zip_code, order.state, order.delivery_address)
    return slots.list_others(session, delivery, place.zip_code, at, _rules(session, place, at)) if place else ()


def choose(session: Session, actor: User | None, order_id: str, form: SlotForm) -> OrderView:
    """Move an order to another slot of its zone; the time by which it is promised moves too. If it is planned for a
    run, it is taken off, because that run fits the old time. Choosing its own slot changes nothing.

    Raises NotFound, OrderAlreadyOut, NoSlot, and WindowFull or OrderBlocked as placing an order does; then nothing is
    changed.
    """
    user = require_signed_in(actor)
    order = own_orders.lock_changeable(session, user, order_id)
    delivery, at = _require_slot(order), clock.now()
    place = places.read_parts_or_address(order.zip_code, order.state, order.delivery_address)
    before = _window_text(delivery)
    if place is None:
        raise slots.WindowFull(())
    if not slots.move(session, delivery, place.zip_code, form.slot_id, at, _rules(session, place, at)):
        return view_of(order, for_customer=True)
    # This locks the delivery, after its slots: the same order as when a window is removed (RULE lock-order).
    session.flush()
    # Its ready question may have been asked meanwhile: asking does not lock the customer.
    session.refresh(delivery)
    _reset_ready_question(delivery, at)
    order.estimated_delivery_at = delivery.promised_by
    session.add(order)
    _take_off_run(session, order)
    outbox.add(session, "slot_changed", order.customer_email, order_id=order.id)
    changed = {"from": before, "to": _window_text(delivery)}
    audit_log.append(session, user, "order.moved", f"order:{order.id}", **changed)
    for topic in (live.user(user.id), live.STAFF):
        announcements.publish(session, topic)
    return view_of(order, for_customer=True)


def can_move(order: OrderView) -> bool:
    """Whether its customer may choose another time for it."""
    has_time = order.delivery is not None and order.delivery.window_starts_at is not None
    return has_time and order.status in fulfilment.BEFORE_DISPATCH


def _require_slot(order: Order) -> OrderDelivery:
    if order.delivery is None or order.delivery.window_starts_at is None:
        raise NoSlot()
    return order.delivery


def _rules(session: Session, place: places.Place, at: datetime) -> Version | None:
    """The rules of the state at this place; None if the shop does not enforce any."""
    return enforcement.find_version(session, place, at) if settings.current(session).enforce_jurisdiction else None


def _reset_ready_question(delivery: OrderDelivery, at: datetime) -> None:
    """The customer is asked again before the new time. If the question would then be due at once, choosing the time
    counts as the answer."""
    starts_at = delivery.window_starts_at
    is_answered = starts_at is not None and ready.is_near(starts_at, at)
    answered_at = at if is_answered else None
    delivery.ready_asked_at, delivery.ready_at = answered_at, answered_at


def _take_off_run(session: Session, order: Order) -> None:
    run_stops.lock_runs_of(session, [order.id])
    stop = run_stops.find_open(session, order.id)  # read again: the run may have been discarded before it was locked
    if stop is not None:
        run_stops.end(session, [stop.id], StopOutcome.REMOVED)


def _window_text(delivery: OrderDelivery) -> str:
    """`Fri, Nov 27, 5:00 PM to 7:00 PM`"""
    starts_at, ends_at = delivery.window_starts_at, delivery.window_ends_at
    return clock.show_span(starts_at, ends_at, get_settings().timezone) if starts_at and ends_at else ""
