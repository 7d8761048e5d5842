"""An order gets units of another batch in place of those of one that it has (RULE batch-swap)."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.batch_messages import ASK_FIRST, BATCH_NOT_IN_ORDER, BATCH_UNAVAILABLE
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.limits import CLOSE_THC_POINTS, MAX_PAGE_SIZE
from marketplace_app.models import (
    Batch,
    BatchState,
    LineBatch,
    Order,
    Permission,
    Product,
    StockMovement,
    StockReason,
    Substitution,
    User,
)
from marketplace_app.schemas.order_batches import BatchChoices, ChoiceOfBatch, OrderBatch, SwapForm
from marketplace_app.services import fulfilment, stock
from marketplace_app.services.accounts import require
from marketplace_app.services.batches import contents, ledger, of_orders
from marketplace_app.services.batches.states import is_for_sale, state_of, today
from marketplace_app.services.own_orders import OrderOut
from marketplace_app.services.records import announcements, audit_log


class BatchUnavailable(Conflict):
    """The other batch is not for sale, or has too few units."""

    code = "batch_unavailable"
    message = BATCH_UNAVAILABLE


class AskFirst(Conflict):
    """The customer wants to be asked."""

    code = "ask_first"
    message = ASK_FIRST


@dataclass(frozen=True)
class Swap:
    """All units that an order has of one batch, in exchange for as many of another. Product and batches are locked."""

    order: Order
    product: Product
    share: LineBatch
    source: Batch
    target: Batch

    @property
    def can_be_served(self) -> bool:
        is_other = self.source.id != self.target.id
        is_sold = state_of(self.target, today()) is BatchState.FOR_SALE
        return is_other and is_sold and self.target.units >= self.share.units


def list_choices(session: Session, actor: User | None, order_id: str, product_id: int, batch_id: int) -> BatchChoices:
    """The batches that can take the place of one in an order, those first that expire first, at most a page of them.

    Raises NotFound, OrderOut.
    """
    require(actor, Permission.EDIT_ORDERS)
    order = session.get(Order, order_id)
    mine = next((each for each in contents.of_order(session, order_id) if each.batch_id == batch_id), None)
    if order is None or order.deleted_at is not None or mine is None or mine.product_id != product_id:
        raise NotFound(BATCH_NOT_IN_ORDER)
    require_not_out(order)
    wish = wish_of(order)
    others = select(Batch).where(
        col(Batch.product_id) == product_id,
        col(Batch.id) != batch_id,
        col(Batch.units) >= mine.units,
        is_for_sale(today()),
    )
    soonest = others.order_by(col(Batch.expires_on).is_(None), col(Batch.expires_on), col(Batch.id))
    found = session.execute(soonest.limit(MAX_PAGE_SIZE)).scalars()
    return BatchChoices(mine, wish, tuple(_choice(mine, batch, wish) for batch in found))


def change(
    session: Session, actor: User | None, order_id: str, product_id: int, form: SwapForm
) -> tuple[OrderBatch, ...]:
    """Swap the units of one batch for those of another, if that is what the customer wants. Returns what the order has.

    Raises NotFound, OrderOut, BatchUnavailable, AskFirst.
    """
    staff = require(actor, Permission.EDIT_ORDERS)
    order, _ = fulfilment.lock_order(session, order_id)
    require_not_out(order)
    swap = lock(session, order, product_id, form.from_batch_id, form.to_batch_id)
    if not swap.can_be_served:
        raise BatchUnavailable()
    if not is_allowed(wish_of(order), swap.source.thc_percent, swap.target.thc_percent):
        raise AskFirst()
    carry_out(session, staff, swap)
    for topic in (live.person(order.user_id), live.STAFF):
        announcements.publish(session, topic)
    return contents.of_order(session, order.id)


def lock(session: Session, order: Order, product_id: int, from_batch_id: int, to_batch_id: int) -> Swap:
    """For callers that hold the order's lock. Raises NotFound if the order has nothing of the one batch, or the product
    has no other of that number."""
    product = stock.lock_product(session, product_id)
    batches = {batch.id: batch for batch in ledger.lock(session, [product_id])}
    own = {"order_id": order.id, "product_id": product_id, "batch_id": from_batch_id}
    share = session.get(LineBatch, own, populate_existing=True)
    if share is None or to_batch_id not in batches:
        raise NotFound(BATCH_NOT_IN_ORDER)
    return Swap(order, product, share, batches[from_batch_id], batches[to_batch_id])


def carry_out(session: Session, actor: User, swap: Swap) -> None:
    """The units go back to their batch, or are set aside if it may not be sold, and as many are taken of the other.

    The count of the product changes only by what is set aside.
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
    _rewrite_line(session, swap)
    details = {"before": swap.source.code, "code": swap.target.code, "units": units}
    audit_log.append(session, actor, "order.batch_changed", f"order:{swap.order.id}", **details)


def is_allowed(wish: Substitution, before: float | None, after: float | None) -> bool:
    """Whether a batch may be packed in place of another without asking, by the THC of both."""
    if wish is Substitution.CLOSE:
        return before is not None and after is not None and round(abs(before - after), 6) <= CLOSE_THC_POINTS
    return wish is Substitution.ANY


def wish_of(order: Order) -> Substitution:
    return order.delivery.substitution if order.delivery else Substitution.ASK


def require_not_out(order: Order) -> None:
    """Raises OrderOut."""
    if order.status not in fulfilment.BEFORE_DISPATCH:
        raise OrderOut()


def _choice(mine: OrderBatch, batch: Batch, wish: Substitution) -> ChoiceOfBatch:
    return ChoiceOfBatch(
        batch_id=batch.id,
        code=batch.code,
        expires_on=batch.expires_on,
        thc_percent=batch.thc_percent,
        units=batch.units,
        asks=not is_allowed(wish, mine.thc_percent, batch.thc_percent),
    )


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
    own: dict[str, Any] = {"order_id": swap.order.id, "product_id": swap.product.id, "batch_id": swap.target.id}
    kept, units = session.get(LineBatch, own, populate_existing=True), swap.share.units
    if kept is None:
        kept = LineBatch(**own, units=0)
    kept.units += units
    session.add(kept)
    session.delete(swap.share)
    session.flush()
