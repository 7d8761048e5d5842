"""Orders of a span of days, added up by hour and by product (RULE statistics).

The database groups them by hour; hours become days in the store's time zone here, so that no database needs to know
time zones. Every sum is read from an index alone.

An order is delivered or cancelled within days of being placed, so the orders of older days rarely change. Hence a span
is added up in two parts, and the sums of the older part are cached until the audit trail has an entry about one of its
orders: otherwise each new order would cause months to be added up again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, func, literal_column, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.models import AuditEntry, Order, OrderLine, OrderStatus
from marketplace_app.schemas.admin.statistics import Sales, Span
from marketplace_app.services.records import audit_log
from marketplace_app.services.records.audit_log import Head

RECENT_DAYS = 7
IS_NOT_DELETED = col(Order.deleted_at).is_(None)
IS_SOLD = col(Order.status) != OrderStatus.CANCELLED


class Hour(NamedTuple):
    """All orders of one status that were placed in one hour at the store."""

    at: datetime
    status: OrderStatus
    orders: int
    cents: int

    @property
    def is_sold(self) -> bool:
        return self.status is not OrderStatus.CANCELLED


UnitsAndCents = tuple[int, int]
"""Units sold of a product, and their cents before an order's discounts. A plain tuple, because there are many."""


@dataclass(frozen=True)
class PlacedOrders:
    """What was ordered within a span."""

    hours: tuple[Hour, ...]
    products: Mapping[int, UnitsAndCents]


@dataclass(frozen=True)
class _NewestEntries:
    """By day, the newest audit entry read so far about an order placed on that day."""

    began: Head
    """The head of the audit trail when reading began. It is part of the cache's key: if reading has to begin anew, days
    without newer entries have version 0 again, and must not get the sums that were cached before."""
    read_to: Head
    """The newest entry that has been read."""
    by_day: Mapping[date, int]

    def version(self, span: Span) -> int:
        return max((entry for day, entry in self.by_day.items() if span.first <= day <= span.last), default=0)


_NEWEST_ENTRIES: dict[tuple[str, str], _NewestEntries] = {}
"""By the URL of the database and the name of the store's time zone."""
_CACHED_PARTS: VersionedCache[PlacedOrders] = VersionedCache(max_size=8)


def load_placed(session: Session, span: Span, timezone: ZoneInfo) -> PlacedOrders:
    """The sums of a span, from the cache as far as they are still right."""
    key = str(session.get_bind().engine.url), timezone.key
    # Read before the orders: a change in between is then seen by the next caller.
    entries = _read_newest_entries(session, key, timezone)

    def added_up(part: Span) -> PlacedOrders:
        cache_key = (*key, entries.began, part)
        return _CACHED_PARTS.get(cache_key, entries.version(part), lambda: _add_up(session, part, timezone))

    return _merged([added_up(part) for part in span.split(RECENT_DAYS)])


def total(session: Session, span: Span, timezone: ZoneInfo) -> Sales:
    """How many orders were sold in a span, and for how much; not from the cache."""
    columns = (func.count(), func.coalesce(func.sum(col(Order.total_cents)), 0))
    count, cents = session.execute(select(*columns).where(*placed_between(*bounds(span, timezone)), IS_SOLD)).one()
    return Sales(orders=count, revenue_cents=int(cents))


def bounds(span: Span, timezone: ZoneInfo) -> tuple[datetime, datetime]:
    """The first moment of the span and the first one after it."""
    return clock.start_of_day(span.first, timezone), clock.start_of_day(span.last + timedelta(days=1), timezone)


def placed_between(start: datetime, end: datetime) -> tuple[ColumnElement[bool], ...]:
    """The conditions for orders placed from `start` until before `end`; deleted ones do not count."""
    return IS_NOT_DELETED, col(Order.created_at) >= start, col(Order.created_at) < end


