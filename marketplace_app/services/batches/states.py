"""Whether a batch may be sold, and if not, why (RULE batch-states)."""

from datetime import date

from sqlalchemy import BindParameter, ColumnElement, and_, or_
from sqlmodel import col

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import Batch, BatchState


def today() -> date:
    return clock.today(get_settings().timezone)


def state_of(batch: Batch, day: date) -> BatchState:
    """The gravest state that applies."""
    if batch.recalled_at is not None:
        return BatchState.RECALLED
    if batch.hold_reason:
        return BatchState.HELD
    if not batch.is_approved:
        return BatchState.NOT_APPROVED
    if batch.expires_on is not None and batch.expires_on < day:
        return BatchState.EXPIRED
    return BatchState.FOR_SALE


def is_expired(day: date) -> ColumnElement[bool]:
    return col(Batch.expires_on) < day


def is_for_sale(day: date | BindParameter[date]) -> ColumnElement[bool]:
    return and_(
        col(Batch.recalled_at).is_(None),
        col(Batch.hold_reason) == "",
        col(Batch.is_approved),
        or_(col(Batch.expires_on).is_(None), col(Batch.expires_on) >= day),
    )
