"""All orders, as staff find, change and delete them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, UnaryExpression, func, inspect, literal, select
from sqlalchemy.orm import joinedload, selectinload
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import NotFound
from marketplace_app.limits import MAX_PAGE_SIZE, MAX_UNPAGED_ORDERS
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.models import AuditEntry, Order, OrderLegalRecord, OrderLine, OrderStatus, Permission, Ticket, User
from marketplace_app.models.base import related
from marketplace_app.schemas.admin.orders import (
    ActorView,
    AdminOrder,
    AdminOrderPage,
    AdminOrderRow,
    AdminStatusChange,
    AuditLine,
    KeptBirthDate,
    OrderQuery,
    OrderSortKey,
    OrderTicket,
)
from marketplace_app.schemas.buying.orders import OrderView, view_of
from marketplace_app.schemas.products.products import SortDirection
from marketplace_app.services.accounts import require
from marketplace_app.services.admin.sales import IS_NOT_DELETED
from marketplace_app.services.batches import contents, swaps
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.order_batches import questions
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.search import order_search

MAX_RARE_MATCHES = 3_000
_SORTED_BY: Mapping[OrderSortKey, tuple[str, ...]] = {
    OrderSortKey.PLACED: ("created_at", "number"),
    OrderSortKey.TOTAL: ("total_cents", "number"),
    OrderSortKey.CUSTOMER: ("search_text", "number"),  # which begins with the customer's name
    OrderSortKey.STATUS: ("status", "created_at", "number"),
    OrderSortKey.NUMBER: ("number",),
}


def list_all(session: Session, actor: User | None, query: OrderQuery) -> AdminOrderPage:
    """One page of the table, the number of matches, and the number that each status would show."""
    require(actor, Permission.SEE_ORDERS)
    counts = _count(session, query)
    total = _total(query, counts)
    return AdminOrderPage(_rows(session, query, total) if total else (), total, counts)


def list_latest(session: Session, actor: User | None, count: int) -> tuple[AdminOrderRow, ...]:
    """The newest few, without counting the rest."""
    require(actor, Permission.SEE_ORDERS)
    return _rows(session, OrderQuery(limit=count), 0)


def list_with_details(session: Session, actor: User | None, query: OrderQuery) -> tuple[int, tuple[OrderView, ...]]:
    """The number of matches, and one page of them with all details."""
    require(actor, Permission.SEE_ORDERS)
    total = _total(query, _count(session, query))
    page = _page(query, total).subquery()
    statement = (
        select(Order)
        .join(page, page.c.number == col(Order.number))
        .order_by(*_sorting(query, inspect(Order).columns))
        .options(
            selectinload(related(Order.lines)),
            selectinload(related(Order.history)),
            joinedload(related(Order.delivery)),
        )
    )
    listed = session.execute(statement).scalars().all()
    return total, tuple(view_of(order) for order in listed)


def get(session: Session, actor: User | None, order_id: str) -> AdminOrder:
    """One order, who did what to it and, for those who may see them, its audit trail and tickets. Raises NotFound."""
    staff = require(actor, Permission.SEE_ORDERS)
    sees_legal_record = staff.may(Permission.EDIT_ORDERS)
    # Loads the legal record with the order: most orders have none, but finding that out would be another statement.
    order = session.get(
        Order, order_id, options=[joinedload(related(Order.legal_record))] if sees_legal_record else None
    )
    if order is None or order.deleted_at is not None:
        raise NotFound(ORDER_NOT_FOUND)
    entries = _audit_of(session, order) if staff.may(Permission.SEE_AUDIT) else ()
    actors = {each.actor_id for each in order.history} | {each.actor_id for each in entries}
    users = _users(session, actors | {order.user_id})
    batches = contents.of_order(session, order_id)
    # Only orders with batches have questions. A cancelled one may have had batches, but has given them back.
    may_have_questions = bool(batches) or order.is_cancelled
    tickets = _tickets_about(session, order) if staff.may(Permission.SEE_TICKETS) else ()
    return AdminOrder(
        order=view_of(order),
        customer=users[order.user_id],
        batches=batches,
        wish=swaps.wish_of(order),
        questions=questions.of_order(session, order_id) if may_have_questions else (),
        history=tuple(
            AdminStatusChange(
                from_status=each.from_status,
                to_status=each.to_status,
                at=each.created_at,
                by=users.get(each.actor_id or 0),
                is_by_hand=each.is_by_hand,
            )
            for each in order.history
        ),
        audit=tuple(
            AuditLine(at=each.created_at, action=each.action, by=users.get(each.actor_id or 0), details=each.details)
            for each in entries
        ),
        tickets=tickets,
        birth_date=_kept_birth_date(order.legal_record) if sees_legal_record else None,
    )


def delete(session: Session, actor: User | None, order_id: str) -> None:
    """Remove an order from every list and sum; its row stays (RULE order-delete). Raises NotFound, OwnOrder.

    An order that is neither delivered nor cancelled is cancelled first, since nobody will deliver what is in no list:
    its stock, credit and one-time discounts are returned. A delivered order keeps its stock and the credit it earned.
    """
    staff = require(actor, Permission.DELETE_ORDERS)
    order, customer = fulfilment.lock_order(session, order_id)
    before = order.status
    if before is not OrderStatus.DELIVERED:
        fulfilment.require_no_conflict_of_interest(staff, order, OrderStatus.CANCELLED)
        fulfilment.change_status(session, staff, order, customer, OrderStatus.CANCELLED)
    order.deleted_at = clock.now()
    session.add(order)
    audit_log.append(session, staff, "order.deleted", f"order:{order.id}", number=order.number, status=before.value)
    for topic in (live.user(order.user_id), live.STAFF):
        announcements.publish(session, topic)


def conditions(query: OrderQuery, *, with_status: bool = True) -> list[ColumnElement[bool]]:
    """What an order must meet to match the query. Days are in the store's time zone."""
    timezone = get_settings().timezone
    clauses: list[ColumnElement[bool]] = [IS_NOT_DELETED]
    if query.q.strip():
        clauses.append(order_search.matching(query.q))
    if with_status and query.status:
        clauses.append(col(Order.status).in_(query.status))
    if query.placed_from is not None:
        clauses.append(col(Order.created_at) >= clock.start_of_day(query.placed_from, timezone))
    if query.placed_to is not None:
        clauses.append(col(Order.created_at) < clock.start_of_day(query.placed_to + timedelta(days=1), timezone))
    if query.min_total is not None:
        clauses.append(col(Order.total_cents) >= literal(query.min_total, BigInteger))
    if query.max_total is not None:
        clauses.append(col(Order.total_cents) <= literal(query.max_total, BigInteger))
    return clauses


