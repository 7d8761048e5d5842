"""One status for several orders: a preview for each, then all or none (RULE bulk-status)."""

from collections.abc import Mapping, Sequence

from sqlmodel import Session

from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound, StoreError
from marketplace_app.models import Order, OrderStatus, Permission, User
from marketplace_app.schemas.admin.orders import ManyStatusForm, StatusOutcomeAnswer
from marketplace_app.services import run_stops
from marketplace_app.services.accounts import require
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.cash import ledger


def set_status_of_many(
    session: Session, actor: User | None, form: ManyStatusForm, seen: Mapping[str, OrderStatus] | None = None
) -> tuple[StatusOutcomeAnswer, ...]:
    """One status for several orders, all or none, with the side effects of each.

    `seen` are the statuses that a preview has shown, by order id. Raises NotFound, OwnOrder, OrderRecalled, OutOfStock,
    CannotReopen, or Conflict if an order no longer has the status that was seen. All but NotFound name the order. If
    one is raised, no order is changed.
    """
    staff = require(actor, Permission.EDIT_ORDERS)
    locked = _lock(session, form.ids)
    if len(locked) < len(form.ids):
        raise NotFound("One of these orders no longer exists. Please reload the list.")
    for order, _ in locked:
        if seen is not None and order.status is not seen.get(order.id):
            changed = f"Order {order.number} has become {order.status.label.lower()} in the meantime."
            raise Conflict(f"{changed} Close this preview, then choose the status again.")
    return tuple(_change(session, staff, order, customer, form.status) for order, customer in locked)


def preview_status_of_many(
    session: Session, actor: User | None, form: ManyStatusForm
) -> tuple[StatusOutcomeAnswer, ...]:
    """What `set_status_of_many` would do to each existing order, or why it could not.

    Makes the changes and rolls them back, so all rules apply; therefore it needs a transaction that may write.
    """
    staff = require(actor, Permission.EDIT_ORDERS)
    topics = set(session.info.get(live.TOPICS, ()))
    with session.begin_nested() as attempt:
        locked = _lock(session, form.ids)
        outcomes = tuple(_preview(session, staff, order, customer, form.status) for order, customer in locked)
        attempt.rollback()
    session.info[live.TOPICS] = topics  # forget what the changes announced: a rollback to a savepoint keeps it
    return outcomes


def _lock(session: Session, order_ids: Sequence[str]) -> list[tuple[Order, User]]:
    """The orders that exist, with their customers, for a change of all of them (RULE lock-order)."""
    locked = fulfilment.lock_orders(session, order_ids)
    run_stops.lock_runs_of(session, order_ids)
    ledger.lock_shifts_of(session, order_ids)
    return locked


def _change(session: Session, staff: User, order: Order, customer: User, status: OrderStatus) -> StatusOutcomeAnswer:
    outcome = _outcome(order, status)
    try:
        _set_status(session, staff, order, customer, status)
    except StoreError as error:
        error.message = f"Order {outcome.number}: {error.message}"
        raise
    return outcome


def _preview(session: Session, staff: User, order: Order, customer: User, status: OrderStatus) -> StatusOutcomeAnswer:
    outcome = _outcome(order, status)
    try:
        with session.begin_nested():
            _set_status(session, staff, order, customer, status)
    except StoreError as error:
        return outcome.model_copy(update={"is_change": False, "problem": error.message})
    return outcome


def _outcome(order: Order, status: OrderStatus) -> StatusOutcomeAnswer:
    return StatusOutcomeAnswer(
        id=order.id,
        number=order.number,
        from_status=order.status,
        to_status=status,
        is_change=order.status is not status,
        problem=None,
    )


def _set_status(session: Session, staff: User, order: Order, customer: User, status: OrderStatus) -> None:
    fulfilment.require_no_conflict_of_interest(staff, order, status)
    fulfilment.change_status(session, staff, order, customer, status)
