"""Which batches an order has units of, as its customer and staff see them."""

from typing import Any

from sqlalchemy import Row, select
from sqlmodel import Session, col

from marketplace_app.models import Batch, LineBatch, Product
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_batches import OrderBatch
from marketplace_app.services.batches.states import state_of, today

_BATCHES_OF_ORDERS = (
    select(Batch, col(Product.name), col(LineBatch.units), col(LineBatch.read_at))
    .join(LineBatch, col(LineBatch.batch_id) == col(Batch.id))
    .join(Product, col(Product.id) == col(Batch.product_id))
    .order_by(col(Product.sort_name), col(Batch.id))
)


def of_order(session: Session, order_id: str) -> tuple[OrderBatch, ...]:
    """By product name; a cancelled order has none. For callers that have checked who is acting."""
    return tuple(map(_view, session.execute(_BATCHES_OF_ORDERS.where(col(LineBatch.order_id) == order_id))))


def _view(row: Row[Any]) -> OrderBatch:
    batch: Batch = row[0]
    return OrderBatch(
        product_id=batch.product_id,
        product=row.name,
        batch_id=batch.id,
        code=batch.code,
        expires_on=batch.expires_on,
        thc_percent=batch.thc_percent,
        state=state_of(batch, today()),
        units=row.units,
        recall=_recall_notice(row),
    )


def _recall_notice(row: Row[Any]) -> RecallNotice | None:
    batch: Batch = row[0]
    if batch.recalled_at is None:
        return None
    return RecallNotice(
        batch_id=batch.id,
        product=row.name,
        code=batch.code,
        reason=batch.recall_reason,
        recalled_at=batch.recalled_at,
        units=row.units,
        read_at=row.read_at,
    )
