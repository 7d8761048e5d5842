"""An order after it was placed: its status, and the effects of a status on stock, credit and one-time discounts.

What an order holds of stock, slots and credit does not depend on its previous status: each is compared with what the
new status requires and the difference is written, so setting the same status twice changes nothing. One-time discounts
do depend on it: they are given back only if the order is cancelled before dispatch (RULE status-effects).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import joinedload, selectinload
from sqlmodel import Session, col

from marketplace_app import clock, delivery_messages, places, rule_messages
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, EditedMeanwhile, InvalidInput, NotAllowed, NotFound
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.models import (
    CreditReason,
    JurisdictionVersion,
    Order,
    OrderStatus,
    OrderStatusChange,
    Permission,
    Role,
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.models.base import related
from marketplace_app.schemas.base import conflicting_fields
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.buying.orders import OrderView, view_of
from marketplace_app.services import credits, run_stops, settings, stock
from marketplace_app.services.accounts import lock_customer, require
from marketplace_app.services.batches import of_orders, question_ends
from marketplace_app.services.buying import quotes
from marketplace_app.services.cash import ledger
from marketplace_app.services.cash.ledger import DoorPayment
from marketplace_app.services.delivery import slots
from marketplace_app.services.jurisdictions import enforcement
from marketplace_app.services.records import announcements, audit_log, outbox
from marketplace_app.services.search import order_search

BEFORE_DISPATCH = (OrderStatus.PENDING, OrderStatus.CONFIRMED)
DISPATCHED = (OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED)
ONE_TIME_DISCOUNTS = (
    ("new_customer_discount_cents", "first_purchase_discount_used"),
    ("referral_discount_cents", "referral_bonus_used"),
)
"""Of each, the column of orders with its amount, and the column of users that says whether they have used it."""


class CannotReopen(Conflict):
    code = "cannot_revive"


class OwnOrder(NotAllowed):
    code = "own_order"
    message = "This is your own order, or it earns you credit. Ask a colleague to change its status."


def edit(
    session: Session, actor: User | None, order_id: str, form: OrderEditForm, *, seen: Mapping[str, Any] | None = None
) -> OrderView:
    """Edit an order as staff (RULE order-edit). Any status may follow any other (RULE order-statuses).

    `seen` is what `editable_values` returned when the caller began: fields that somebody else has changed since are not
    overwritten. Raises NotFound, EditedMeanwhile, InvalidInput, OwnOrder, OrderRecalled, and OutOfStock or CannotReopen
    if a cancelled order cannot be reopened; then nothing is changed.
    """
    staff = require(actor, Permission.EDIT_ORDERS)
    # Loads the legal record with the order: most orders have none, but finding that out would be another statement.
    session.get(Order, order_id, options=[joinedload(related(Order.legal_record))])
    order, customer = lock_order(session, order_id)
    if seen is not None and (fields := conflicting_fields(form, seen, editable_values(order))):
        raise EditedMeanwhile(fields)
    if form.delivery_address == order.delivery_address:  # writing it again would clear street, city, state and ZIP code
        form = form.model_copy(update={"delivery_address": None})
    if form.delivery_address is not None:
        _require_same_state(session, order, form.delivery_address)
    before = {name: getattr(order, name) for name in form.columns()}
    for name, value in form.columns().items():
        setattr(order, name, value)
    order_search.update_search_text(order)
    session.add(order)
    if form.status is not None:
        require_no_conflict_of_interest(staff, order, form.status)
        change_status(session, staff, order, customer, form.status)
    # Recorded last, so that products are locked before the head of the audit trail (RULE lock-order).
    if changed := sorted(name for name, value in before.items() if getattr(order, name) != value):
        audit_log.append(session, staff, "order.edited", f"order:{order.id}", fields=changed)
        _announce(session, order)
    session.flush()
    session.refresh(order)
    return view_of(order)


def editable_values(order: Order | OrderView) -> dict[str, Any]:
    """The current values of the fields of `OrderEditForm`, by wire name."""
    return {
        "status": order.status,
        "deliveryAddress": order.delivery_address,
        "deliveryInstructions": order.delivery_instructions,
        "paymentInstructions": order.payment_instructions,
        "contactPhone": order.contact_phone,
        "estimatedDelivery": order.estimated_delivery_at,
    }


def require_no_conflict_of_interest(staff: User, order: Order, status: OrderStatus) -> None:
    """Staff may not set the status of their own order, or of one that earns them credit. Raises OwnOrder.

    Owners may: otherwise a shop with one person could not deliver what its owner buys.
    """
    would_benefit = staff.id in (order.user_id, order.referrer_id)
    if would_benefit and order.status is not status and staff.role is not Role.OWNER:
        raise OwnOrder()


def change_status(
    session: Session,
    actor: User,
    order: Order,
    customer: User,
    status: OrderStatus,
    *,
    with_mail: bool = True,
    payment: DoorPayment | None = None,
) -> Order:
    """Set the status, with all its effects. For callers that have checked permissions and hold the customer's lock.
    Without `with_mail` they write to the customer themselves. Without `payment`, an order set to delivered was paid at
    the desk (RULE cash-ledger)."""
    before = order.status
    if before is status:
        return order
    if before is OrderStatus.CANCELLED:
        _require_may_reopen(session, customer, order)
    if status in DISPATCHED and before is not OrderStatus.OUT_FOR_DELIVERY:
        of_orders.require_not_recalled(session, order)
    order.status = status
    session.add(order)
    _settle_stock(session, actor, order)
    if status not in BEFORE_DISPATCH:
        question_ends.end_for_order(session, order.id)
    _settle_slot(session, order)
    run_stops.settle(session, order, before)
    _settle_spent_credit(session, order)
    _settle_referrers_credit(session, order)
    _settle_discounts(session, customer, order, before)
    ledger.settle(session, actor, order, before, payment)
    if with_mail:
        outbox.add(session, "order_status", order.customer_email, order_id=order.id, status=status.value)
    _record_change(session, actor, order, before, is_by_hand=status is OrderStatus.DELIVERED and payment is None)
    _announce(session, order)
    if order.referrer_id is not None:
        announcements.publish(session, live.user(order.referrer_id))
    session.flush()
    return order


def _record_change(session: Session, actor: User, order: Order, before: OrderStatus, *, is_by_hand: bool) -> None:
    """In the order's history and in the audit trail."""
    change = OrderStatusChange(
        order_id=order.id, from_status=before, to_status=order.status, actor_id=actor.id, is_by_hand=is_by_hand
    )
    session.add(change)
    changed = {"from": before.value, "to": order.status.value}
    audit_log.append(session, actor, "order.status", f"order:{order.id}", **changed)


