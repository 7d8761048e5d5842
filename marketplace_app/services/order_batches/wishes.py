"""What customers want if their order is packed from another batch (RULE batch-wish)."""

from collections.abc import Sequence

from sqlalchemy import exists, select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.batch_messages import NOT_IN_BATCHES
from marketplace_app.errors import Conflict
from marketplace_app.models import LineBatch, User
from marketplace_app.schemas.buying.order_batches import OrderBatch, WishForm
from marketplace_app.schemas.buying.orders import OrderView, view_of
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.buying import fulfilment, own_orders
from marketplace_app.services.records import announcements, audit_log


class NotInBatches(Conflict):
    """None of the order's products was sold in batches, or the shop had no delivery zones when it was placed.

    An order placed without zones has no `delivery`, and the wish is a column of that.
    """

    code = "not_in_batches"
    message = NOT_IN_BATCHES


def can_change(order: OrderView, batches: Sequence[OrderBatch]) -> bool:
    """Whether the order's customer may change its wish."""
    return order.delivery is not None and bool(batches) and order.status in fulfilment.BEFORE_DISPATCH


def change(session: Session, actor: User | None, order_id: str, form: WishForm) -> OrderView:
    """Replace the wish of one of the caller's own orders. Raises NotFound, OrderAlreadyOut, NotInBatches."""
    user = require_signed_in(actor)
    order = own_orders.lock_changeable(session, user, order_id)
    delivery = order.delivery
    has_batches = select(exists().where(col(LineBatch.order_id) == order.id))
    if delivery is None or not session.execute(has_batches).scalar_one():
        raise NotInBatches()
    if delivery.substitution is not form.substitution:
        changed = {"from": delivery.substitution.value, "to": form.substitution.value}
        delivery.substitution = form.substitution
        session.add(delivery)
        audit_log.append(session, user, "order.batch_wish", f"order:{order.id}", **changed)
        for topic in (live.user(user.id), live.STAFF):
            announcements.publish(session, topic)
    return view_of(order, for_customer=True)
