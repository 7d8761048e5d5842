"""The notices of recalled batches in an order, for its buyer and for staff (RULE recall-notice)."""

from typing import Any

from sqlalchemy import Select, select, update
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.models import Batch, LineBatch, Order, Product, User
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_batches import recalled
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.batches import contents
from marketplace_app.services.buying import own_orders
from marketplace_app.services.records import announcements, audit_log

_COLUMNS: list[Any] = [
    col(LineBatch.batch_id),
    col(Product.name).label("product"),
    col(Batch.code),
    col(Batch.recall_reason).label("reason"),
    col(Batch.recalled_at),
    col(LineBatch.units),
    col(LineBatch.read_at),
]
_NOTICES = (
    select(*_COLUMNS)
    .select_from(LineBatch)
    .join(Batch, col(Batch.id) == col(LineBatch.batch_id))
    .join(Product, col(Product.id) == col(Batch.product_id))
    .where(col(Batch.recalled_at).is_not(None))
    .order_by(col(Product.sort_name), col(Batch.id))
)


def of_order(session: Session, order_id: str) -> tuple[RecallNotice, ...]:
    """For callers that have checked who is acting."""
    return recalled(contents.of_order(session, order_id))


def confirm(session: Session, actor: User | None, order_id: str) -> tuple[RecallNotice, ...]:
    """Record 'I have read this'; saying it again changes nothing. Raises NotFound.

    It counts for all of the buyer's orders with one of these batches: the mail was about only one of the orders.
    """
    user = require_signed_in(actor)
    own_orders.find(session, user, order_id)
    batches = select(col(Batch.id)).join(LineBatch, col(LineBatch.batch_id) == col(Batch.id))
    recalled_batches = batches.where(col(LineBatch.order_id) == order_id, col(Batch.recalled_at).is_not(None))
    own = select(col(Order.id)).where(col(Order.user_id) == user.id)
    unread = (
        col(LineBatch.batch_id).in_(recalled_batches),
        col(LineBatch.order_id).in_(own),
        col(LineBatch.read_at).is_(None),
    )
    mark = update(LineBatch).where(*unread).values(read_at=clock.now())
    mark = mark.execution_options(synchronize_session=False, preserve_rowcount=True)
    if session.connection().execute(mark).rowcount:
        audit_log.append(session, user, "order.recall_read", f"order:{order_id}")
        for topic in (live.user(user.id), live.STAFF):
            announcements.publish(session, topic)
    return of_order(session, order_id)


def export(session: Session, user: User) -> list[dict[str, Any]]:
    """The recalled batches in a user's orders, why they were recalled, and when the user confirmed having read it."""
    found: Select[Any] = _NOTICES.add_columns(col(Order.number)).join(Order, col(Order.id) == col(LineBatch.order_id))
    rows = session.execute(found.where(col(Order.user_id) == user.id).order_by(col(Order.number)))
    return [{"orderNumber": row.number} | RecallNotice.of(row).wire() for row in rows]