def _announce(session: Session, order: Order) -> None:
    for topic in (live.user(order.user_id), live.STAFF):
        announcements.publish(session, topic)


def lock_order(session: Session, order_id: str) -> tuple[Order, User]:
    """Lock an order by locking its customer; returns both. Raises NotFound."""
    found = session.get(Order, order_id)
    if found is None:
        raise NotFound(ORDER_NOT_FOUND)
    customer = lock_customer(session, found.user_id)
    session.refresh(found)
    if found.deleted_at is not None:  # checked only now: it may have been deleted while this waited for the lock
        raise NotFound(ORDER_NOT_FOUND)
    return found, customer


def lock_orders(session: Session, order_ids: Sequence[str]) -> list[tuple[Order, User]]:
    """Lock several orders; returns those that exist, oldest first, with their customers.

    Customers are locked in id order, then the products and the slots of all these orders, so that there is no deadlock.
    """
    existing = select(Order).where(col(Order.id).in_(order_ids), col(Order.deleted_at).is_(None))
    statement = existing.order_by(col(Order.number)).options(selectinload(related(Order.lines)))
    user_ids = {order.user_id for order in session.execute(statement).scalars()}
    customers = {each: lock_customer(session, each) for each in sorted(user_ids)}
    held = session.execute(statement.execution_options(populate_existing=True)).scalars().all()
    quotes.load_products(session, {line.product_id for order in held for line in order.lines}, lock=True)
    slots.lock_slots_of_orders(session, order_ids)
    return [(order, customers[order.user_id]) for order in held if order.user_id in customers]


def _settle_stock(session: Session, actor: User, order: Order) -> None:
    """A cancelled order holds nothing; any other holds what was sold. Products in id order."""
    for line in sorted(order.lines, key=lambda line: line.product_id):
        wanted = 0 if order.is_cancelled else -line.quantity
        statement = select(func.coalesce(func.sum(col(StockMovement.change)), 0), func.count()).where(
            col(StockMovement.order_id) == order.id, col(StockMovement.product_id) == line.product_id
        )
        present, movements = session.execute(statement).one()
        if difference := wanted - int(present):
            movement = StockMovement(
                product_id=line.product_id,
                change=difference,
                reason=StockReason.CANCEL if difference > 0 else StockReason.SALE,
                order_id=order.id,
                sequence=movements + 1,
                actor_id=actor.id,
            )
            stock.move(session, movement, line.name)
            of_orders.settle(session, actor, line, movement)


