"""Cash from the door to the bank: one ledger of movements, and the shifts of drivers (RULE cash-ledger)."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, Relationship, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_CASH_NOTE, MAX_COUNTS_A_SHIFT, MAX_SLIP_NUMBER
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of


class CashAccount(StrEnum):
    """Where cash is. The amounts of all accounts add up to 0."""

    CUSTOMERS = "customers"
    """Where cash comes from. Its balance is negative: what customers have paid for delivered orders, and the change
    that they keep as credit."""
    DRIVER = "driver"
    DESK = "desk"
    SAFE = "safe"
    BANK = "bank"
    VARIANCE = "variance"
    """Cash that was found missing (positive) or in excess (negative) when it was counted."""
    BEFORE_LEDGER = "before"
    """Cash that was paid before the store kept this ledger."""


class CashReason(StrEnum):
    TAKEN = "taken"
    """For a delivered order."""
    RETURNED = "returned"
    """The order is not delivered after all."""
    CHANGE_KEPT = "change_kept"
    """The customer gets it as store credit."""
    CHANGE_RETURNED = "change_returned"
    """The order is not delivered after all, so the kept change goes back too."""
    FLOAT = "float"
    """What a driver begins a shift with."""
    HANDED_IN = "handed_in"
    SHORTAGE = "shortage"
    SURPLUS = "surplus"
    DROP = "drop"
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    REFILL = "refill"
    CORRECTION = "correction"
    """A count of the desk or the safe found another amount."""
    PAID_BEFORE_LEDGER = "before"
    """For an order that was paid before the store kept this ledger."""


def _transfers() -> tuple[str, ...]:
    a, r = CashAccount, CashReason
    allowed = (
        (r.TAKEN, a.CUSTOMERS, a.DRIVER),
        (r.TAKEN, a.CUSTOMERS, a.DESK),
        (r.RETURNED, a.DRIVER, a.CUSTOMERS),
        (r.RETURNED, a.DESK, a.CUSTOMERS),
        (r.RETURNED, a.BEFORE_LEDGER, a.CUSTOMERS),
        (r.CHANGE_KEPT, a.CUSTOMERS, a.DRIVER),
        (r.CHANGE_RETURNED, a.DRIVER, a.CUSTOMERS),
        (r.CHANGE_RETURNED, a.DESK, a.CUSTOMERS),
        (r.FLOAT, a.DESK, a.DRIVER),
        (r.FLOAT, a.SAFE, a.DRIVER),
        (r.HANDED_IN, a.DRIVER, a.DESK),
        (r.SHORTAGE, a.DRIVER, a.VARIANCE),
        (r.SURPLUS, a.VARIANCE, a.DRIVER),
        (r.DROP, a.DESK, a.SAFE),
        (r.DEPOSIT, a.SAFE, a.BANK),
        (r.WITHDRAWAL, a.BANK, a.SAFE),
        (r.REFILL, a.SAFE, a.DESK),
        (r.CORRECTION, a.DESK, a.VARIANCE),
        (r.CORRECTION, a.SAFE, a.VARIANCE),
        (r.CORRECTION, a.VARIANCE, a.DESK),
        (r.CORRECTION, a.VARIANCE, a.SAFE),
        (r.CORRECTION, a.BEFORE_LEDGER, a.DESK),
        (r.CORRECTION, a.BEFORE_LEDGER, a.SAFE),
        (r.PAID_BEFORE_LEDGER, a.CUSTOMERS, a.BEFORE_LEDGER),
    )
    return tuple(f"{reason} {source}>{destination}" for reason, source, destination in allowed)


TRANSFERS = _transfers()
"""Every way that cash moves, and for which reason: `drop desk>safe`. The database allows no other."""
FOR_ORDERS = ("taken", "returned", "change_kept", "change_returned", "before")
"""The reasons of movements that belong to an order."""


class DriverShift(SQLModel, table=True):
    """From the first cash that a driver carries until it is counted. A driver has at most one open shift.

    A closed shift never changes. Unless its difference is 0, it has a reason and a witness.
    """

    __tablename__ = "driver_shifts"
    __table_args__ = (
        CheckConstraint(
            "(closed_at IS NULL) = (closed_by_id IS NULL) AND (closed_at IS NULL) = (difference_cents IS NULL)",
            name="end_is_whole",
        ),
        CheckConstraint(
            "CASE WHEN difference_cents IS NULL THEN witness_id IS NULL"
            " ELSE difference_cents = 0 OR (reason <> '' AND witness_id IS NOT NULL) END",
            name="difference_is_explained",
        ),
        CheckConstraint("witness_id <> closed_by_id", name="witness_is_another"),
        CheckConstraint(f"length(reason) <= {MAX_CASH_NOTE}", name="reason_length"),
        Index(
            "uq_driver_shifts_open",
            "driver_id",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
        Index("ix_driver_shifts_closed_at", "closed_at", "id"),
    )

    id: int = Field(default=None, primary_key=True)
    driver_id: int = Field(foreign_key="users.id", index=True)
    opened_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    opened_by_id: int = Field(foreign_key="users.id", index=True)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    closed_by_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    """Who took in the driver's cash. `counts` says who counted it."""
    witness_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    difference_cents: int | None = None
    """What was counted minus what the ledger says."""
    reason: str = ""

    counts: list["ShiftCount"] = Relationship(sa_relationship_kwargs={"order_by": "ShiftCount.number"})


