"""Orders of the caller's own, as far as their customer may still change them."""

from sqlmodel import Session

from marketplace_app.dispatch_messages import ORDER_OUT
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.models import Order, User
from marketplace_app.services import fulfilment


class OrderOut(Conflict):
    """It is on its way already, or has ended."""

    code = "order_out"
    message = ORDER_OUT


def find(session: Session, user: User, order_id: str) -> Order:
    """Raises NotFound, also for anybody else's, and OrderOut."""
    found = session.get(Order, order_id)
    if found is None or found.deleted_at is not None or found.user_id != user.id:
        raise NotFound(ORDER_NOT_FOUND)
    return _require_not_out(found)


def lock(session: Session, user: User, order_id: str) -> Order:
    """The same, locked until the transaction ends."""
    order, _ = fulfilment.lock_order(session, find(session, user, order_id).id)
    return _require_not_out(order)


def _require_not_out(order: Order) -> Order:
    if order.status not in fulfilment.BEFORE_DISPATCH:
        raise OrderOut()
    return order