def _settle_slot(session: Session, order: Order) -> None:
    """A cancelled order holds no place; any other holds the one it was placed with."""
    if order.delivery and not slots.settle(session, order.delivery, holds=not order.is_cancelled):
        raise CannotReopen(delivery_messages.SLOT_FULL_AGAIN)


def _settle_spent_credit(session: Session, order: Order) -> None:
    wanted = 0 if order.is_cancelled else -order.credit_applied_cents
    reasons = (CreditReason.SPENT, CreditReason.REFUND)
    difference = wanted - credits.total_for_order(session, order.user_id, order.id, *reasons)
    if difference < 0 and credits.balance(session, order.user_id) + difference < 0:
        raise CannotReopen("The credit used for this order has been spent on another one, so it cannot be reopened.")
    reason = CreditReason.REFUND if difference > 0 else CreditReason.SPENT
    credits.add_entry(session, order.user_id, difference, reason, order_id=order.id)


def _settle_referrers_credit(session: Session, order: Order) -> None:
    """Earned when the referred person's order is delivered, and only while it is (RULE referral-credit)."""
    if order.referrer_id is None or session.get_one(User, order.referrer_id).deleted_at is not None:
        return
    wanted = order.referral_credit_cents if order.status is OrderStatus.DELIVERED else 0
    reasons = (CreditReason.REFERRAL, CreditReason.REVERSAL)
    difference = wanted - credits.total_for_order(session, order.referrer_id, order.id, *reasons)
    reason = CreditReason.REFERRAL if difference > 0 else CreditReason.REVERSAL
    credits.add_entry(session, order.referrer_id, difference, reason, order_id=order.id)


def _settle_discounts(session: Session, customer: User, order: Order, before: OrderStatus) -> None:
    """Given back if the order is cancelled before dispatch, and used again if it is reopened."""
    is_given_back = order.is_cancelled and before in BEFORE_DISPATCH
    for amount, flag in ONE_TIME_DISCOUNTS:
        if getattr(order, amount) and (is_given_back or before is OrderStatus.CANCELLED):
            setattr(customer, flag, not is_given_back)
            session.add(customer)


def _require_may_reopen(session: Session, customer: User, order: Order) -> None:
    """An order that its customer cancelled stays cancelled, even if staff were about to confirm it."""
    changes = select(OrderStatusChange).where(col(OrderStatusChange.order_id) == order.id)
    cancelling = session.execute(changes.order_by(col(OrderStatusChange.id).desc()).limit(1)).scalar_one_or_none()
    if cancelling is not None and cancelling.actor_id == order.user_id:
        raise CannotReopen("The customer cancelled this order, so it cannot be reopened.")
    _require_unused_discounts(customer, order, cancelling)
    _require_within_limits(session, order)


def _require_unused_discounts(customer: User, order: Order, cancelling: OrderStatusChange | None) -> None:
    """An order that was cancelled after dispatch has kept its discounts, so there is nothing to check."""
    if cancelling is not None and cancelling.from_status in DISPATCHED:
        return
    if any(getattr(order, amount) and getattr(customer, flag) for amount, flag in ONE_TIME_DISCOUNTS):
        raise CannotReopen("This order's one-time discount has been used on another one, so it cannot be reopened.")


def _require_same_state(session: Session, order: Order, address: str) -> None:
    """An order was judged by the limits, taxes and hours of its state; those of another state may differ."""
    if order.legal_record is None or not settings.current(session).enforce_jurisdiction:
        return
    state = session.get_one(JurisdictionVersion, order.legal_record.version_id).state
    if enforcement.find_state(session, places.read_address(address)) != state:
        raise InvalidInput({"deliveryAddress": rule_messages.another_state(state)})


def _require_within_limits(session: Session, order: Order) -> None:
    """A reopened order counts again: on the day on which it was placed, and in the periods that end today."""
    if not settings.current(session).enforce_jurisdiction:
        return
    place = places.read_parts_or_address(order.zip_code, order.state, order.delivery_address)
    if place is None or not enforcement.find_state(session, place):
        raise CannotReopen(rule_messages.PLACE_OF_ORDER_NOT_UNDERSTOOD)
    wanted = {line.product_id: line.quantity for line in order.lines}
    items = quotes.items_of(quotes.load_products(session, wanted), wanted)
    moments = (order.created_at, clock.now())
    if label := enforcement.find_exceeded(session, order.user_id, place, items, moments, order.id):
        raise CannotReopen(rule_messages.over_limit_again(label))
