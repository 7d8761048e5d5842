"""'Ready for your delivery?': customers are asked before their delivery window, and say yes (RULE ready-question).

Instead they can choose another time (`another_time`) or cancel the order (`own_orders.cancel`).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select, update
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.dispatch_messages import NOT_ASKED
from marketplace_app.errors import Conflict
from marketplace_app.limits import READY_ASKED_BEFORE
from marketplace_app.models import Order, OrderDelivery, User
from marketplace_app.models.base import table_of
from marketplace_app.schemas.buying.orders import OrderView, view_of
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.batches import of_orders
from marketplace_app.services.buying import fulfilment, own_orders
from marketplace_app.services.records import announcements, audit_log, outbox

MOST_AT_ONCE = 100
_ORDERS, _DELIVERIES, _USERS = table_of(Order), table_of(OrderDelivery), table_of(User)


class NotAsked(Conflict):
    code = "not_asked"
    message = NOT_ASKED


def ask(session: Session, at: datetime) -> int:
    """Ask customers whose window begins soon, once for each window of an order; returns how many, at most MOST_AT_ONCE.

    An order that somebody else is changing at this moment is left to the next time, so this waits for nobody.
    """
    due = {order.id: order for order in list_due(session, at)}
    free = select(_DELIVERIES.c.order_id).where(_DELIVERIES.c.order_id.in_(due), _is_due(at))
    claim = update(_DELIVERIES).where(_DELIVERIES.c.order_id.in_(free.with_for_update(skip_locked=True)))
    asked = session.execute(claim.values(ready_asked_at=at).returning(_DELIVERIES.c.order_id)).scalars().all()
    for order in (due[order_id] for order_id in asked):
        outbox.add(session, "ready_question", order.customer_email, order_id=order.id)
        announcements.publish(session, live.user(order.user_id))
    if asked:
        announcements.publish(session, live.STAFF)
    return len(asked)


def confirm(session: Session, actor: User | None, order_id: str) -> OrderView:
    """'Yes, I'm ready', which may be said twice. Raises NotFound, OrderAlreadyOut, NotAsked."""
    user = require_signed_in(actor)
    order = own_orders.lock_changeable(session, user, order_id)
    delivery = order.delivery
    if delivery is None or delivery.ready_asked_at is None:
        raise NotAsked()
    if delivery.ready_at is None:
        delivery.ready_at = clock.now()
        session.add(delivery)
        audit_log.append(session, user, "order.ready", f"order:{order.id}")
        for topic in (live.user(user.id), live.STAFF):
            announcements.publish(session, topic)
    return view_of(order, for_customer=True)


def is_near(starts_at: datetime, at: datetime) -> bool:
    """Whether a window begins within READY_ASKED_BEFORE of `at`. Customers who choose the window then are not asked."""
    return starts_at <= at + READY_ASKED_BEFORE


def list_due(session: Session, at: datetime) -> Sequence[Any]:
    """The orders whose customers are to be asked now, at most MOST_AT_ONCE.

    Customers who ordered when the question was already due are not asked: they have just chosen the time. Open orders
    are few, so they are found by their status.
    """
    statement = (
        select(
            _ORDERS.c.id,
            _ORDERS.c.user_id,
            _ORDERS.c.customer_email,
            _ORDERS.c.created_at,
            _DELIVERIES.c.window_starts_at,
        )
        .join(_DELIVERIES, _DELIVERIES.c.order_id == _ORDERS.c.id)
        .join(_USERS, _USERS.c.id == _ORDERS.c.user_id)
        .where(
            _ORDERS.c.status.in_(fulfilment.BEFORE_DISPATCH),
            _ORDERS.c.deleted_at.is_(None),
            _USERS.c.banned_at.is_(None),
            _USERS.c.deleted_at.is_(None),
            _is_due(at),
            ~of_orders.IS_RECALLED,
        )
        .order_by(_DELIVERIES.c.window_starts_at, _ORDERS.c.number)
    )
    rows = session.execute(statement).all()
    return [row for row in rows if not is_near(row.window_starts_at, row.created_at)][:MOST_AT_ONCE]


def _is_due(at: datetime) -> ColumnElement[bool]:
    """Not asked yet, and the window begins soon."""
    starts_at = _DELIVERIES.c.window_starts_at
    return _DELIVERIES.c.ready_asked_at.is_(None) & (starts_at > at) & (starts_at <= at + READY_ASKED_BEFORE)
