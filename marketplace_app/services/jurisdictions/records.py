"""The record that an order keeps of the rules it was judged by, and the birth date in it (RULE order-record)."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, and_, func, or_, select, update
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderLegalRecord, OrderStatus, OrderStatusChange, User
from marketplace_app.models.base import insert_rows, table_of
from marketplace_app.rule_messages import TOO_YOUNG, birth_date_reason, birth_date_required
from marketplace_app.schemas.buying.quotes import Blocker
from marketplace_app.schemas.jurisdictions.state_rules import Version
from marketplace_app.services.jurisdictions import versions

BIRTH_DATE_REQUIRED, UNDER_AGE = "birth_date_required", "under_age"
ABOUT_BIRTH_DATE = (BIRTH_DATE_REQUIRED, UNDER_AGE)
"""Codes of blockers."""
MOST_AT_ONCE = 500
_RECORDS, _ORDERS, _CHANGES = table_of(OrderLegalRecord), table_of(Order), table_of(OrderStatusChange)
_IS_KEPT = _RECORDS.c.birth_date.is_not(None)
_ENDED = tuple(status for status in OrderStatus if status.is_ended)


def reason_to_ask(version: Version | None) -> str:
    """Why the checkout asks for the date of birth; empty where it does not."""
    record = version.rules.birth_date_record if version else None
    if version is None or record is None:
        return ""
    return birth_date_reason(version.state, record.keep_days)


def blockers(version: Version, birth_date: date | None) -> tuple[Blocker, ...]:
    """Why an order cannot be placed with this birth date. For orders only: a quote does not ask for one."""
    record = version.rules.birth_date_record
    if record is None:
        return ()
    if birth_date is None:
        return (Blocker(code=BIRTH_DATE_REQUIRED, message=birth_date_required(version.state, record.keep_days)),)
    if not clock.is_of_age(birth_date, clock.today(get_settings().timezone)):
        return (Blocker(code=UNDER_AGE, message=TOO_YOUNG),)
    return ()


def write(session: Session, order_id: str, version: Version, birth_date: date | None) -> None:
    """Write an order's record. The birth date is left out unless the rules require it."""
    record = version.rules.record
    row = {
        "order_id": order_id,
        "version_id": version.id,
        "birth_date": birth_date if version.rules.birth_date_record else None,
        "keep_days": record.keep_days if record else None,
    }
    insert_rows(session, OrderLegalRecord, [row])


def find_needing_signature(session: Session, orders: Collection[Order]) -> frozenset[str]:
    """The ids of orders whose rules ask for a signature at the door. Their records must be loaded."""
    versions_of = {order.id: order.legal_record.version_id for order in orders if order.legal_record}
    rules_of = versions.rules_of(session, set(versions_of.values()))
    asking = {version_id for version_id, rules in rules_of.items() if rules.record and rules.record.asks_signature}
    return frozenset(order_id for order_id, version_id in versions_of.items() if version_id in asking)


def list_due(session: Session, at: datetime) -> Sequence[str]:
    """Orders whose birth date is not to be kept any longer: at most MOST_AT_ONCE of them."""
    kept_for = session.execute(select(_RECORDS.c.keep_days).where(_IS_KEPT).distinct()).scalars().all()
    if not kept_for:
        return ()
    statement = select(_RECORDS.c.order_id).where(_IS_KEPT, or_(*(_ended_before(at, days) for days in kept_for)))
    return session.execute(statement.limit(MOST_AT_ONCE)).scalars().all()


def erase(session: Session, order_ids: Collection[str]) -> None:
    """Erase the birth dates of orders; the rest of their records stays."""
    session.execute(update(_RECORDS).where(_RECORDS.c.order_id.in_(order_ids)).values(birth_date=None))


def erase_for(session: Session, user: User) -> None:
    own = select(_ORDERS.c.id).where(_ORDERS.c.user_id == user.id)
    session.execute(update(_RECORDS).where(_RECORDS.c.order_id.in_(own), _IS_KEPT).values(birth_date=None))


def count_birth_dates(user: User) -> ScalarSelect[int]:
    """How many of the user's orders keep a birth date, as a part of a larger statement."""
    own = _RECORDS.join(_ORDERS, _ORDERS.c.id == _RECORDS.c.order_id)
    return select(func.count()).select_from(own).where(_ORDERS.c.user_id == user.id, _IS_KEPT).scalar_subquery()


def export(session: Session, user: User) -> list[dict[str, Any]]:
    """The birth dates that are kept with the user's orders."""
    statement = (
        select(_ORDERS.c.number, _RECORDS.c.birth_date, _RECORDS.c.keep_days)
        .join(_RECORDS, _RECORDS.c.order_id == _ORDERS.c.id)
        .where(_ORDERS.c.user_id == user.id, _IS_KEPT)
        .order_by(_ORDERS.c.number)
    )
    return [
        {"orderNumber": number, "birthDate": born.isoformat(), "keptForDays": days}
        for number, born, days in session.execute(statement)
    ]


def _ended_before(at: datetime, days: int) -> ColumnElement[bool]:
    """Whether a record is kept for `days`, and its order ended at least that long ago and has stayed as it was."""
    latest = at - timedelta(days=days)
    later_changes = select(_CHANGES.c.id).where(_CHANGES.c.order_id == _ORDERS.c.id, _CHANGES.c.created_at > latest)
    ended = select(_ORDERS.c.id).where(
        _ORDERS.c.id == _RECORDS.c.order_id,
        _ORDERS.c.created_at <= latest,  # rules out most orders without looking at their changes
        _ORDERS.c.status.in_(_ENDED),
        ~later_changes.exists(),
    )
    return and_(_RECORDS.c.keep_days == days, ended.exists())
