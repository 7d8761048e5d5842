"""Store credit: a ledger whose sum is what a user can spend (RULE credit-ledger)."""

from sqlalchemy import bindparam, func, select
from sqlmodel import Session, col

from marketplace_app.models import CreditEntry, CreditReason

# Built once, because it is run whenever a cart is read.
BALANCE = select(func.coalesce(func.sum(col(CreditEntry.amount_cents)), 0)).where(
    col(CreditEntry.user_id) == bindparam("user_id")
)
"""Cents that the user `user_id` can spend: the sum of the ledger."""


def balance(session: Session, user_id: int) -> int:
    """Cents that can be spent, entries added in this transaction included."""
    return int(session.execute(BALANCE, {"user_id": user_id}).scalar_one())


def total_for_order(session: Session, user_id: int, order_id: str, *reasons: CreditReason) -> int:
    """The sum of the entries for an order with these reasons, in cents."""
    total = select(func.coalesce(func.sum(col(CreditEntry.amount_cents)), 0)).where(
        col(CreditEntry.user_id) == user_id, col(CreditEntry.order_id) == order_id, col(CreditEntry.reason).in_(reasons)
    )
    return int(session.execute(total).scalar_one())


def add_entry(session: Session, user_id: int, cents: int, reason: CreditReason, *, order_id: str) -> None:
    """Add an entry for an order, unless the amount is 0. Entries for the same reason are numbered."""
    if not cents:
        return
    statement = select(func.count()).where(
        col(CreditEntry.user_id) == user_id, col(CreditEntry.order_id) == order_id, col(CreditEntry.reason) == reason
    )
    sequence = session.execute(statement).scalar_one() + 1
    session.add(CreditEntry(user_id=user_id, amount_cents=cents, reason=reason, order_id=order_id, sequence=sequence))


def set_balance(session: Session, user_id: int, wanted_cents: int) -> int:
    """Adjust the balance to `wanted_cents`; returns the balance before. The caller holds the user's lock."""
    before = balance(session, user_id)
    if difference := wanted_cents - before:
        session.add(CreditEntry(user_id=user_id, amount_cents=difference, reason=CreditReason.ADJUSTMENT))
    return before
