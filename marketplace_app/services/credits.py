"""Referral credit."""

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.models import CreditEntry


def balance(session: Session, user_id: int) -> int:
    """Cents that can be spent: the sum of the ledger."""
    total = select(func.coalesce(func.sum(col(CreditEntry.amount_cents)), 0)).where(col(CreditEntry.user_id) == user_id)
    return int(session.execute(total).scalar_one())
