"""Recalls: a batch is set aside for good, its open orders are not handed over, its buyers are written to
(RULE recalls)."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

from sqlalchemy import Integer, Select, case, false, func, insert, literal, or_, select
from sqlmodel import Session, col

from marketplace_app import clock, spreadsheets
from marketplace_app.adapters import live
from marketplace_app.adapters.search import fold
from marketplace_app.errors import NotFound
from marketplace_app.messages import BATCH_NOT_FOUND
from marketplace_app.models import (
    Batch,
    BatchMovement,
    LineBatch,
    Order,
    OrderStatus,
    OutboxMessage,
    Permission,
    Product,
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.models.base import table_of
from marketplace_app.schemas.batches.recalls import (
    BatchOption,
    DrillView,
    FindBatchesForm,
    RecalledOrder,
    RecallForm,
    RecallSummary,
    RecallView,
)
from marketplace_app.schemas.controls import row_id
from marketplace_app.services.accounts import require
from marketplace_app.services.batches import keeping, ledger
from marketplace_app.services.records import announcements, audit_log

MOST_FOUND = 50
HEADERS = (
    "product",
    "sku",
    "batch",
    "recalled_at",
    "reason",
    "order",
    "placed_at",
    "status",
    "units",
    "read_at",
    "name",
    "address",
    "phone",
    "email",
)
_IS_OPEN = col(Order.status).not_in([status for status in OrderStatus if status.is_ended])
_ORDERED = (
    select(LineBatch)
    .join(Order, col(Order.id) == col(LineBatch.order_id))
    .where(col(Order.status) != OrderStatus.CANCELLED)
)
"""What orders have of batches, without cancelled orders."""


def recall(session: Session, actor: User | None, form: RecallForm) -> RecallView:
    """Set a batch aside for good and write to its buyers. Raises NotFound, BatchRecalled."""
    staff = require(actor, Permission.RECALL)
    view, letters = _carry_out(session, staff, form)
    details = {"code": view.code, "reason": view.reason, "orders": view.orders, "letters": letters}
    audit_log.append(session, staff, "batch.recalled", f"batch:{view.batch_id}", **details)
    for topic in (live.STAFF, live.OUTBOX, *map(live.user, _buyer_ids(session, view.batch_id))):
        announcements.publish(session, topic)
    return view


def drill(session: Session, actor: User | None, form: RecallForm) -> DrillView:
    """Do all that a recall does, tell what it did and how long it took, and undo it."""
    staff = require(actor, Permission.RECALL)
    drilled = rehearse(session, staff, form)
    details = {"code": drilled.recall.code, "orders": drilled.recall.orders, "milliseconds": drilled.milliseconds}
    audit_log.append(session, staff, "batch.recall_drilled", f"batch:{form.batch_id}", **details)
    return drilled


def rehearse(session: Session, staff: User | None, form: RecallForm) -> DrillView:
    """What `drill` does, without its entry in the audit trail. For callers that have checked who is acting; the command
    line has no user."""
    began = perf_counter()
    topics = set(session.info.get(live.TOPICS, ()))
    with session.begin_nested() as savepoint:
        view, letters = _carry_out(session, staff, form)
        took = perf_counter() - began
        coverage = _coverage(session, view)
        savepoint.rollback()
    session.info[live.TOPICS] = topics  # forget what was announced: a rollback to a savepoint keeps it
    return DrillView(recall=view, milliseconds=round(took * 1_000), letters=letters, coverage=coverage)


def list_all(session: Session, actor: User | None) -> tuple[RecallSummary, ...]:
    """The newest first."""
    require(actor, Permission.RECALL)
    rows = session.execute(_summaries().order_by(col(Batch.recalled_at).desc(), col(Batch.id).desc()))
    return tuple(map(RecallSummary.of, rows))


def find_batches(session: Session, actor: User | None, form: FindBatchesForm) -> tuple[BatchOption, ...]:
    """Batches that were not recalled, at most MOST_FOUND: the text is the id or the SKU of their product, or is part of
    its name or of the batch's code."""
    require(actor, Permission.RECALL)
    text, folded = form.text, fold(form.text)
    is_match = or_(
        col(Product.id) == row_id(text),
        func.lower(col(Product.sku)) == text.lower(),
        col(Product.sort_name).contains(folded) if folded else false(),
        col(Batch.code).icontains(text, autoescape=True),
    )
    columns: list[Any] = [
        col(Batch.id).label("batch_id"),
        col(Product.name).label("product"),
        col(Batch.code),
        (col(Batch.units) + col(Batch.set_aside)).label("units"),
    ]
    found = select(*columns).join(Product, col(Product.id) == col(Batch.product_id))
    found = found.where(is_match, col(Batch.recalled_at).is_(None))
    rows = session.execute(found.order_by(col(Product.sort_name), col(Batch.id).desc()).limit(MOST_FOUND))
    return tuple(map(BatchOption.of, rows))