def _read_newest_entries(session: Session, key: tuple[str, str], timezone: ZoneInfo) -> _NewestEntries:
    entries, end = _NEWEST_ENTRIES.get(key), audit_log.head(session)
    if entries is None or not audit_log.contains(session, entries.read_to):
        entries = _NewestEntries(began=end, read_to=end, by_day={})
    elif end != entries.read_to:
        newer = _newest_by_day(session, entries.read_to.entry_id, timezone)
        entries = _NewestEntries(entries.began, end, {**entries.by_day, **newer})
    _NEWEST_ENTRIES[key] = entries
    return entries


def _newest_by_day(session: Session, after: int, timezone: ZoneInfo) -> dict[date, int]:
    """By day on which an order was placed, the newest audit entry about it after the entry `after`."""
    is_about_order = func.substr(col(AuditEntry.subject), len("order:") + 1) == col(Order.id)
    entries = (
        select(col(AuditEntry.id), col(Order.created_at))
        .join(Order, is_about_order)
        .where(col(AuditEntry.id) > after, col(AuditEntry.subject).startswith("order:"))
        .order_by(col(AuditEntry.id))
    )
    return {at.astimezone(timezone).date(): entry for entry, at in session.execute(entries)}


def _merged(parts: list[PlacedOrders]) -> PlacedOrders:
    hours, products = parts[0].hours, dict(parts[0].products)
    for part in parts[1:]:
        hours += part.hours
        for product, more in part.products.items():
            units, cents = products.get(product, (0, 0))
            products[product] = units + more[0], cents + more[1]
    return PlacedOrders(hours, products)


def _add_up(session: Session, span: Span, timezone: ZoneInfo) -> PlacedOrders:
    return PlacedOrders(_hours(session, span, timezone), _products(session, *bounds(span, timezone)))


def _hours(session: Session, span: Span, timezone: ZoneInfo) -> tuple[Hour, ...]:
    """By status and hour. In time zones with an offset of half an hour, hours are shifted accordingly."""
    start, end = bounds(span, timezone)
    offset = end.astimezone(timezone).utcoffset() or timedelta(0)
    shift = offset % timedelta(hours=1)
    hour = _hour(session, shift)
    columns = (hour, col(Order.status), func.count(), func.sum(col(Order.total_cents)))
    statement = select(*columns).where(*placed_between(start, end)).group_by(hour, col(Order.status))
    return tuple(
        Hour((_moment(at) - shift).astimezone(timezone), status, orders, int(cents))
        for at, status, orders, cents in session.execute(statement)
    )


def _hour(session: Session, shift: timedelta) -> ColumnElement[Any]:
    """The SQL expression for the hour in which an order was placed, by a clock that is ahead of UTC by `shift`."""
    minutes = shift // timedelta(minutes=1)
    if session.get_bind().dialect.name == "sqlite":
        text = f"datetime(created_at, '+{minutes} minutes')" if minutes else "created_at"
        return literal_column(f"substr({text}, 1, 13)")
    return literal_column(f"date_trunc('hour', created_at + interval '{minutes} minutes')")


def _moment(at: str | datetime) -> datetime:
    """The beginning of an hour, from the form in which either database returns it."""
    return datetime.fromisoformat(at).replace(tzinfo=UTC) if isinstance(at, str) else at


def _products(session: Session, start: datetime, end: datetime) -> dict[int, UnitsAndCents]:
    """Starts from the orders of the span; starting from the lines would read all lines."""
    sold = select(col(Order.id)).where(*placed_between(start, end), IS_SOLD).cte("sold").prefix_with("MATERIALIZED")
    cents = func.sum(col(OrderLine.quantity) * col(OrderLine.unit_price_cents))
    grouped = (
        select(col(OrderLine.product_id), func.sum(col(OrderLine.quantity)), cents)
        .where(col(OrderLine.order_id).in_(select(sold.c.id)))
        .group_by(col(OrderLine.product_id))
    )
    return {product: (units, cents) for product, units, cents in session.execute(grouped)}
