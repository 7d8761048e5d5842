"""Staff pick another batch for an order: it is swapped, or its customer is asked (RULE batch-swap)."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.batch_messages import BATCH_NOT_IN_ORDER, BATCH_UNAVAILABLE
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.limits import MAX_PAGE_SIZE
from marketplace_app.models import Batch, Order, Permission, Substitution, User
from marketplace_app.schemas.buying.order_batches import BatchChoices, OrderBatch, Picked, ReplacementBatch, SwapForm
from marketplace_app.services.accounts import require
from marketplace_app.services.batches import contents, swaps
from marketplace_app.services.batches.states import is_for_sale, today
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.services.order_batches import questions
from marketplace_app.services.records import announcements


class BatchUnavailable(Conflict):
    """The other batch is not for sale, or has too few units."""

    code = "batch_unavailable"
    message = BATCH_UNAVAILABLE


def list_choices(session: Session, actor: User | None, order_id: str, product_id: int, batch_id: int) -> BatchChoices:
    """The batches that can take the place of one in an order: at most a page of them, the first to expire first.

    Raises NotFound, OrderAlreadyOut.
    """
    require(actor, Permission.EDIT_ORDERS)
    order = session.get(Order, order_id)
    current = next((each for each in contents.of_order(session, order_id) if each.batch_id == batch_id), None)
    if order is None or order.deleted_at is not None or current is None or current.product_id != product_id:
        raise NotFound(BATCH_NOT_IN_ORDER)
    _require_not_out(order)
    wish = swaps.wish_of(order)
    others = select(Batch).where(
        col(Batch.product_id) == product_id,
        col(Batch.id) != batch_id,
        col(Batch.units) >= current.units,
        is_for_sale(today()),
    )
    soonest = others.order_by(col(Batch.expires_on).is_(None), col(Batch.expires_on), col(Batch.id))
    found = session.execute(soonest.limit(MAX_PAGE_SIZE)).scalars()
    return BatchChoices(current, wish, tuple(_choice(current, batch, wish) for batch in found))


def change(session: Session, actor: User | None, order_id: str, product_id: int, form: SwapForm) -> Picked:
    """Swap the units of one batch for those of another, or ask the customer, as their wish says.

    Raises NotFound, OrderAlreadyOut, BatchUnavailable, AlreadyAsked.
    """
    staff = require(actor, Permission.EDIT_ORDERS)
    order, _ = fulfilment.lock_order(session, order_id)
    _require_not_out(order)
    swap = swaps.lock(session, order, product_id, form.from_batch_id, form.to_batch_id)
    if not swap.can_be_carried_out:
        raise BatchUnavailable()
    is_asked = not swaps.is_allowed(swaps.wish_of(order), swap.source.thc_percent, swap.target.thc_percent)
    if is_asked:
        questions.ask(session, staff, swap)
    else:
        swaps.carry_out(session, staff, swap)
    for topic in (live.user(order.user_id), live.STAFF):
        announcements.publish(session, topic)
    return Picked(is_asked=is_asked, batches=contents.of_order(session, order.id))


def _require_not_out(order: Order) -> None:
    if order.status not in fulfilment.BEFORE_DISPATCH:
        raise OrderAlreadyOut()


def _choice(current: OrderBatch, batch: Batch, wish: Substitution) -> ReplacementBatch:
    return ReplacementBatch(
        batch_id=batch.id,
        code=batch.code,
        expires_on=batch.expires_on,
        thc_percent=batch.thc_percent,
        units=batch.units,
        asks=not swaps.is_allowed(wish, current.thc_percent, batch.thc_percent),
    )
