"""Slots: a window on one day with its places; and how each order is delivered."""

from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.models.base import TextEnum, UtcDateTime, one_of


class Slot(SQLModel, table=True):
    """Made when its first place is taken, with the window's times and capacity at that moment."""

    __tablename__ = "slots"
    __table_args__ = (
        UniqueConstraint("window_id", "day"),
        CheckConstraint("taken BETWEEN 0 AND capacity", name="taken_range"),
        CheckConstraint("starts_at < ends_at", name="starts_before_it_ends"),
    )

    id: int = Field(default=None, primary_key=True)
    window_id: int = Field(foreign_key="windows.id", ondelete="CASCADE")
    day: date
    """In the store's time zone."""
    starts_at: datetime = Field(sa_type=UtcDateTime)
    ends_at: datetime = Field(sa_type=UtcDateTime)
    capacity: int
    taken: int = 0
    """How many orders hold a place: they have this slot as `order_deliveries.held_slot_id`."""


class Substitution(StrEnum):
    """What a customer wants if an order is packed from another batch (RULE batch-wish)."""

    ANY = "any"
    CLOSE = "close"
    """Only a batch whose THC is close to that of the one it replaces."""
    ASK = "ask"


class OrderDelivery(SQLModel, table=True):
    """How one order is delivered, as agreed with the customer, who may move it to another time (RULE another-time).
    Changes of zones and windows do not touch it."""

    __tablename__ = "order_deliveries"
    __table_args__ = (
        CheckConstraint("length(door_pin) = 4 AND length(trim(door_pin, '0123456789')) = 0", name="door_pin_digits"),
        CheckConstraint("attempts >= 0", name="attempts_not_negative"),
        CheckConstraint("held_slot_id IS NULL OR held_slot_id = slot_id", name="holds_its_own_slot"),
        CheckConstraint("(window_starts_at IS NULL) = (window_ends_at IS NULL)", name="window_is_whole"),
        CheckConstraint("window_starts_at < window_ends_at", name="window_starts_before_it_ends"),
        one_of("substitution", Substitution),
        CheckConstraint("ready_asked_at IS NOT NULL OR ready_at IS NULL", name="asked_before_ready"),
    )

    order_id: str = Field(foreign_key="orders.id", primary_key=True, ondelete="CASCADE")
    zone_id: int | None = Field(default=None, foreign_key="zones.id", ondelete="SET NULL", index=True)
    zone_name: str
    slot_id: int | None = Field(default=None, foreign_key="slots.id", ondelete="SET NULL", index=True)
    """The slot that was chosen; None without one, and after its window was removed."""
    held_slot_id: int | None = Field(default=None, foreign_key="slots.id", ondelete="SET NULL", index=True)
    """`slot_id` again, while the order holds a place in the slot; None while the order is cancelled."""
    window_starts_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    window_ends_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    promised_by: datetime = Field(sa_type=UtcDateTime)
    door_pin: str
    """Four random digits that the customer says at the door. Shown to this customer alone (RULE door-pin)."""
    substitution: Substitution = Field(default=Substitution.ASK, sa_type=TextEnum(Substitution))
    attempts: int = 0
    """Failed attempts to deliver."""
    ready_asked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the customer was asked whether they are ready for the window (RULE ready-question)."""
    ready_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they said yes, or chose a window so near that the choice counts as yes (RULE another-time)."""