def get(session: Session, actor: User | None, batch_id: int) -> RecallView:
    """Raises NotFound, also for a batch that was not recalled."""
    require(actor, Permission.RECALL)
    return _view(session, batch_id)


def export(session: Session, actor: User | None, batch_id: int) -> str:
    """For the regulator, as CSV: a row for each order that has units of the batch. The export is audited.

    Raises NotFound.
    """
    staff = require(actor, Permission.RECALL)
    view = _view(session, batch_id)
    audit_log.append(session, staff, "batch.recall_exported", f"batch:{batch_id}", code=view.code)
    return spreadsheets.lines([HEADERS, *_rows(session, view)])


def _carry_out(session: Session, staff: User | None, form: RecallForm) -> tuple[RecallView, int]:
    """Also returns how many letters it wrote. Nobody who orders at the same time is missed: the lock on the product
    makes a later order wait, and an earlier one has been written when the buyers are looked up."""
    product, batch = keeping.lock_batch(session, form.batch_id)
    keeping.require_not_recalled(batch)
    batch.recalled_at, batch.recall_reason = clock.now(), form.reason
    ledger.settle(session, staff, product, batch, form.reason)
    session.add(batch)
    session.flush()
    return _view(session, batch.id), _write_letters(session, batch.id)


def _write_letters(session: Session, batch_id: int) -> int:
    """One to each buyer, in one statement: about their last order with units of the batch that they can still see, else
    about the last of all. Buyers who closed their account have no address, so they get none."""
    visible = case((col(Order.deleted_at).is_(None), col(Order.number)))
    number = func.coalesce(func.max(visible), func.max(col(Order.number))).label("number")
    last = (
        _ORDERED.with_only_columns(col(Order.user_id), number)
        .where(col(LineBatch.batch_id) == batch_id)
        .group_by(col(Order.user_id))
        .subquery()
    )
    as_json = func.json_object if session.get_bind().dialect.name == "sqlite" else func.json_build_object
    payload = as_json("order_id", col(Order.id), "batch_id", literal(batch_id, Integer))
    buyers = (
        select(literal("recall"), col(User.email), payload)
        .join(last, last.c.user_id == col(User.id))
        .join(Order, col(Order.number) == last.c.number)
        .where(col(User.deleted_at).is_(None))
    )
    written = insert(table_of(OutboxMessage)).from_select(["kind", "recipient", "payload"], buyers)
    return session.connection().execute(written.execution_options(preserve_rowcount=True)).rowcount


def _buyer_ids(session: Session, batch_id: int) -> Sequence[int]:
    """The buyers of a batch. Their open pages say at once that it was recalled."""
    buyers = _ORDERED.with_only_columns(col(Order.user_id)).where(col(LineBatch.batch_id) == batch_id).distinct()
    return session.execute(buyers).scalars().all()


