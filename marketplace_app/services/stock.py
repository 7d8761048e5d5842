"""The stock ledger: every change of a count is a movement, and their sum is the count."""

from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, InvalidInput, NotFound, OutOfStock
from marketplace_app.limits import MAX_STOCK
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import Order, Permission, Product, StockMovement, StockReason, User
from marketplace_app.schemas.products.stock import MovementQuery, MovementView, StockForm
from marketplace_app.services.accounts import require
from marketplace_app.services.claims import claim_one
from marketplace_app.services.records import announcements, audit_log

_REASONS_WITH_AUTHOR = (StockReason.ADJUST, StockReason.IMPORT, StockReason.OPENING)
"""Movements for these reasons name their author. The others belong to an order, or come from units of a batch that were
set aside or released: the audit trail says by whom."""


class StockInBatches(Conflict):
    code = "stock_in_batches"
    message = "This product is kept in batches. Receive a batch, or correct the units of one, and its stock follows."


def move(session: Session, movement: StockMovement, name: str) -> None:
    """Change a stock count and record the movement. Raises OutOfStock, with the product's `name`, if it would be
    negative."""
    claim = (
        update(Product)
        .where(col(Product.id) == movement.product_id, col(Product.stock) + movement.change >= 0)
        .values(stock=Product.stock + movement.change)
        .execution_options(synchronize_session=False)
    )
    if not claim_one(session, claim):
        statement = select(col(Product.stock)).where(col(Product.id) == movement.product_id)
        raise OutOfStock(name, session.execute(statement).scalar_one_or_none() or 0)
    session.add(movement)


def lock_product(session: Session, product_id: int) -> Product:
    """The product, locked until the transaction ends. Raises NotFound."""
    statement = select(Product).where(col(Product.id) == product_id).with_for_update()
    found: Product | None = session.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()
    if found is None:
        raise NotFound(PRODUCT_NOT_FOUND)
    return found


def adjust(session: Session, actor: User | None, product_id: int, form: StockForm) -> int:
    """Add or remove stock, with a reason; returns the new count. Raises NotFound and what `change_by` raises."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    product = lock_product(session, product_id)
    change_by(session, staff, product, form.change, note=form.note)
    session.flush()
    return int(session.execute(select(col(Product.stock)).where(col(Product.id) == product_id)).scalar_one())


def change_by(session: Session, staff: User, product: Product, change: int, *, note: str = "") -> None:
    """For callers that hold the product's lock. Raises InvalidInput, OutOfStock, StockInBatches."""
    if product.has_batches:
        raise StockInBatches()
    if change == 0:
        raise InvalidInput({"change": StockForm.MESSAGES["change"]})
    if product.stock + change > MAX_STOCK:
        raise InvalidInput({"change": f"At most {MAX_STOCK:,} units can be in stock."})
    reason = StockReason.ADJUST
    movement = StockMovement(product_id=product.id, change=change, reason=reason, actor_id=staff.id, note=note)
    move(session, movement, product.name)
    audit_log.append(session, staff, "product.stock_adjusted", f"product:{product.id}", change=change, note=note)
    announcements.publish(session, live.STAFF)
    announcements.publish(session, live.product(product.id))


def list_movements(
    session: Session, actor: User | None, product_id: int, query: MovementQuery
) -> tuple[int, tuple[MovementView, ...]]:
    """The number of movements, and one page, newest first, each with the count after it. Raises NotFound."""
    require(actor, Permission.SEE_PRODUCTS)
    if session.execute(select(col(Product.id)).where(col(Product.id) == product_id)).first() is None:
        raise NotFound(PRODUCT_NOT_FOUND)
    own = col(StockMovement.product_id) == product_id
    total = session.execute(select(func.count()).select_from(StockMovement).where(own)).scalar_one()
    stock_after_first = _stock_after_first(product_id, query.offset).label("stock_after_first")
    rows = session.execute(
        select(StockMovement, col(Order.number), User, stock_after_first)
        .select_from(StockMovement)
        .join(Product, col(Product.id) == col(StockMovement.product_id))
        .outerjoin(Order, col(Order.id) == col(StockMovement.order_id))
        .outerjoin(User, col(User.id) == col(StockMovement.actor_id))
        .where(own)
        .order_by(col(StockMovement.id).desc())
        .limit(query.limit)
        .offset(query.offset)
    ).all()
    return total, _views(rows)


def _stock_after_first(product_id: int, newer_count: int) -> ColumnElement[int]:
    """The count after the first movement of a page: the stock less the `newer_count` movements of earlier pages.

    A column of the statement that reads the page, since units may be sold between two statements.
    """
    changes = select(col(StockMovement.change)).where(col(StockMovement.product_id) == product_id)
    newer = changes.order_by(col(StockMovement.id).desc()).limit(newer_count).subquery()
    return col(Product.stock) - select(func.coalesce(func.sum(newer.c.change), 0)).scalar_subquery()


def _views(rows: Any) -> tuple[MovementView, ...]:
    views = []
    count = int(rows[0].stock_after_first) if rows else 0
    for movement, number, user, _ in rows:
        views.append(
            MovementView(
                id=movement.id,
                change=movement.change,
                reason=movement.reason,
                note=movement.note,
                created_at=movement.created_at,
                stock_after=count,
                order_id=movement.order_id,
                order_number=number,
                by=(user.full_name or user.email) if user and movement.reason in _REASONS_WITH_AUTHOR else "",
            )
        )
        count -= movement.change
    return tuple(views)
