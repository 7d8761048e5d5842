"""The cash ledger: every movement has two ends, so that the accounts add up to 0 (RULE cash-ledger).

For callers that have checked permissions. The lock of a shift comes after those of runs (RULE lock-order).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import cash_messages
from marketplace_app.errors import Conflict
from marketplace_app.models import (
    CashAccount,
    CashMovement,
    CashReason,
    CreditReason,
    DriverShift,
    Order,
    OrderStatus,
    User,
)
from marketplace_app.models.base import insert_rows
from marketplace_app.services import credits


class CarriesCash(Conflict):
    code = "carries_cash"
    message = cash_messages.CARRIES_CASH


class DoorPayment(NamedTuple):
    """What a driver took at the door for the order that is delivered."""

    driver_id: int
    change_kept_cents: int = 0
    """What the customer paid above the total and has as credit instead of change."""


class _Holder(NamedTuple):
    """Where cash is taken or given back."""

    account: CashAccount
    shift_id: int | None = None


_DESK = _Holder(CashAccount.DESK)


def settle(session: Session, actor: User, order: Order, before: OrderStatus, payment: DoorPayment | None) -> None:
    """Book the payment for a delivered order, and reverse it if the order is no longer delivered.

    If the delivery was reported from the door, the driver has the cash; if staff set the status, the desk has it.
    Whoever has it gives it back: the driver until the shift is closed, then the desk.
    """
    if OrderStatus.DELIVERED not in (before, order.status):
        return
    is_delivered = order.status is OrderStatus.DELIVERED
    booked = _movements_of(session, order.id)
    booked_total = _sum(booked, CashReason.TAKEN, CashReason.PAID_BEFORE_LEDGER, CashReason.RETURNED)
    booked_change = _sum(booked, CashReason.CHANGE_KEPT, CashReason.CHANGE_RETURNED)
    taken = (order.total_cents if is_delivered else 0) - booked_total
    kept = (payment.change_kept_cents if payment else 0) - booked_change
    if not taken and not kept:
        return
    holder = _taker(session, actor, payment) if is_delivered else _find_holder(session, booked)
    _book(session, actor, order, taken, holder, (CashReason.TAKEN, CashReason.RETURNED))
    _book(session, actor, order, kept, holder, (CashReason.CHANGE_KEPT, CashReason.CHANGE_RETURNED))
    reason = CreditReason.CHANGE if kept > 0 else CreditReason.CHANGE_RETURNED
    credits.add_entry(session, order.user_id, kept, reason, order_id=order.id)


def ensure_open_shift(session: Session, actor: User, driver_id: int) -> DriverShift:
    """The open shift of a driver, locked; a new one if there is none."""
    while True:
        found = _find_open(session, driver_id) or open_shift(session, actor, driver_id)
        if found is not None:  # else somebody has opened one at the same moment, which is found the next time
            return found


def open_shift(session: Session, actor: User, driver_id: int) -> DriverShift | None:
    """A new shift; None if the driver has an open one already."""
    shift = DriverShift(driver_id=driver_id, opened_by_id=actor.id)
    try:
        with session.begin_nested():
            session.add(shift)
    except IntegrityError:
        return None
    return shift


def book_earlier(session: Session) -> int:
    """Book delivered orders without a movement as paid before this ledger; returns how many. For the command line,
    after an upgrade during which the previous release still delivered orders."""
    booked = select(col(CashMovement.order_id)).where(col(CashMovement.order_id).is_not(None))
    statement = select(col(Order.id), col(Order.total_cents), col(Order.created_at)).where(
        col(Order.status) == OrderStatus.DELIVERED, col(Order.total_cents) > 0, col(Order.id).not_in(booked)
    )
    facts = {
        "from_account": CashAccount.CUSTOMERS,
        "to_account": CashAccount.BEFORE_LEDGER,
        "reason": CashReason.PAID_BEFORE_LEDGER,
    }
    rows = [
        facts | {"order_id": order_id, "cents": cents, "created_at": at}
        for order_id, cents, at in session.execute(statement)
    ]
    insert_rows(session, CashMovement, rows)
    return len(rows)


def require_no_cash(session: Session, driver: User) -> None:
    """A driver is not erased while the shop's cash is in their hands. Raises CarriesCash."""
    shift = _find_open(session, driver.id)
    if shift is not None and shift_balances(session, [shift.id]).get(shift.id):
        raise CarriesCash()


