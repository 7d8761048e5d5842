"""What orders take of batches and give back (RULE fefo)."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, delete, exists, insert, select, update
from sqlmodel import Session

from marketplace_app.dispatch_messages import ORDER_RECALLED
from marketplace_app.errors import Conflict, OutOfStock
from marketplace_app.models import (
    Batch,
    BatchMovement,
    BatchState,
    LineBatch,
    Order,
    OrderLine,
    Product,
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.models.base import insert_rows, table_of
from marketplace_app.services import stock
from marketplace_app.services.batches import ledger
from marketplace_app.services.batches.states import is_for_sale, state_of, today
from marketplace_app.services.claims import claim_each

_BATCHES, _LINE_BATCHES, _PRODUCTS = table_of(Batch), table_of(LineBatch), table_of(Product)
# Built once, because they are run for every order of a product with batches.
_FOR_SALE = (
    select(_BATCHES.c.id, _BATCHES.c.product_id, _BATCHES.c.units, _BATCHES.c.expires_on)
    .where(
        _BATCHES.c.product_id.in_(bindparam("wanted", expanding=True)),
        _BATCHES.c.units > 0,
        is_for_sale(bindparam("day")),
    )
    .order_by(_BATCHES.c.id)
    .with_for_update()
)
_MOVEMENTS = table_of(StockMovement)
_SPLIT = insert(table_of(BatchMovement)).from_select(
    ["movement_id", "batch_id", "units"],
    select(_MOVEMENTS.c.id, bindparam("batch_id", type_=Integer), bindparam("units", type_=Integer)).where(
        _MOVEMENTS.c.order_id == bindparam("order_id"),
        _MOVEMENTS.c.sequence == bindparam("sequence"),
        _MOVEMENTS.c.product_id == bindparam("product_id"),
    ),
)
_CLAIM = (
    update(_BATCHES)
    .where(_BATCHES.c.id == bindparam("batch_id"), _BATCHES.c.units >= bindparam("taken"))
    .values(units=_BATCHES.c.units - bindparam("taken"))
)


_ORDERS = table_of(Order)
IS_RECALLED = exists().where(
    _LINE_BATCHES.c.order_id == _ORDERS.c.id,
    _BATCHES.c.id == _LINE_BATCHES.c.batch_id,
    _BATCHES.c.recalled_at.is_not(None),
)
"""Of an order: whether any of its units were recalled."""


class OrderRecalled(Conflict):
    code = "order_recalled"
    message = ORDER_RECALLED


class BatchShare(NamedTuple):
    """Units of one batch in an order."""

    product_id: int
    batch_id: int
    units: int


class Wanted(NamedTuple):
    product_id: int
    name: str
    units: int


def take(session: Session, wanted: Sequence[Wanted]) -> list[BatchShare]:
    """Take units of products with batches, first from those that expire first. Raises OutOfStock.

    For callers that have locked the products and claimed their stock. There may be too few units even so, because the
    stock counts expired ones until they are set aside.
    """
    shares = _allot(session, wanted, today())
    values = [{"batch_id": share.batch_id, "taken": share.units} for share in shares]
    if not claim_each(session, _CLAIM, values):
        raise OutOfStock(wanted[0].name, 0)  # the lock on the products keeps this from happening
    return shares


def record_taken(session: Session, order_id: str, sequence: int, shares: Sequence[BatchShare]) -> None:
    """Record what an order has taken: on its lines, and in the ledger, which has its stock movements already."""
    insert_rows(session, LineBatch, [{"order_id": order_id, **share._asdict()} for share in shares])
    rows = [share._replace(units=-share.units)._asdict() for share in shares]
    session.connection().execute(_SPLIT, [{"order_id": order_id, "sequence": sequence, **row} for row in rows])


def settle(session: Session, actor: User, line: OrderLine, movement: StockMovement) -> None:
    """After an order was cancelled or reopened: split the stock movement of one of its lines among batches, if its
    product has any.

    The movement has been written, which locks the product. Raises OutOfStock if the batches cannot serve it.
    """
    if not session.execute(select(_PRODUCTS.c.has_batches).where(_PRODUCTS.c.id == line.product_id)).scalar_one():
        return
    if movement.change > 0:
        _give_back(session, actor, line, movement)
        return
    session.flush()  # `take` reads from the database, not from the session's objects
    shares = take(session, [Wanted(line.product_id, line.name, -movement.change)])
    insert_rows(session, LineBatch, [{"order_id": line.order_id, **share._asdict()} for share in shares])
    ledger.split(session, movement, {share.batch_id: -share.units for share in shares})


def _give_back(session: Session, actor: User, line: OrderLine, movement: StockMovement) -> None:
    """Give units back to the batches of a line whose order was cancelled.

    A line that is older than the product's first batch gives its units back to the product's unknown batch.
    """
    units_by_batch = _clear_line(session, line)
    if not units_by_batch:
        ledger.count_as_unknown(session, actor, session.get_one(Product, line.product_id), movement.change)
        return
    put_back(session, actor, line.product_id, line.name, movement, units_by_batch, "Of a cancelled order")


def put_back(
    session: Session,
    actor: User,
    product_id: int,
    name: str,
    movement: StockMovement,
    units_by_batch: Mapping[int, int],
    note: str,
) -> None:
    """Put units of an order back into their batches, and split the stock movement of their return among these.

    Units that may no longer be sold are set aside at once, with the note. The movement has been written, which locks
    the product.
    """
    batches = {batch.id: batch for batch in ledger.lock(session, [product_id])}
    set_aside = {}
    for batch_id, units in units_by_batch.items():
        batch = batches[batch_id]
        if state_of(batch, today()) is BatchState.FOR_SALE:
            batch.units += units
        else:
            batch.set_aside += units
            set_aside[batch_id] = -units
        session.add(batch)
    ledger.split(session, movement, units_by_batch)
    if set_aside:
        removal = StockMovement(
            product_id=product_id,
            change=sum(set_aside.values()),
            reason=StockReason.SET_ASIDE,
            actor_id=actor.id,
            note=note,
        )
        stock.move(session, removal, name)
        ledger.split(session, removal, set_aside)


def _clear_line(session: Session, line: OrderLine) -> dict[int, int]:
    """Delete the rows that say how many units of which batch a line has; returns these units by batch id."""
    own = (_LINE_BATCHES.c.order_id == line.order_id, _LINE_BATCHES.c.product_id == line.product_id)
    rows = session.execute(select(_LINE_BATCHES.c.batch_id, _LINE_BATCHES.c.units).where(*own))
    units_by_batch: dict[int, int] = {row.batch_id: row.units for row in rows}
    session.execute(delete(_LINE_BATCHES).where(*own))
    return units_by_batch


def _allot(session: Session, wanted: Sequence[Wanted], day: date) -> list[BatchShare]:
    """Which units to take. Sorted by batch id, because they are claimed in that order."""
    named = {"wanted": [each.product_id for each in wanted], "day": day}
    locked = session.connection().execute(_FOR_SALE, named).all()
    soonest = sorted(locked, key=lambda batch: (batch.expires_on is None, batch.expires_on or day, batch.id))
    shares: list[BatchShare] = []
    for product_id, name, units in wanted:
        left = units
        for batch in soonest:
            if batch.product_id == product_id and left:
                taken = min(left, batch.units)
                shares.append(BatchShare(product_id, batch.id, taken))
                left -= taken
        if left:
            raise OutOfStock(name, units - left)
    return sorted(shares, key=lambda share: share.batch_id)


def find_recalled(session: Session, order_ids: Collection[str]) -> set[str]:
    """The orders among these that have units of a recalled batch."""
    if not order_ids:
        return set()
    recalled = select(_ORDERS.c.id).where(_ORDERS.c.id.in_(order_ids), IS_RECALLED)
    return set(session.execute(recalled).scalars())


def require_not_recalled(session: Session, order: Order) -> None:
    """Raises OrderRecalled."""
    if find_recalled(session, [order.id]):
        raise OrderRecalled()
