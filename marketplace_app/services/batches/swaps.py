"""Exchanging the units that an order has of one batch for units of another (RULE batch-swap)."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.batch_messages import BATCH_NOT_IN_ORDER
from marketplace_app.errors import NotFound
from marketplace_app.limits import CLOSE_THC_POINTS
from marketplace_app.models import (
    Batch,
    BatchState,
    LineBatch,
    Order,
    Product,
    StockMovement,
    StockReason,
    Substitution,
    User,
)
from marketplace_app.services import stock
from marketplace_app.services.batches import ledger, of_orders, question_ends
from marketplace_app.services.batches.states import state_of, today
from marketplace_app.services.records import audit_log


@dataclass(frozen=True)
class Swap:
    """All units that an order has of one batch, in exchange for as many of another. Product and batches are locked."""

    order: Order
    product: Product
    share: LineBatch
    source: Batch
    target: Batch

    @property
    def can_be_carried_out(self) -> bool:
        is_other = self.source.id != self.target.id
        is_for_sale = state_of(self.target, today()) is BatchState.FOR_SALE
        return is_other and is_for_sale and self.target.units >= self.share.units

    @property
    def details(self) -> dict[str, Any]:
        """For the audit trail."""
        return {"before": self.source.code, "code": self.target.code, "units": self.share.units}


def lock(session: Session, order: Order, product_id: int, from_batch_id: int, to_batch_id: int) -> Swap:
    """For callers that hold the order's lock. Raises NotFound if the order has no units of the first batch, or the
    product does not have the second."""
    product = stock.lock_product(session, product_id)
    batches = {batch.id: batch for batch in ledger.lock(session, [product_id])}
    key = {"order_id": order.id, "product_id": product_id, "batch_id": from_batch_id}
    share = session.get(LineBatch, key, populate_existing=True)
    if share is None or to_batch_id not in batches:
        raise NotFound(BATCH_NOT_IN_ORDER)
    return Swap(order, product, share, batches[from_batch_id], batches[to_batch_id])


def carry_out(session: Session, actor: User, swap: Swap) -> None:
    """The units go back to their batch, or are set aside if it may not be sold, and as many are taken from the other.

    The stock of the product changes only by what is set aside. An open question of the line ends.
    """
    product, units = swap.product, swap.share.units
    back = _movement(session, actor, swap, units)
    stock.move(session, back, product.name)
    of_orders.put_back(
        session, actor, product.id, product.name, back, {swap.source.id: units}, "Packed from another batch"
    )
    taken = _movement(session, actor, swap, -units)
    stock.move(session, taken, product.name)
    swap.target.units -= units
    session.add(swap.target)
    ledger.split(session, taken, {swap.target.id: -units})
    details = swap.details  # before the share is deleted
    _rewrite_line(session, swap)
    question_ends.end_for_line(session, swap.order.id, product.id)
    audit_log.append(session, actor, "order.batch_changed", f"order:{swap.order.id}", **details)


def is_allowed(wish: Substitution, before: float | None, after: float | None) -> bool:
    """Whether a batch may be packed in place of another without asking, by the THC of both."""
    if wish is Substitution.CLOSE:
        return before is not None and after is not None and round(abs(before - after), 6) <= CLOSE_THC_POINTS
    return wish is Substitution.ANY


def wish_of(order: Order) -> Substitution:
    return order.delivery.substitution if order.delivery else Substitution.ASK


def _movement(session: Session, actor: User, swap: Swap, change: int) -> StockMovement:
    of_line = (col(StockMovement.order_id) == swap.order.id, col(StockMovement.product_id) == swap.product.id)
    before = session.execute(select(func.count()).select_from(StockMovement).where(*of_line)).scalar_one()
    return StockMovement(
        product_id=swap.product.id,
        change=change,
        reason=StockReason.SWAP,
        order_id=swap.order.id,
        sequence=before + 1,
        actor_id=actor.id,
    )


def _rewrite_line(session: Session, swap: Swap) -> None:
    key: dict[str, Any] = {"order_id": swap.order.id, "product_id": swap.product.id, "batch_id": swap.target.id}
    other = session.get(LineBatch, key, populate_existing=True) or LineBatch(**key, units=0)
    other.units += swap.share.units
    session.add(other)
    session.delete(swap.share)
    session.flush()
