"""Reports from a door: how one is stored and judged, and what follows from it (RULE door, RULE failed-stops).

For `door`, which has checked who reports.
"""

import hmac
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import clock, dispatch_messages
from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.models import (
    EventResult,
    EventSource,
    FailureReason,
    Order,
    OrderStatus,
    RunStop,
    StopEvent,
    StopEventKind,
    StopOutcome,
    User,
)
from marketplace_app.schemas.dispatch.door import EventData, RefusalCode
from marketplace_app.services import settings
from marketplace_app.services.batches import of_orders
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.cash.ledger import DoorPayment
from marketplace_app.services.dispatch import failures, steps
from marketplace_app.services.dispatch.stop_records import PERSONAL
from marketplace_app.services.jurisdictions import records
from marketplace_app.services.records import outbox


def lock(session: Session, stop_id: int) -> tuple[RunStop, User]:
    """Lock the customer of the stop's order, then the stop; returns both. Raises NotFound."""
    found = session.get(RunStop, stop_id)
    if found is None:
        raise NotFound(dispatch_messages.STOP_NOT_FOUND)
    _order, customer = fulfilment.lock_order(session, found.order_id)
    statement = select(RunStop).where(col(RunStop.id) == stop_id).with_for_update(key_share=True)
    stop = session.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()
    if stop is None:
        raise NotFound(dispatch_messages.STOP_NOT_FOUND)
    return stop, customer


def new_event(
    stop: RunStop,
    actor: User,
    kind: StopEventKind,
    data: EventData,
    *,
    key: str,
    at: datetime,
    sequence: int | None = None,
    source: EventSource = EventSource.PHONE,
) -> StopEvent:
    """What is stored of a report, waiting until it is judged."""
    return StopEvent(
        key=key,
        stop_id=stop.id,
        sequence=sequence,
        kind=kind,
        source=source,
        actor_id=actor.id,
        claimed_at=at,
        received_at=clock.now(),
        data=_stored_data(kind, data, stop.order, is_checked_afterwards=data.offline or source is EventSource.PAPER),
        result=EventResult.WAITING,
    )


def _stored_data(kind: StopEventKind, data: EventData, order: Order, *, is_checked_afterwards: bool) -> dict[str, Any]:
    """Of a PIN, only whether it was right is stored, so it is compared when the report arrives."""
    if kind is StopEventKind.ID_CHECKED:
        return {"ofAge": data.of_age, "nameMatches": data.name_matches, "notExpired": data.not_expired}
    if kind is StopEventKind.PIN_ENTERED:
        return {"right": _is_right_pin(data.pin, order), "offline": is_checked_afterwards}
    if kind is StopEventKind.CASH_COUNTED:
        return {"cents": data.counted} | ({"keepChange": True} if data.change_as_credit else {})
    if kind is StopEventKind.SIGNED:
        return {"signature": data.signature}
    if kind is StopEventKind.FAILED and data.reason:
        return {"reason": data.reason.value, "note": data.note}
    return {}


def _is_right_pin(pin: str | None, order: Order) -> bool | None:
    """None if there is nothing to compare. In constant time, as for every secret."""
    if pin is None or order.delivery is None:
        return None
    return hmac.compare_digest(pin.encode(), order.delivery.door_pin.encode())


def store(session: Session, stop: RunStop, events: Sequence[StopEvent]) -> None:
    """Raises Conflict."""
    try:
        with session.begin_nested():
            session.add_all(events)
            session.flush()
    except IntegrityError:  # the same key at another stop, at the same moment
        raise Conflict(dispatch_messages.KEY_ELSEWHERE) from None
    session.expire(stop, ["events"])


def forget_if_erased(customer: User, events: Iterable[StopEvent]) -> None:
    """Keep nothing personal of a customer who has erased the account meanwhile. To be called last: judging an event
    needs its data."""
    for event in events:
        if customer.is_erased and event.kind in PERSONAL:
            event.data = {}


def judge(session: Session, actor: User, stop: RunStop, customer: User, event: StopEvent) -> steps.Judgement:
    done = steps.done_steps(steps.sorted_as_judged(stop.events))
    judgement = steps.judge(_facts(session, stop), done, event.kind, event.data)
    event.result, event.code = (EventResult.REFUSED if judgement.code else EventResult.APPLIED), judgement.code
    if judgement.code is RefusalCode.PIN_WRONG:
        stop.wrong_pins += 1
    stop.flag = judgement.flag or stop.flag
    session.add_all((event, stop))
    if not judgement.code and event.kind is StopEventKind.BAG_PLACED:
        _end(session, stop, StopOutcome.DELIVERED)
        payment = DoorPayment(stop.run.driver_id, steps.change_kept(stop.events, stop.order.total_cents))
        fulfilment.change_status(session, actor, stop.order, customer, OrderStatus.DELIVERED, payment=payment)
    elif not judgement.code and event.kind is StopEventKind.FAILED:
        _fail(session, actor, stop, customer, event)
    return judgement


def _facts(session: Session, stop: RunStop) -> steps.Facts:
    order = stop.order
    return steps.Facts(
        total_cents=order.total_cents,
        offers_change_as_credit=bool(settings.current(session).keep_change_as_credit),
        needs_pin=order.delivery is not None,
        needs_signature=bool(records.find_needing_signature(session, [order])),
        is_cancelled=order.is_cancelled or stop.outcome is StopOutcome.CANCELLED,
        is_recalled=order.id in of_orders.find_recalled(session, [order.id]),
        has_ended=stop.ended_at is not None,
        wrong_pins=stop.wrong_pins,
    )


def _end(session: Session, stop: RunStop, outcome: StopOutcome, failure: FailureReason | None = None) -> None:
    """Called before the order's status changes: a change ends a stop that is still open, with another outcome."""
    stop.ended_at, stop.outcome, stop.failure = clock.now(), outcome, failure
    session.add(stop)
    session.flush()


def _fail(session: Session, actor: User, stop: RunStop, customer: User, event: StopEvent) -> None:
    """The order is confirmed again, for another attempt, or cancelled. The customer gets a mail that says which of the
    two, why, and on which day the delivery failed."""
    order, reason = stop.order, FailureReason(event.data.get("reason", FailureReason.OTHER))
    _end(session, stop, StopOutcome.FAILED, reason)
    if order.delivery:
        order.delivery.attempts += 1
        session.add(order.delivery)
    told = {"order_id": order.id, "reason": reason.value, "day": _day_of(event, stop).isoformat()}
    outbox.add(session, "delivery_failed", order.customer_email, **told)
    status = OrderStatus.CANCELLED if failures.RULES[reason].is_cancelled else OrderStatus.CONFIRMED
    fulfilment.change_status(session, actor, order, customer, status, with_mail=False)


def _day_of(event: StopEvent, stop: RunStop) -> date:
    """The day, at the store, on which the event happened, which may be long before the report arrived. A phone's clock
    may be wrong, so a time before the run's departure or after the report's arrival is not believed."""
    earliest = stop.run.departed_at or event.received_at
    at = min(max(event.claimed_at, earliest), event.received_at)
    return at.astimezone(get_settings().timezone).date()
