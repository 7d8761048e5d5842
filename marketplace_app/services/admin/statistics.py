"""What the shop sold, of all time and in a span of days (RULE statistics), and what needs attention."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from heapq import nsmallest
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import case, func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.config import get_settings
from marketplace_app.limits import LATE_AFTER, TOP_PRODUCTS
from marketplace_app.models import (
    LabReport,
    Order,
    OrderStatus,
    Permission,
    Product,
    Role,
    Ticket,
    TicketPriority,
    TicketStatus,
    User,
)
from marketplace_app.schemas.admin.statistics import (
    Buyers,
    NeedsAttention,
    Report,
    Sales,
    Span,
    SpanQuery,
    TopProduct,
    Totals,
)
from marketplace_app.services import legal_texts
from marketplace_app.services.accounts import require
from marketplace_app.services.admin import sales, tax_report
from marketplace_app.services.admin.products import IS_LOW
from marketplace_app.services.admin.sales import IS_NOT_DELETED, IS_SOLD, Hour, UnitsAndCents
from marketplace_app.services.products import products
from marketplace_app.services.records import audit_log

IS_CUSTOMER = (col(User.role) == Role.CUSTOMER) & col(User.deleted_at).is_(None)

_REPORTS: VersionedCache[Report] = VersionedCache(max_size=16)
_UNTESTED: VersionedCache[int] = VersionedCache(max_size=4)


def totals(session: Session, actor: User | None) -> Totals:
    """Sums of all time."""
    require(actor, Permission.SEE_DASHBOARD)
    columns = (col(Order.status), func.count(), func.sum(col(Order.total_cents)))
    grouped = session.execute(select(*columns).where(IS_NOT_DELETED).group_by(col(Order.status)))
    found = {status: Sales(orders=count, revenue_cents=int(cents)) for status, count, cents in grouped}
    nothing = Sales(orders=0, revenue_cents=0)
    sold = [each for status, each in found.items() if status is not OrderStatus.CANCELLED]
    return Totals(
        total_orders=sum(each.orders for each in sold),
        total_revenue_cents=sum(each.revenue_cents for each in sold),
        collected_revenue_cents=found.get(OrderStatus.DELIVERED, nothing).revenue_cents,
        pending_orders=found.get(OrderStatus.PENDING, nothing).orders,
        total_customers=session.execute(select(func.count()).select_from(User).where(IS_CUSTOMER)).scalar_one(),
    )


def report(session: Session, actor: User | None, query: SpanQuery) -> Report:
    """Sales of a span of days, compared with as many days before it.

    Cached until the audit trail grows, as it does with every change of an order.
    """
    require(actor, Permission.SEE_DASHBOARD)
    timezone = get_settings().timezone
    span = query.span(clock.today(timezone))
    key = str(session.get_bind().engine.url), span, timezone.key
    return _REPORTS.get(key, audit_log.head(session), lambda: _report(session, span, timezone))


def _report(session: Session, span: Span, timezone: ZoneInfo) -> Report:
    placed = sales.load_placed(session, span, timezone)
    sold = [hour for hour in placed.hours if hour.is_sold]
    return Report(
        span=span,
        total=_sum(sold),
        before=sales.total(session, span.before, timezone),
        days=_by_day(span, sold),
        hours=_by_hour(sold),
        statuses={status: sum(each.orders for each in placed.hours if each.status is status) for status in OrderStatus},
        top_products=_top_products(session, placed.products),
        buyers=_buyers(session, *sales.bounds(span, timezone)),
        taxes=tax_report.add_up(session, span, timezone),
    )


def new_customers(session: Session, actor: User | None, query: SpanQuery) -> int:
    """The number of customers who joined within the span."""
    require(actor, Permission.SEE_DASHBOARD)
    timezone = get_settings().timezone
    start, end = sales.bounds(query.span(clock.today(timezone)), timezone)
    return _count(session, User, IS_CUSTOMER, col(User.created_at) >= start, col(User.created_at) < end)


def needs_attention(session: Session, actor: User | None) -> NeedsAttention:
    staff = require(actor, Permission.SEE_DASHBOARD)
    is_late = (col(Order.status) == OrderStatus.PENDING) & (col(Order.created_at) < clock.now() - LATE_AFTER)
    is_urgent = (col(Ticket.priority) == TicketPriority.URGENT) & (col(Ticket.status) == TicketStatus.OPEN)
    return NeedsAttention(
        late_pending_orders=_count(session, Order, IS_NOT_DELETED, is_late),
        low_stock_products=_count(session, Product, IS_LOW),
        urgent_tickets=_count(session, Ticket, is_urgent),
        untested_products=_untested(session, actor),
        unwritten_legal_pages=legal_texts.count_unwritten(session) if staff.may(Permission.EDIT_SETTINGS) else 0,
    )


def _untested(session: Session, actor: User | None) -> int:
    """The number of active products without a lab report. Cached until the catalogue changes."""
    untested = ~select(col(LabReport.id)).where(col(LabReport.product_id) == col(Product.id)).exists()
    return _UNTESTED.get(
        str(session.get_bind().engine.url),
        products.version(session, actor),
        lambda: _count(session, Product, col(Product.is_active), untested),
    )


def _count(session: Session, table: type[Any], *conditions: Any) -> int:
    return int(session.execute(select(func.count()).select_from(table).where(*conditions)).scalar_one())


def _sum(hours: Iterable[Hour]) -> Sales:
    listed = list(hours)
    return Sales(orders=sum(each.orders for each in listed), revenue_cents=sum(each.cents for each in listed))


def _by_day(span: Span, sold: list[Hour]) -> tuple[tuple[date, Sales], ...]:
    by_day: dict[date, list[Hour]] = {day: [] for day in span.days()}
    for hour in sold:
        by_day[hour.at.date()].append(hour)
    return tuple((day, _sum(hours)) for day, hours in by_day.items())


def _by_hour(sold: list[Hour]) -> tuple[int, ...]:
    counts = [0] * 24
    for hour in sold:
        counts[hour.at.hour] += hour.orders
    return tuple(counts)


def _top_products(session: Session, sold: Mapping[int, UnitsAndCents]) -> tuple[TopProduct, ...]:
    def rank(product_id: int) -> tuple[int, int]:
        _, cents = sold[product_id]
        return -cents, product_id

    best = nsmallest(TOP_PRODUCTS, sold, key=rank)
    rows = session.execute(select(col(Product.id), col(Product.name)).where(col(Product.id).in_(best)))
    names = {row.id: row.name for row in rows}
    return tuple(
        TopProduct(product_id=each, name=names[each], quantity=sold[each][0], revenue_cents=sold[each][1])
        for each in best
    )


def _buyers(session: Session, start: datetime, end: datetime) -> Buyers:
    placed_at, is_within = col(Order.created_at), (col(Order.created_at) >= start) & (col(Order.created_at) < end)
    buyers = (
        select(func.min(placed_at).label("first_at"), func.max(case((is_within, 1), else_=0)).label("is_buyer"))
        .where(IS_NOT_DELETED, IS_SOLD)
        .group_by(col(Order.user_id))
        .subquery()
    )
    is_first = buyers.c.first_at >= start
    counted = select(func.count(), func.count().filter(is_first)).select_from(buyers).where(buyers.c.is_buyer == 1)
    everybody, first = session.execute(counted).one()
    return Buyers(first=first, returning=everybody - first)
