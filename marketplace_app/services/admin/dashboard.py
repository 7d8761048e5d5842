"""Pending work, counted for the tabs of the admin pages."""

from typing import Any

from sqlalchemy import Select, func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.models import (
    Counter,
    Invitation,
    InvitationStatus,
    Order,
    OrderStatus,
    Permission,
    Ticket,
    TicketStatus,
    User,
)
from marketplace_app.schemas.admin.dashboard import PendingCounts
from marketplace_app.services.accounts import require_staff
from marketplace_app.services.records import counters


def count_pending(session: Session, actor: User | None) -> PendingCounts:
    staff = require_staff(actor)

    def number_if_allowed(permission: Permission, statement: Select[Any]) -> int:
        return int(session.execute(statement).scalar_one()) if staff.may(permission) else 0

    return PendingCounts(
        pending_orders=number_if_allowed(Permission.SEE_ORDERS, _pending_orders()),
        open_invitations=number_if_allowed(Permission.SEE_INVITATIONS, _open_invitations()),
        open_tickets=number_if_allowed(Permission.SEE_TICKETS, _open_tickets()),
        last_order_number=number_if_allowed(Permission.SEE_ORDERS, _last_order_number()),
    )


def _pending_orders() -> Select[Any]:
    return select(func.count()).where(col(Order.status) == OrderStatus.PENDING, col(Order.deleted_at).is_(None))


def _last_order_number() -> Select[Any]:
    """The highest number so far; before the first order, the start of the counter.

    Open admin pages take its growth for the number of new orders (`assets/admin.js`), so it does not start at 0.
    """
    start = select(col(Counter.value)).where(col(Counter.name) == counters.ORDER_NUMBER).scalar_subquery()
    return select(func.coalesce(func.max(col(Order.number)), start))


def _open_invitations() -> Select[Any]:
    is_open = (col(Invitation.status) == InvitationStatus.PENDING) & (col(Invitation.expires_at) > clock.now())
    return select(func.count()).select_from(Invitation).where(is_open)


def _open_tickets() -> Select[Any]:
    return select(func.count()).select_from(Ticket).where(col(Ticket.status) == TicketStatus.OPEN)
