"""Delivery runs: a driver's round with its stops, and what happened at each door."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, Relationship, SQLModel

from marketplace_app.limits import MAX_VEHICLE, MAX_WRONG_PINS
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of
from marketplace_app.models.orders import Order


class StopOutcome(StrEnum):
    """How a stop ended."""

    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"
    """The order was cancelled while it was with the driver."""
    REMOVED = "removed"
    """Taken off the run; the order can be planned again."""


class FailureReason(StrEnum):
    """Why an order could not be handed over. `services.dispatch.failures` says what follows from each."""

    NOT_HOME = "not_home"
    NO_ID = "no_id"
    UNDER_21 = "under_21"
    OTHER_PERSON = "other_person"
    INTOXICATED = "intoxicated"
    SHORT_OF_CASH = "short_of_cash"
    REFUSED = "refused"
    UNSAFE = "unsafe"
    NO_SUCH_ADDRESS = "no_such_address"
    OTHER = "other"


class StopFlag(StrEnum):
    """What a dispatcher has to look at after a delivery."""

    WRONG_PIN = "wrong_pin"
    """Entered without a connection, and found to be wrong afterwards."""
    NO_PIN = "no_pin"
    """Reported from a paper run sheet on which no PIN was written down."""


class StopEventKind(StrEnum):
    ARRIVED = "arrived"
    ID_CHECKED = "id_checked"
    PIN_ENTERED = "pin_entered"
    CASH_COUNTED = "cash_counted"
    SIGNED = "signed"
    BAG_PLACED = "bag_placed"
    """With this step the order is delivered."""
    FAILED = "failed"
    RETURNED = "returned"
    """The goods of a stop that failed or was cancelled are back in the shop."""
    RELEASED = "released"
    """A dispatcher unlocked the stop or cleared its flag."""


class EventSource(StrEnum):
    PHONE = "phone"
    DISPATCH = "dispatch"
    PAPER = "paper"


class EventResult(StrEnum):
    APPLIED = "applied"
    WAITING = "waiting"
    """An earlier event of the stop has not arrived yet."""
    REFUSED = "refused"


class Run(SQLModel, table=True):
    """Planned, then out, then closed. A driver is out on one run at a time."""

    __tablename__ = "runs"
    __table_args__ = (
        CheckConstraint(f"length(vehicle) <= {MAX_VEHICLE}", name="vehicle_length"),
        CheckConstraint("departed_at IS NOT NULL OR closed_at IS NULL", name="departs_before_it_closes"),
        Index("ix_runs_day", "day", "id"),
        Index(
            "uq_runs_driver_out",
            "driver_id",
            unique=True,
            sqlite_where=text("departed_at IS NOT NULL AND closed_at IS NULL"),
            postgresql_where=text("departed_at IS NOT NULL AND closed_at IS NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    day: date
    """In the store's time zone."""
    driver_id: int = Field(foreign_key="users.id", index=True)
    vehicle: str = ""
    planned_by_id: int = Field(foreign_key="users.id", index=True)
    planned_at: datetime = Field(sa_type=UtcDateTime)
    departed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)

    stops: list["RunStop"] = Relationship(
        back_populates="run", sa_relationship_kwargs={"order_by": "(RunStop.position, RunStop.id)"}
    )

    @property
    def is_out(self) -> bool:
        return self.departed_at is not None and self.closed_at is None


class RunStop(SQLModel, table=True):
    """An order on a run. An order has at most one stop that has not ended."""

    __tablename__ = "run_stops"
    __table_args__ = (
        CheckConstraint("position >= 1", name="position_positive"),
        CheckConstraint(f"wrong_pins BETWEEN 0 AND {MAX_WRONG_PINS}", name="wrong_pins_range"),
        CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="end_is_whole"),
        CheckConstraint("(failure IS NOT NULL) = (outcome IS NOT NULL AND outcome = 'failed')", name="failure_given"),
        one_of("outcome", StopOutcome),
        one_of("failure", FailureReason),
        one_of("flag", StopFlag),
        Index("ix_run_stops_run_id", "run_id", "position"),
        Index("ix_run_stops_order_id", "order_id"),
        Index(
            "uq_run_stops_open_order",
            "order_id",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index(
            "ix_run_stops_flag",
            "flag",
            sqlite_where=text("flag IS NOT NULL"),
            postgresql_where=text("flag IS NOT NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="runs.id", ondelete="CASCADE")
    order_id: str = Field(foreign_key="orders.id", ondelete="CASCADE")
    position: int
    """Stops are driven to in the order of these numbers, which may have gaps."""
    added_at: datetime = Field(sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    outcome: StopOutcome | None = Field(default=None, sa_type=TextEnum(StopOutcome))
    failure: FailureReason | None = Field(default=None, sa_type=TextEnum(FailureReason))
    wrong_pins: int = 0
    """Since the stop was last released; at `MAX_WRONG_PINS` it is locked."""
    flag: StopFlag | None = Field(default=None, sa_type=TextEnum(StopFlag))

    run: Run = Relationship(back_populates="stops")
    order: Order = Relationship()
    events: list["StopEvent"] = Relationship(sa_relationship_kwargs={"order_by": "StopEvent.id"})

    @property
    def is_locked(self) -> bool:
        return self.wrong_pins >= MAX_WRONG_PINS


class StopEvent(SQLModel, table=True):
    """Something that happened at a stop, as it was reported and judged. The claimed time is kept beside the time at
    which the report arrived, and never replaces it."""

    __tablename__ = "stop_events"
    __table_args__ = (
        UniqueConstraint("key"),
        UniqueConstraint("stop_id", "sequence"),
        CheckConstraint("length(key) = 26", name="key_is_ulid"),
        CheckConstraint("sequence >= 1", name="sequence_positive"),
        CheckConstraint("(sequence IS NOT NULL) = (source = 'phone')", name="phones_count"),
        CheckConstraint("(code IS NOT NULL) = (result = 'refused')", name="refusal_has_code"),
        one_of("kind", StopEventKind),
        one_of("source", EventSource),
        one_of("result", EventResult),
    )

    id: int = Field(default=None, primary_key=True)
    key: str
    """The ULID that its sender gave it: the same event sent again has the same key."""
    stop_id: int = Field(foreign_key="run_stops.id", ondelete="CASCADE")
    sequence: int | None = None
    """A phone numbers the events of each stop from 1. Other events have no number: they are judged on arrival."""
    kind: StopEventKind = Field(sa_type=TextEnum(StopEventKind))
    source: EventSource = Field(sa_type=TextEnum(EventSource))
    actor_id: int = Field(foreign_key="users.id", index=True)
    claimed_at: datetime = Field(sa_type=UtcDateTime)
    received_at: datetime = Field(sa_type=UtcDateTime)
    data: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    """What was reported, without the door PIN."""
    result: EventResult = Field(sa_type=TextEnum(EventResult))
    code: str | None = None
    """Why it was refused."""
