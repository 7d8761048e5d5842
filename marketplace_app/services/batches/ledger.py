"""The ledger of batches: whatever changes their units is a stock movement that is split among them (RULE batches).

A batch is changed only by whoever has locked its product, so nobody else changes its units once they have been read.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import OutOfStock
from marketplace_app.models import Batch, BatchMovement, BatchState, Product, StockMovement, StockReason, User
from marketplace_app.models.base import insert_rows
from marketplace_app.services import stock
from marketplace_app.services.batches import question_ends
from marketplace_app.services.batches.states import state_of, today
from marketplace_app.services.records import announcements

UNKNOWN = "Unknown"
"""The code of a product's batch for units whose batch is not known, such as those it had before its first batch."""


def lock(session: Session, product_ids: Sequence[int]) -> Sequence[Batch]:
    """All batches of products, locked in id order, for callers that hold the products' locks."""
    statement = select(Batch).where(col(Batch.product_id).in_(product_ids)).order_by(col(Batch.id)).with_for_update()
    return session.execute(statement.execution_options(populate_existing=True)).scalars().all()


def move(session: Session, product: Product, movement: StockMovement, batch: Batch) -> None:
    """Write a movement whose units are all of one batch. The caller has changed that batch's own count already."""
    session.add(batch)
    stock.move(session, movement, product.name)
    announcements.publish(session, live.product(product.id))
    split(session, movement, {batch.id: movement.change})


def split(session: Session, movement: StockMovement, units: Mapping[int, int]) -> None:
    """Write a movement's units by batch id."""
    session.flush()
    rows = [{"movement_id": movement.id, "batch_id": batch_id, "units": count} for batch_id, count in units.items()]
    insert_rows(session, BatchMovement, rows)


def settle(session: Session, actor: User | None, product: Product, batch: Batch, note: str) -> None:
    """Set the units of a batch aside if it may not be sold, or put them back if it may.

    If it may not be sold, the open questions that offer it end too. Both counts are changed before any query: a query
    in between would flush only the first change, and the database refuses units for sale in a batch that is held.
    """
    is_for_sale = state_of(batch, today()) is BatchState.FOR_SALE
    units = batch.set_aside if is_for_sale else -batch.units
    if units:
        batch.set_aside -= units
        batch.units += units
        reason = StockReason.RELEASE if is_for_sale else StockReason.SET_ASIDE
        move(session, product, _movement(product, actor, units, reason, note), batch)
    if not is_for_sale:
        question_ends.end_for_offered_batch(session, batch.id)


def correct(session: Session, actor: User | None, product: Product, batch: Batch, units: int, note: str) -> None:
    """Add units to a batch or take some. If it may not be sold, a second movement keeps the stock as it was.

    Raises OutOfStock if more units are taken than the batch has.
    """
    is_for_sale = state_of(batch, today()) is BatchState.FOR_SALE
    available = batch.units if is_for_sale else batch.set_aside
    if available + units < 0:
        raise OutOfStock(f"batch {batch.code}", available)
    movements = [_movement(product, actor, units, StockReason.ADJUST, note)]
    if is_for_sale:
        batch.units += units
    else:
        batch.set_aside += units
        reason = StockReason.RELEASE if units < 0 else StockReason.SET_ASIDE
        movements.append(_movement(product, actor, -units, reason, note))
    # The one that adds comes first, so that the stock is never below 0 between them.
    for movement in sorted(movements, key=lambda each: each.change, reverse=True):
        move(session, product, movement, batch)


def _find_or_add_unknown(session: Session, product_id: int) -> Batch:
    """The product's batch for units whose batch is not known. It is added if there is none."""
    of_code = select(Batch).where(col(Batch.product_id) == product_id, col(Batch.code) == UNKNOWN)
    found: Batch | None = session.execute(of_code).scalar_one_or_none()
    if found is None:
        found = Batch(product_id=product_id, code=UNKNOWN)
        session.add(found)
        session.flush()
    return found


def keep_in_batches(session: Session, actor: User | None, product: Product) -> None:
    """Keep a product in batches from now on. What it has in stock goes into a batch with the code `Unknown`."""
    product.has_batches = True
    session.add(product)
    if product.stock:
        count_as_unknown(session, actor, product, product.stock)


def count_as_unknown(session: Session, actor: User | None, product: Product, units: int) -> None:
    """Put units that are in stock but in no batch into the unknown batch.

    One movement takes them off the stock, the next adds them as units of the batch.
    """
    note = "Counted as a batch that is not known"
    stock.move(session, _movement(product, actor, -units, StockReason.ADJUST, note), product.name)
    correct(session, actor, product, _find_or_add_unknown(session, product.id), units, note)


def _movement(product: Product, actor: User | None, units: int, reason: StockReason, note: str) -> StockMovement:
    return StockMovement(
        product_id=product.id, change=units, reason=reason, actor_id=actor.id if actor else None, note=note
    )
