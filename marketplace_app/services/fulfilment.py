"""What becomes of an order: its status, and what each status does to stock, credit and one-time discounts.

Nothing here counts steps. Each ledger is compared with what the new status asks for and the difference is written, so
that saying the same twice changes nothing (decision 31).
"""

from typing import Any, cast

from sqlalchemy import CursorResult, func, select, update
from sqlmodel import Session, col

from marketplace_app import limits
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound, OutOfStock
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.models import (
    CreditReason,
    Order,
    OrderStatus,
    OrderStatusChange,
    Product,
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.schemas.orders import OrderEditForm, OrderView, view_of
from marketplace_app.services import credits, records
from marketplace_app.services.accounts import lock, require_admin

BEFORE_DISPATCH = (OrderStatus.PENDING, OrderStatus.CONFIRMED)
ONE_TIME_DISCOUNTS = (
    ("new_customer_discount_cents", "first_purchase_discount_used"),
    ("referral_discount_cents", "referral_bonus_used"),
)


class CannotRevive(Conflict):
    code = "cannot_revive"


def edit(session: Session, actor: User | None, order_id: str, form: OrderEditForm) -> OrderView:
    """What an admin may edit of an order (S2 section 5). Any status may follow any other, with its side effects.

    Raises OutOfStock or CannotRevive when a cancelled order cannot come back; then nothing is changed.
    """
    admin = require_admin(actor)
    order, customer = _lock_order(session, order_id)
    before = {name: getattr(order, name) for name in form.columns()}
    for name, value in form.columns().items():
        setattr(order, name, value)
    if changed := sorted(name for name, value in before.items() if getattr(order, name) != value):
        session.add(order)
        records.audit(session, admin, "order.edited", f"order:{order.id}", fields=changed)
        records.announce(session, live.person(order.user_id))
    if form.status is not None:
        change(session, admin, order, customer, form.status)
    session.flush()
    session.refresh(order)
    return view_of(order)


def change(session: Session, actor: User, order: Order, customer: User, status: OrderStatus) -> Order:
    """For callers that have already decided that it may be, and hold the customer's lock."""
    before = order.status
    if before is status:
        return order
    if before is OrderStatus.CANCELLED:
        _require_unused_discounts(session, order)
    order.status = status
    session.add(order)
    _settle_stock(session, actor, order)
    _settle_spent_credit(session, order)
    _settle_referrers_credit(session, order)
    _settle_discounts(session, customer, order, before)
    session.add(OrderStatusChange(order_id=order.id, from_status=before, to_status=status, actor_id=actor.id))
    records.post(session, "order_status", order.customer_email, order_id=order.id, status=status.value)
    changed = {"from": before.value, "to": status.value}
    records.audit(session, actor, "order.status", f"order:{order.id}", **changed)
    records.announce(session, live.person(order.user_id))
    if order.referrer_id is not None:
        records.announce(session, live.person(order.referrer_id))
    session.flush()
    return order


def _lock_order(session: Session, order_id: str) -> tuple[Order, User]:
    found = session.get(Order, order_id)
    if found is None or found.deleted_at is not None:
        raise NotFound(ORDER_NOT_FOUND)
    customer = lock(session, session.get_one(User, found.user_id))
    session.refresh(found)
    return found, customer


def _settle_stock(session: Session, actor: User, order: Order) -> None:
    """A cancelled order holds nothing; any other holds what was sold. Products in id order."""
    for line in sorted(order.lines, key=lambda line: line.product_id):
        wanted = 0 if order.is_cancelled else -line.quantity
        moved = select(func.coalesce(func.sum(col(StockMovement.change)), 0), func.count()).where(
            col(StockMovement.order_id) == order.id, col(StockMovement.product_id) == line.product_id
        )
        present, movements = session.execute(moved).one()
        if difference := wanted - int(present):
            _move_stock(session, line.product_id, line.name, difference)
            session.add(
                StockMovement(
                    product_id=line.product_id,
                    change=difference,
                    reason=StockReason.CANCEL if difference > 0 else StockReason.SALE,
                    order_id=order.id,
                    sequence=movements + 1,
                    actor_id=actor.id,
                )
            )


def _move_stock(session: Session, product_id: int, name: str, difference: int) -> None:
    moved = session.execute(
        update(Product)
        .where(col(Product.id) == product_id, col(Product.stock) + difference >= 0)
        .values(stock=Product.stock + difference)
        .execution_options(synchronize_session=False)
    )
    if cast(CursorResult[Any], moved).rowcount != 1:
        left = session.execute(select(col(Product.stock)).where(col(Product.id) == product_id)).scalar_one_or_none()
        raise OutOfStock(name, left or 0)


def _settle_spent_credit(session: Session, order: Order) -> None:
    wanted = 0 if order.is_cancelled else -order.credit_applied_cents
    difference = wanted - credits.of_order(session, order.user_id, order.id, CreditReason.SPENT, CreditReason.REFUND)
    if difference < 0 and credits.balance(session, order.user_id) + difference < 0:
        raise CannotRevive("The credit this order was paid with has been spent on another.")
    reason = CreditReason.REFUND if difference > 0 else CreditReason.SPENT
    credits.enter(session, order.user_id, difference, reason, order_id=order.id)


def _settle_referrers_credit(session: Session, order: Order) -> None:
    """Earned when the referred person's order is delivered, and only while it is (decision 6)."""
    if order.referrer_id is None or session.get_one(User, order.referrer_id).deleted_at is not None:
        return
    wanted = limits.REFERRAL_CREDIT_CENTS if order.status is OrderStatus.DELIVERED else 0
    reasons = (CreditReason.REFERRAL, CreditReason.REVERSAL)
    difference = wanted - credits.of_order(session, order.referrer_id, order.id, *reasons)
    reason = CreditReason.REFERRAL if difference > 0 else CreditReason.REVERSAL
    credits.enter(session, order.referrer_id, difference, reason, order_id=order.id)


def _settle_discounts(session: Session, customer: User, order: Order, before: OrderStatus) -> None:
    """Given back when the shop cancels before dispatch; claimed anew, as at placement, when the order comes back."""
    is_given_back = order.is_cancelled and before in BEFORE_DISPATCH
    for amount, flag in ONE_TIME_DISCOUNTS:
        if getattr(order, amount) and (is_given_back or before is OrderStatus.CANCELLED):
            setattr(customer, flag, not is_given_back)
            session.add(customer)


def _require_unused_discounts(session: Session, order: Order) -> None:
    for amount, _flag in ONE_TIME_DISCOUNTS:
        other = select(col(Order.id)).where(
            col(Order.user_id) == order.user_id,
            col(Order.id) != order.id,
            col(getattr(Order, amount)) > 0,
            col(Order.status) != OrderStatus.CANCELLED,
        )
        if getattr(order, amount) and session.execute(other.limit(1)).first() is not None:
            raise CannotRevive("Its one-time discount has been used on another order.")
