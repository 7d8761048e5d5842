"""Labels for the bags of a run, or for the bag of one order (RULE bag-labels)."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload
from sqlmodel import Session, col

from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.models import Batch, LineBatch, Order, Permission, Run, RunStop, User
from marketplace_app.models.base import related
from marketplace_app.schemas.dispatch.labels import BagLabel
from marketplace_app.services.accounts import require
from marketplace_app.services.batches import of_orders
from marketplace_app.services.batches.ledger import UNKNOWN
from marketplace_app.services.dispatch.cards import zip_code_of
from marketplace_app.services.dispatch.runs import require_open
from marketplace_app.services.run_stops import RunNotFound


class NothingToLabel(Conflict):
    code = "nothing_to_label"
    message = "No order of this run may still be handed over, so there are no labels to print."


def of_run(session: Session, actor: User | None, run_id: int) -> tuple[BagLabel, ...]:
    """The labels of its stops that have not ended, in the order in which they are driven to. Recalled orders have none.

    Raises NotFound, and NothingToLabel if no label is left.
    """
    require(actor, Permission.PLAN_RUNS)
    if session.get(Run, run_id) is None:
        raise RunNotFound()
    with_order = joinedload(related(RunStop.order))
    statement = (
        select(RunStop)
        .join(Order)
        .where(col(RunStop.run_id) == run_id, col(RunStop.ended_at).is_(None), col(Order.deleted_at).is_(None))
        .order_by(col(RunStop.position), col(RunStop.id))
        .options(with_order.joinedload(related(Order.delivery)), with_order.selectinload(related(Order.lines)))
    )
    stops = {stop.order_id: stop for stop in session.execute(statement).scalars()}
    codes, recalled = _batch_codes(session, [*stops]), of_orders.find_recalled(session, stops)
    to_label = [stop for order_id, stop in stops.items() if order_id not in recalled]
    if not to_label:
        raise NothingToLabel()
    return tuple(_label(stop.order, stop, codes.get(stop.order_id, ())) for stop in to_label)


def of_order(session: Session, actor: User | None, order_id: str) -> BagLabel:
    """The label of an order, which may be on no run yet. Raises NotFound, OrderEnded, OrderRecalled."""
    require(actor, Permission.PLAN_RUNS)
    loaded = [joinedload(related(Order.delivery)), selectinload(related(Order.lines))]
    order = session.get(Order, order_id, options=loaded)
    if order is None or order.deleted_at is not None:
        raise NotFound(ORDER_NOT_FOUND)
    require_open(order)
    of_orders.require_not_recalled(session, order)
    conditions = (col(RunStop.order_id) == order_id, col(RunStop.ended_at).is_(None))
    stop = session.execute(select(RunStop).where(*conditions)).scalar_one_or_none()
    return _label(order, stop, _batch_codes(session, [order_id]).get(order_id, ()))


def _label(order: Order, stop: RunStop | None, batch_codes: tuple[str, ...]) -> BagLabel:
    return BagLabel(
        run_id=stop.run_id if stop else None,
        position=stop.position if stop else None,
        order_number=order.number,
        customer_name=order.customer_name,
        zip_code=zip_code_of(order.zip_code, order.delivery_address),
        city=order.city,
        window_starts_at=order.delivery.window_starts_at if order.delivery else None,
        window_ends_at=order.delivery.window_ends_at if order.delivery else None,
        cash_cents=order.total_cents,
        units=sum(line.quantity for line in order.lines),
        batch_codes=batch_codes,
        link=f"{get_settings().public_url}/drive?order={order.number}",
    )


def _batch_codes(session: Session, order_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By id of the order, its batch codes, sorted. Units whose batch is not known have no code."""
    statement = (
        select(col(LineBatch.order_id), col(Batch.code))
        .join(Batch, col(Batch.id) == col(LineBatch.batch_id))
        .where(col(LineBatch.order_id).in_(order_ids), col(Batch.code) != UNKNOWN)
        .distinct()
    )
    found: dict[str, list[str]] = {}
    for order_id, code in session.execute(statement):
        found.setdefault(order_id, []).append(code)
    return {order_id: tuple(sorted(codes)) for order_id, codes in found.items()}