def _kept_birth_date(record: OrderLegalRecord | None) -> KeptBirthDate | None:
    if record is None or record.birth_date is None or record.keep_days is None:
        return None
    return KeptBirthDate(record.birth_date, record.keep_days)


def _audit_of(session: Session, order: Order) -> Sequence[AuditEntry]:
    lines = select(AuditEntry).where(col(AuditEntry.subject) == f"order:{order.id}").order_by(col(AuditEntry.id))
    return session.execute(lines).scalars().all()


def _tickets_about(session: Session, order: Order) -> tuple[OrderTicket, ...]:
    columns = (col(Ticket.id), col(Ticket.subject), col(Ticket.status), col(Ticket.created_at))
    statement = select(*columns).where(col(Ticket.order_id) == order.id).order_by(col(Ticket.created_at).desc())
    return tuple(OrderTicket(*row) for row in session.execute(statement.limit(MAX_PAGE_SIZE)))


def _users(session: Session, ids: set[int | None]) -> dict[int, ActorView]:
    statement = select(User).where(col(User.id).in_(ids - {None}))
    return {user.id: _actor_view(user) for user in session.execute(statement).scalars()}


def _actor_view(user: User) -> ActorView:
    """Staff are shown with the verified email, because the profile's can be edited."""
    return ActorView(id=user.id, name=user.full_name, email=user.verified_email if user.is_staff else user.email)


def _count(session: Session, query: OrderQuery) -> dict[OrderStatus, int]:
    """In one pass over the index that fits the conditions; with GROUP BY, SQLite would choose another index."""
    counts = [func.count().filter(col(Order.status) == status) for status in OrderStatus]
    found = session.execute(select(*counts).where(*conditions(query, with_status=False))).one()
    return dict(zip(OrderStatus, found, strict=True))


def _total(query: OrderQuery, counts: Mapping[OrderStatus, int]) -> int:
    """The number of matches. A status that the query names twice counts once."""
    return sum(counts[status] for status in set(query.status or OrderStatus))


def _page(query: OrderQuery, total: int) -> Select[Any]:
    """Selects only the order numbers of one page, so that earlier pages are skipped within an index.

    A search with few matches is run in full, on the index that holds its text, and then sorted. Everything else is left
    to the databases, which scan the index of the sort order and soon have a page.
    """
    names = ("number", "status", "created_at", "total_cents", "search_text")
    found = select(*[col(getattr(Order, name)) for name in names]).where(*conditions(query))
    is_rare = bool(query.q.strip()) and total <= MAX_RARE_MATCHES
    source = found.cte("found").prefix_with("MATERIALIZED") if is_rare else found.subquery("found")
    page = select(source.c.number).order_by(*_sorting(query, source.c))
    return page.limit(query.limit or MAX_UNPAGED_ORDERS).offset(query.offset)


def _sorting(query: OrderQuery, columns: Any) -> list[UnaryExpression[Any]]:
    wanted = [columns[name] for name in _SORTED_BY[query.sort]]
    return [each.asc() if query.order is SortDirection.ASCENDING else each.desc() for each in wanted]


def _rows(session: Session, query: OrderQuery, total: int) -> tuple[AdminOrderRow, ...]:
    page = _page(query, total).subquery()
    quantity = (
        select(func.coalesce(func.sum(col(OrderLine.quantity)), 0))
        .where(col(OrderLine.order_id) == col(Order.id))
        .correlate(Order)
        .scalar_subquery()
    )
    columns: tuple[Any, ...] = (
        Order.id,
        Order.number,
        Order.customer_name,
        Order.customer_email,
        Order.created_at,
        quantity,
        Order.total_cents,
        Order.status,
        Order.delivery_address,
    )
    listed = select(*columns).join(page, page.c.number == col(Order.number))
    rows = session.execute(listed.order_by(*_sorting(query, inspect(Order).columns)))
    return tuple(AdminOrderRow(*row) for row in rows)
