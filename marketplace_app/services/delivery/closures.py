"""Days on which nothing is delivered."""

from collections import Counter
from collections.abc import Mapping
from datetime import date

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.delivery_messages import CLOSURE_NOT_FOUND
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.limits import MAX_CLOSURES
from marketplace_app.models import Closure, Order, OrderDelivery, OrderStatus, Permission, User
from marketplace_app.schemas.delivery.windows import ClosureForm, ClosureView
from marketplace_app.services.accounts import require
from marketplace_app.services.records import announcements, audit_log, counters


class TooManyClosures(Conflict):
    code = "too_many_closures"
    message = f"There can be at most {MAX_CLOSURES:,} closed days. Please remove one first."


def list_all(session: Session, actor: User | None) -> tuple[ClosureView, ...]:
    """The earliest first."""
    require(actor, Permission.SEE_SETTINGS)
    rows = session.execute(select(Closure).order_by(col(Closure.day))).scalars()
    return tuple(ClosureView.of(row) for row in rows)


def count_due(session: Session, actor: User | None) -> Mapping[date, int]:
    """How many open orders are still due on each closed day: they got their time before it was closed."""
    require(actor, Permission.SEE_SETTINGS)
    timezone = get_settings().timezone
    closed = set(session.execute(select(col(Closure.day))).scalars())
    if not closed:
        return {}
    starts = col(OrderDelivery.window_starts_at)
    times_of_open_orders = (
        select(starts)
        .join(Order, col(Order.id) == col(OrderDelivery.order_id))
        .where(
            starts >= clock.start_of_day(min(closed), timezone),
            col(Order.deleted_at).is_(None),
            col(Order.status).not_in([status for status in OrderStatus if status.is_ended]),
        )
    )
    days = (start.astimezone(timezone).date() for start in session.execute(times_of_open_orders).scalars())
    return Counter(day for day in days if day in closed)


def add(session: Session, actor: User | None, form: ClosureForm) -> ClosureView:
    """Close a day, or give a closed day another reason. Orders for that day keep their time. Raises TooManyClosures."""
    staff = require(actor, Permission.EDIT_DELIVERY)
    counters.lock(session, counters.SETTINGS)
    row = session.get(Closure, form.day, populate_existing=True)
    if row is not None and row.reason == form.reason:
        return ClosureView.of(row)
    if row is None and session.execute(select(func.count()).select_from(Closure)).scalar_one() >= MAX_CLOSURES:
        raise TooManyClosures()
    row = row or Closure(day=form.day)
    row.reason = form.reason
    session.add(row)
    session.flush()
    audit_log.append(session, staff, "closure.added", f"closure:{form.day}", reason=form.reason)
    announcements.publish(session, live.STAFF)
    return ClosureView.of(row)


def remove(session: Session, actor: User | None, day: str) -> None:
    """Open a day such as `2026-12-25` again. Raises NotFound, also for text that is no day."""
    staff = require(actor, Permission.EDIT_DELIVERY)
    counters.lock(session, counters.SETTINGS)
    row = session.get(Closure, _parse_day(day), populate_existing=True)
    if row is None:
        raise NotFound(CLOSURE_NOT_FOUND)
    session.delete(row)
    session.flush()
    audit_log.append(session, staff, "closure.removed", f"closure:{row.day}")
    announcements.publish(session, live.STAFF)


def _parse_day(day: str) -> date:
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise NotFound(CLOSURE_NOT_FOUND) from None
