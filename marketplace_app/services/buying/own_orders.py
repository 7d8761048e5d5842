"""The caller's own orders: finding one of them, whether it can still be changed, and cancelling it."""

from sqlmodel import Session

from marketplace_app.dispatch_messages import ORDER_OUT
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.messages import ORDER_NOT_FOUND, ORDER_NOT_PENDING
from marketplace_app.models import Order, OrderStatus, User
from marketplace_app.schemas.buying.orders import OrderView, view_of
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.buying import fulfilment


class NotPending(Conflict):
    code = "order_not_pending"
    message = ORDER_NOT_PENDING


class OrderAlreadyOut(Conflict):
    """It is on its way already, or has ended."""

    code = "order_out"
    message = ORDER_OUT


def cancel(session: Session, actor: User | None, order_id: str) -> OrderView:
    """Cancel one of the caller's own orders, with the same effects as when staff cancel it. It must be pending, or
    confirmed if its customer was asked whether they are ready (RULE cancel-own-order).

    An order that is already cancelled is returned as it is. Raises NotFound, NotPending.
    """
    user = require_signed_in(actor)
    find(session, user, order_id)
    order, customer = fulfilment.lock_order(session, order_id)
    if not (order.is_cancelled or may_cancel(order)):
        raise NotPending()
    fulfilment.change_status(session, user, order, customer, OrderStatus.CANCELLED)
    session.refresh(order)
    return view_of(order, for_customer=True)


def may_cancel(order: Order | OrderView) -> bool:
    """Whether its customer may still cancel it (RULE cancel-own-order)."""
    was_asked = order.delivery is not None and order.delivery.ready_asked_at is not None
    return order.status is OrderStatus.PENDING or (order.status is OrderStatus.CONFIRMED and was_asked)


def find(session: Session, user: User, order_id: str) -> Order:
    """Whatever its status. Raises NotFound, also for anybody else's."""
    found = session.get(Order, order_id)
    if found is None or found.deleted_at is not None or found.user_id != user.id:
        raise NotFound(ORDER_NOT_FOUND)
    return found


def find_changeable(session: Session, user: User, order_id: str) -> Order:
    """Raises what `find` does, and OrderAlreadyOut."""
    return _require_not_out(find(session, user, order_id))


def lock_changeable(session: Session, user: User, order_id: str) -> Order:
    """The same, locked until the transaction ends."""
    order, _ = fulfilment.lock_order(session, find_changeable(session, user, order_id).id)
    return _require_not_out(order)


def _require_not_out(order: Order) -> Order:
    if order.status not in fulfilment.BEFORE_DISPATCH:
        raise OrderAlreadyOut()
    return order