def _summaries() -> Select[Any]:
    of_batch = (
        _ORDERED.with_only_columns(
            col(LineBatch.batch_id),
            func.count().label("orders"),
            func.count(func.distinct(col(Order.user_id))).label("buyers"),
            func.sum(col(LineBatch.units)).label("units"),
            func.sum(case((_IS_OPEN, 1), else_=0)).label("open"),
            func.count(func.distinct(case((col(LineBatch.read_at).is_not(None), col(Order.user_id))))).label("readers"),
        )
        .group_by(col(LineBatch.batch_id))
        .subquery()
    )
    columns: list[Any] = [
        col(Batch.id).label("batch_id"),
        col(Batch.product_id),
        col(Product.name).label("product"),
        col(Batch.code),
        col(Batch.recall_reason).label("reason"),
        col(Batch.recalled_at),
        col(Batch.set_aside),
        func.coalesce(of_batch.c.units, 0).label("units"),
        func.coalesce(of_batch.c.orders, 0).label("orders"),
        func.coalesce(of_batch.c.buyers, 0).label("buyers"),
        func.coalesce(of_batch.c.readers, 0).label("readers"),
        func.coalesce(of_batch.c.open, 0).label("not_handed_over"),
    ]
    return (
        select(*columns)
        .join(Product, col(Product.id) == col(Batch.product_id))
        .outerjoin(of_batch, of_batch.c.batch_id == col(Batch.id))
        .where(col(Batch.recalled_at).is_not(None))
    )


def _view(session: Session, batch_id: int) -> RecallView:
    row = session.execute(_summaries().where(col(Batch.id) == batch_id)).one_or_none()
    if row is None:
        raise NotFound(BATCH_NOT_FOUND)
    columns: list[Any] = [
        col(Order.id).label("order_id"),
        col(Order.number),
        col(Order.status),
        col(Order.customer_name),
        col(Order.contact_phone).label("phone"),
        col(LineBatch.units),
        col(LineBatch.read_at),
    ]
    open_orders = _ORDERED.with_only_columns(*columns).where(
        col(LineBatch.batch_id) == batch_id, _IS_OPEN, col(Order.deleted_at).is_(None)
    )
    rows = session.execute(open_orders.order_by(col(Order.estimated_delivery_at), col(Order.number)))
    orders = tuple(RecalledOrder(**each._mapping) for each in rows)
    return RecallView(**row._mapping, do_not_hand_over=orders)


def _coverage(session: Session, view: RecallView) -> int:
    """Of the units that the ledger says were taken for orders, the percentage that is found on orders."""
    taken = (
        select(func.coalesce(-func.sum(col(BatchMovement.units)), 0))
        .join(StockMovement, col(StockMovement.id) == col(BatchMovement.movement_id))
        .where(
            col(BatchMovement.batch_id) == view.batch_id,
            col(StockMovement.reason).in_((StockReason.SALE, StockReason.CANCEL, StockReason.SWAP)),
        )
    )
    units = int(session.execute(taken).scalar_one())
    return 100 * view.units // units if units else 100


def _rows(session: Session, view: RecallView) -> Iterator[Sequence[object]]:
    columns = (
        col(Order.number),
        col(Order.created_at),
        col(Order.status),
        col(LineBatch.units),
        col(LineBatch.read_at),
        col(Order.customer_name),
        col(Order.delivery_address),
        col(Order.contact_phone),
        col(Order.customer_email),
    )
    sku = session.execute(select(col(Product.sku)).where(col(Product.id) == view.product_id)).scalar_one()
    found = _ORDERED.with_only_columns(*columns).where(col(LineBatch.batch_id) == view.batch_id)
    for number, placed_at, status, units, read_at, *rest in session.execute(found.order_by(col(Order.number))):
        recalled = (view.product, sku, view.code, clock.iso(view.recalled_at), view.reason)
        read = clock.iso(read_at) if read_at else ""
        yield (*recalled, number, clock.iso(placed_at), status.value, units, read, *rest)
