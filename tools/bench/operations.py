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


def operations() -> list[tuple[str, Operation]]:
    order = db.read(_some_order)
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
    return [
        ("orders", _orders()),
        ("orders, last page", _orders(offset=99_975)),
        *[(f"orders by {sort}", _orders(sort=sort)) for sort in ("total", "customer", "status", "number")],
        ("orders, pending", _orders(status=["pending"])),
        ("orders over $500", _orders(minTotal="500.00")),
        *[(f"orders, search: {what}", _orders(q=query)) for what, query in words.items()],
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
        ("products", lambda s, a: admin_products.list_products(s, a, parse(AdminProductQuery, {"limit": 25}))),
        *[
            (f"products by {sort}", lambda s, a, by=sort: admin_products.list_products(s, a, _products(sort=by)))
            for sort in ("stock", "price", "updated")
        ],
        ("products, last page", lambda s, a: admin_products.list_products(s, a, _products(offset=49_975))),
        ("products, search: common", lambda s, a: admin_products.list_products(s, a, _products(q="cedar"))),
        ("products, search", lambda s, a: admin_products.list_products(s, a, _products(q="fern hollow"))),
        ("products, segments", lambda s, a: admin_products.count_segments(s, a, _products())),
        ("tickets", lambda s, a: tickets.list_all(s, a, parse(TicketQuery, {"limit": 25}))),
        ("invitations", lambda s, a: invitations.list_all(s, a, parse(InvitationQuery, {"limit": 25}))),
        ("open tickets", lambda s, a: tickets.list_all(s, a, parse(TicketQuery, {"limit": 25, "status": "open"}))),
        ("what waits on the overview", dashboard.count_pending),
        ("audit trail", lambda s, a: audit.list_entries(s, a, parse(AuditQuery, {"limit": 25}))),
    ]


def _some_order(session: Session) -> Order:
    """The 500th of the newest ones, or the oldest if there are fewer."""
    newest = select(Order).order_by(col(Order.number).desc()).limit(500)
    found: Sequence[Order] = session.execute(newest).scalars().all()
    return found[-1]


def _orders(**query: Any) -> Operation:
    asked = parse(OrderQuery, {"limit": 25} | query)
    return lambda session, actor: admin_orders.list_all(session, actor, asked)


def _people(**query: Any) -> Operation:
    asked = parse(UserQuery, {"limit": 25} | query)
    return lambda session, actor: admin_users.list_all(session, actor, asked)


def _products(**query: Any) -> AdminProductQuery:
    return parse(AdminProductQuery, {"limit": 25} | query)


def report_of(days: int) -> Operation:
    return lambda session, actor: statistics.report(session, actor, SpanQuery(days=days))
