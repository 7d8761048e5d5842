"""All orders as rows of a table, in chunks, so that the memory needed does not depend on their number."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import selectinload
from sqlmodel import Session, col

from marketplace_app import clock, money
from marketplace_app.models import Order, Permission, User
from marketplace_app.models.base import related
from marketplace_app.schemas.admin.orders import OrderQuery
from marketplace_app.services.accounts import require
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.records import audit_log

EXPORT_CHUNK = 500
HEADERS = (
    "number",
    "id",
    "status",
    "placed",
    "customer",
    "email",
    "phone",
    "address",
    "items",
    "subtotal",
    "delivery fee",
    "new customer discount",
    "referral discount",
    "credit applied",
    "total",
    "payment method",
    "estimated delivery",
    "delivery instructions",
    "payment instructions",
    "promotion discount",
    "tax",
    "cash rounding",
)


@dataclass(frozen=True)
class Chunk:
    rows: tuple[Sequence[str], ...]
    next_below: int
    """`below` of the next chunk; 0 if there is none."""


def record_export(session: Session, actor: User | None, query: OrderQuery) -> None:
    """Record an export in the audit trail, with the names of its filters."""
    staff = require(actor, Permission.EXPORT_ORDERS)
    filters = sorted(query.model_fields_set - {"limit", "offset", "sort", "order"})
    audit_log.append(session, staff, "orders.exported", "orders", filters=filters)


def next_chunk(session: Session, actor: User | None, query: OrderQuery, *, below: int | None) -> Chunk:
    """The next matching orders with numbers below `below`, newest first whatever the query sorts by."""
    require(actor, Permission.EXPORT_ORDERS)
    clauses = admin_orders.conditions(query)
    if below is not None:
        clauses.append(col(Order.number) < below)
    statement = select(Order).where(*clauses).order_by(col(Order.number).desc()).limit(EXPORT_CHUNK)
    with_lines = selectinload(related(Order.lines))
    orders = session.execute(statement.options(with_lines)).scalars().all()
    is_last = len(orders) < EXPORT_CHUNK
    return Chunk(tuple(_row(order) for order in orders), 0 if is_last else orders[-1].number)


def _row(order: Order) -> Sequence[str]:
    amounts = (
        order.subtotal_cents,
        order.delivery_fee_cents,
        order.new_customer_discount_cents,
        order.referral_discount_cents,
        order.credit_applied_cents,
        order.total_cents,
    )
    # These columns were added later. They come last, so that the earlier ones keep their positions.
    added_amounts = (order.promotion_discount_cents, order.tax_cents, order.cash_rounding_cents)
    return (
        str(order.number),
        order.id,
        order.status.value,
        clock.iso(order.created_at),
        order.customer_name,
        order.customer_email,
        order.contact_phone,
        order.delivery_address,
        "; ".join(f"{line.quantity} x {line.name}" for line in order.lines),
        *[money.decimal(cents) for cents in amounts],
        order.payment_method,
        clock.iso(order.estimated_delivery_at),
        order.delivery_instructions,
        order.payment_instructions,
        *[money.decimal(cents) for cents in added_amounts],
    )
