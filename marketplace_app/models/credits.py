"""Store credit: a ledger whose sum is what a user can spend (RULE credit-ledger)."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of


class CreditReason(StrEnum):
    REFERRAL = "referral"
    REVERSAL = "reversal"
    SPENT = "spent"
    REFUND = "refund"
    ADJUSTMENT = "adjustment"
    CHANGE = "change"
    """Change that a customer was due at the door, and keeps as credit."""
    CHANGE_RETURNED = "change_returned"
    """Such change, given back in cash: it is no longer credit."""


class CreditEntry(SQLModel, table=True):
    __tablename__ = "credit_entries"
    __table_args__ = (
        one_of("reason", CreditReason),
        CheckConstraint("amount_cents <> 0", name="amount_not_zero"),
        UniqueConstraint("order_id", "user_id", "reason", "sequence"),
    )

    id: int = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    amount_cents: int
    reason: CreditReason = Field(sa_type=TextEnum(CreditReason))
    order_id: str | None = Field(default=None, foreign_key="orders.id")
    sequence: int = 1
    """Numbers the entries of an order for the same reason, since it may be cancelled and reopened several times."""
    note: str = ""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