class ShiftCount(SQLModel, table=True):
    """What somebody counted, without having seen what is expected. Never changed or removed."""

    __tablename__ = "shift_counts"
    __table_args__ = (
        UniqueConstraint("shift_id", "number"),
        CheckConstraint(f"number BETWEEN 1 AND {MAX_COUNTS_A_SHIFT}", name="number_range"),
        CheckConstraint("counted_cents >= 0", name="counted_not_negative"),
    )

    id: int = Field(default=None, primary_key=True)
    shift_id: int = Field(foreign_key="driver_shifts.id")
    number: int
    """1, and 2 for the recount."""
    pieces: dict[str, Any] = Field(sa_type=JSON)
    """How many of each bill and coin, by its value in cents."""
    counted_cents: int
    counted_by_id: int = Field(foreign_key="users.id", index=True)
    counted_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class CashMovement(SQLModel, table=True):
    """Cash that went from one account to another. Never changed or removed: a mistake is undone by another
    movement."""

    __tablename__ = "cash_movements"
    __table_args__ = (
        one_of("from_account", CashAccount),
        one_of("to_account", CashAccount),
        one_of("reason", CashReason),
        CheckConstraint("cents > 0", name="cents_positive"),
        CheckConstraint(
            f"reason || ' ' || from_account || '>' || to_account IN ({', '.join(map(repr, TRANSFERS))})",
            name="transfer_known",
        ),
        CheckConstraint(
            "(from_account = 'driver' OR to_account = 'driver') = (shift_id IS NOT NULL)", name="driver_has_shift"
        ),
        CheckConstraint(
            f"(reason IN ({', '.join(map(repr, FOR_ORDERS))})) = (order_id IS NOT NULL)", name="order_given"
        ),
        CheckConstraint("(reason = 'before') = (actor_id IS NULL)", name="actor_given"),
        CheckConstraint("(reason IN ('deposit', 'withdrawal')) = (slip_number <> '')", name="slip_given"),
        CheckConstraint("reason <> 'correction' OR note <> ''", name="correction_explained"),
        CheckConstraint("witness_id <> actor_id", name="witness_is_another"),
        CheckConstraint(f"length(note) <= {MAX_CASH_NOTE}", name="note_length"),
        CheckConstraint(f"length(slip_number) <= {MAX_SLIP_NUMBER}", name="slip_length"),
        # Balances are summed from this index alone.
        Index("ix_cash_movements_accounts", "from_account", "to_account", "cents"),
        Index("ix_cash_movements_shift_id", "shift_id", "from_account", "cents"),
    )

    id: int = Field(default=None, primary_key=True)
    from_account: CashAccount = Field(sa_type=TextEnum(CashAccount))
    to_account: CashAccount = Field(sa_type=TextEnum(CashAccount))
    cents: int
    reason: CashReason = Field(sa_type=TextEnum(CashReason))
    order_id: str | None = Field(default=None, foreign_key="orders.id", index=True)
    shift_id: int | None = Field(default=None, foreign_key="driver_shifts.id")
    """The driver's shift, if the cash came from or went to a driver."""
    actor_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    witness_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    slip_number: str = ""
    """The number on the bank's slip for a deposit or a withdrawal."""
    note: str = ""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
