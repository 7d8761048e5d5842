"""The taxes of the orders of a span of days, by month and component (RULE tax-report)."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, case, func, select
from sqlmodel import Session, col

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.models import JurisdictionVersion, Order, OrderLegalRecord, OrderTax, Permission, User
from marketplace_app.schemas.admin.statistics import Span, SpanQuery
from marketplace_app.schemas.admin.taxes import MonthlyTax, TaxReport
from marketplace_app.services.accounts import require
from marketplace_app.services.admin import sales
from marketplace_app.services.records import audit_log

HEADERS = ("month", "state", "code", "tax", "kind", "rate", "orders", "base", "amount")


def report(session: Session, actor: User | None, query: SpanQuery) -> TaxReport:
    """`GET /api/admin/taxes`."""
    require(actor, Permission.SEE_DASHBOARD)
    return _report(session, query)


def export(session: Session, actor: User | None, query: SpanQuery) -> tuple[Span, list[Sequence[str]]]:
    """The report as rows of a table. The export is recorded in the audit trail with its span."""
    staff = require(actor, Permission.EXPORT_ORDERS)
    found = _report(session, query)
    span = Span(found.first, found.last)
    details = {"from": span.first.isoformat(), "to": span.last.isoformat()}
    audit_log.append(session, staff, "taxes.exported", "taxes", **details)
    return span, [_row(each) for each in found.taxes]


def add_up(session: Session, span: Span, timezone: ZoneInfo) -> tuple[MonthlyTax, ...]:
    """By month (in the store's time zone), state, component and rate; cancelled orders do not count.

    Starts from the orders of the span; starting from the taxes would read all of them.
    """
    conditions = (*sales.placed_between(*sales.bounds(span, timezone)), sales.IS_SOLD)
    placed = select(col(Order.id), _month(span, timezone).label("month")).where(*conditions)
    sold = placed.cte("sold").prefix_with("MATERIALIZED")
    state = func.coalesce(col(JurisdictionVersion.state), "").label("state_of_rules")
    component = (col(OrderTax.code), col(OrderTax.label), col(OrderTax.kind), col(OrderTax.basis_points))
    sums = (
        func.count().label("orders"),
        func.sum(col(OrderTax.base_cents)).label("base_cents"),
        func.sum(col(OrderTax.amount_cents)).label("amount_cents"),
    )
    statement = (
        select(sold.c.month, state, *component, *sums)
        .select_from(sold)
        .join(OrderTax, col(OrderTax.order_id) == sold.c.id)
        .outerjoin(OrderLegalRecord, col(OrderLegalRecord.order_id) == sold.c.id)
        .outerjoin(JurisdictionVersion, col(JurisdictionVersion.id) == col(OrderLegalRecord.version_id))
        # The state by its label: PostgreSQL does not see that two expressions with parameters are the same.
        .group_by(sold.c.month, "state_of_rules", *component)
        .order_by(sold.c.month, "state_of_rules", func.min(col(OrderTax.position)), *component)
    )
    return tuple(_view(row) for row in session.execute(statement))


def _view(row: Any) -> MonthlyTax:
    return MonthlyTax(
        month=row.month,
        state=row.state_of_rules,
        code=row.code,
        label=row.label,
        kind=row.kind,
        basis_points=row.basis_points,
        orders=row.orders,
        base_cents=int(row.base_cents),
        amount_cents=int(row.amount_cents),
    )


def _report(session: Session, query: SpanQuery) -> TaxReport:
    timezone = get_settings().timezone
    span = query.span(clock.today(timezone))
    return TaxReport(first=span.first, last=span.last, taxes=add_up(session, span, timezone))


def _month(span: Span, timezone: ZoneInfo) -> ColumnElement[str]:
    """The month in which an order of the span was placed. Databases do not know the store's time zone."""
    return case(
        *[
            (col(Order.created_at) < clock.start_of_day(_next_month(first), timezone), f"{first:%Y-%m}")
            for first in _first_days(span)
        ]
    )


def _first_days(span: Span) -> Iterator[date]:
    first = span.first.replace(day=1)
    while first <= span.last:
        yield first
        first = _next_month(first)


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def _row(tax: MonthlyTax) -> Sequence[str]:
    return (
        tax.month,
        tax.state,
        tax.code,
        tax.label,
        tax.kind.value,
        money.rate(tax.basis_points),
        str(tax.orders),
        money.decimal(tax.base_cents),
        money.decimal(tax.amount_cents),
    )
