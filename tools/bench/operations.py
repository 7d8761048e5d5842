"""What an owner asks of the admin pages' services: every list, search and overview."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.models import Order, User
from marketplace_app.schemas.account.invitations import InvitationQuery
from marketplace_app.schemas.admin.audit import AuditQuery
from marketplace_app.schemas.admin.orders import OrderQuery
from marketplace_app.schemas.admin.products import AdminProductQuery
from marketplace_app.schemas.admin.statistics import SpanQuery
from marketplace_app.schemas.admin.users import UserQuery
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.tickets import TicketQuery
from marketplace_app.services.account import invitations
from marketplace_app.services.admin import audit, dashboard, statistics
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.admin import products as admin_products
from marketplace_app.services.admin import users as admin_users
from marketplace_app.services.support import tickets

Operation = Callable[[Session, User], Any]
SPANS = (7, 30, 90)
"""Days of a report."""
PAGE = {"limit": 25}


def operations(*, products: int, orders: int) -> list[tuple[str, Operation]]:
    """Each with its name. `products` and `orders` say how many there are, and so where their lists end."""
    order = db.read(_some_order)
    return [
        ("orders", _orders()),
        ("orders, last page", _orders(offset=_last_offset(orders))),
        *[(f"orders by {sort}", _orders(sort=sort)) for sort in ("total", "customer", "status", "number")],
        ("orders, pending", _orders(status=["pending"])),
        ("orders over $500", _orders(minTotal="500.00")),
        *_order_searches(order),
        ("100 whole orders", lambda s, a: admin_orders.list_with_details(s, a, parse(OrderQuery, {"limit": 100}))),
        ("one order", lambda s, a: admin_orders.get(s, a, order.id)),
        ("figures of all time", statistics.totals),
        ("what needs a look", statistics.needs_attention),
        *[(f"report of {days} days", report_of(days)) for days in SPANS],
        ("users", _people()),
        *[(f"users by {sort}", _people(sort=sort)) for sort in ("name", "spent", "orders")],
        ("users, search", _people(q="nora lind")),
        ("users, a thousand", lambda s, a: admin_users.list_all(s, a, parse(UserQuery, {}))),
        ("one user", lambda s, a: admin_users.get(s, a, order.user_id)),
        ("products", _catalogue()),
        *[(f"products by {sort}", _catalogue(sort=sort)) for sort in ("stock", "price", "updated")],
        ("products, last page", _catalogue(offset=_last_offset(products))),
        ("products, search: common", _catalogue(q="cedar")),
        ("products, search", _catalogue(q="fern hollow")),
        ("products, segments", lambda s, a: admin_products.count_segments(s, a, parse(AdminProductQuery, PAGE))),
        ("tickets", lambda s, a: tickets.list_all(s, a, parse(TicketQuery, PAGE))),
        ("invitations", lambda s, a: invitations.list_all(s, a, parse(InvitationQuery, PAGE))),
        ("open tickets", lambda s, a: tickets.list_all(s, a, parse(TicketQuery, PAGE | {"status": "open"}))),
        ("what waits on the overview", dashboard.count_pending),
        ("audit trail", lambda s, a: audit.list_entries(s, a, parse(AuditQuery, PAGE))),
    ]


def _some_order(session: Session) -> Order:
    """The 500th newest, or the oldest if there are fewer."""
    newest = select(Order).order_by(col(Order.number).desc()).limit(500)
    found: Sequence[Order] = session.execute(newest).scalars().all()
    return found[-1]


def _order_searches(order: Order) -> list[tuple[str, Operation]]:
    words = {
        "number": str(order.number),
        "start of id": order.id[:8],
        "end of id": order.id[-8:],
        "name": order.customer_name,
        "email": order.customer_email,
        "phone": order.contact_phone,
        "a common word": "nora",
        "a word in all": "example",
        "a word in none": "zzzzzz",
    }
    return [(f"orders, search: {what}", _orders(q=query)) for what, query in words.items()]


def _orders(**query: Any) -> Operation:
    asked = parse(OrderQuery, PAGE | query)
    return lambda session, actor: admin_orders.list_all(session, actor, asked)


def _people(**query: Any) -> Operation:
    asked = parse(UserQuery, PAGE | query)
    return lambda session, actor: admin_users.list_all(session, actor, asked)


def _catalogue(**query: Any) -> Operation:
    asked = parse(AdminProductQuery, PAGE | query)
    return lambda session, actor: admin_products.list_products(session, actor, asked)


def _last_offset(count: int) -> int:
    return max(0, count - PAGE["limit"])


def report_of(days: int) -> Operation:
    return lambda session, actor: statistics.report(session, actor, SpanQuery(days=days))