def lock_shifts_of(session: Session, order_ids: Sequence[str]) -> None:
    """Lock the open shifts with cash of these orders, before the first of several orders is changed: the audit entry of
    that change locks the trail, and shifts are locked before the trail (RULE lock-order)."""
    with_cash = select(col(CashMovement.shift_id)).where(col(CashMovement.order_id).in_(order_ids))
    statement = select(col(DriverShift.id)).where(
        col(DriverShift.id).in_(with_cash), col(DriverShift.closed_at).is_(None)
    )
    session.execute(statement.order_by(col(DriverShift.id)).with_for_update())


def balances(session: Session) -> dict[CashAccount, int]:
    """Cents in each account. They add up to 0."""
    statement = select(
        col(CashMovement.from_account), col(CashMovement.to_account), func.sum(col(CashMovement.cents))
    ).group_by(col(CashMovement.from_account), col(CashMovement.to_account))
    found = dict.fromkeys(CashAccount, 0)
    for source, destination, cents in session.execute(statement):
        found[source] -= int(cents)
        found[destination] += int(cents)
    return found


def shift_balances(session: Session, shift_ids: Sequence[int]) -> Mapping[int, int]:
    """Cents that the driver of each shift has, as booked; shifts without movements are left out."""
    if not shift_ids:
        return {}
    statement = (
        select(col(CashMovement.shift_id), col(CashMovement.from_account), func.sum(col(CashMovement.cents)))
        .where(col(CashMovement.shift_id).in_(shift_ids))
        .group_by(col(CashMovement.shift_id), col(CashMovement.from_account))
    )
    found: dict[int, int] = {}
    for shift_id, source, cents in session.execute(statement):
        found[shift_id] = found.get(shift_id, 0) + int(cents) * (-1 if source is CashAccount.DRIVER else 1)
    return found


def _find_open(session: Session, driver_id: int) -> DriverShift | None:
    statement = select(DriverShift).where(col(DriverShift.driver_id) == driver_id, col(DriverShift.closed_at).is_(None))
    found: DriverShift | None = session.execute(
        statement.with_for_update().execution_options(populate_existing=True)
    ).scalar_one_or_none()
    return found


def _movements_of(session: Session, order_id: str) -> Sequence[CashMovement]:
    statement = select(CashMovement).where(col(CashMovement.order_id) == order_id).order_by(col(CashMovement.id))
    return session.execute(statement).scalars().all()


def _sum(booked: Sequence[CashMovement], *reasons: CashReason) -> int:
    """What customers paid, less what they got back, in cents."""
    return sum(
        each.cents if each.from_account is CashAccount.CUSTOMERS else -each.cents
        for each in booked
        if each.reason in reasons
    )


def _taker(session: Session, actor: User, payment: DoorPayment | None) -> _Holder:
    if payment is None:
        return _DESK
    return _Holder(CashAccount.DRIVER, ensure_open_shift(session, actor, payment.driver_id).id)


def _find_holder(session: Session, booked: Sequence[CashMovement]) -> _Holder:
    """Who has the cash that was taken last."""
    last = next((each for each in reversed(booked) if each.from_account is CashAccount.CUSTOMERS), None)
    if last is None or last.to_account is CashAccount.DESK:
        return _DESK
    if last.shift_id is None:
        return _Holder(last.to_account)
    statement = select(DriverShift).where(col(DriverShift.id) == last.shift_id).with_for_update()
    shift = session.execute(statement.execution_options(populate_existing=True)).scalar_one()
    return _Holder(CashAccount.DRIVER, last.shift_id) if shift.closed_at is None else _DESK


def _book(
    session: Session, actor: User, order: Order, cents: int, holder: _Holder, reasons: tuple[CashReason, CashReason]
) -> None:
    """Move a positive amount from customers to the holder for the first reason, a negative one back for the second."""
    if not cents:
        return
    is_taken = cents > 0
    movement = CashMovement(
        from_account=CashAccount.CUSTOMERS if is_taken else holder.account,
        to_account=holder.account if is_taken else CashAccount.CUSTOMERS,
        cents=abs(cents),
        reason=reasons[0] if is_taken else reasons[1],
        order_id=order.id,
        shift_id=holder.shift_id,
        actor_id=actor.id,
    )
    session.add(movement)
