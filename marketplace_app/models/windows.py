"""When the shop delivers in a zone, week by week, and the days on which it does not."""

from datetime import date

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import MINUTES_A_DAY
from marketplace_app.limits import MAX_CLOSURE_REASON, MAX_CUTOFF_MINUTES, MAX_WINDOW_CAPACITY


class Window(SQLModel, table=True):
    """The same every week. Times are in minutes after midnight, in the store's time zone."""

    __tablename__ = "windows"
    __table_args__ = (
        UniqueConstraint("zone_id", "weekday", "opens_minute", "closes_minute"),
        CheckConstraint("weekday BETWEEN 0 AND 6", name="weekday_known"),
        CheckConstraint(
            f"opens_minute >= 0 AND opens_minute < closes_minute AND closes_minute <= {MINUTES_A_DAY}",
            name="opens_before_it_closes",
        ),
        CheckConstraint(f"cutoff_minutes BETWEEN 0 AND {MAX_CUTOFF_MINUTES}", name="cutoff_range"),
        CheckConstraint(f"capacity BETWEEN 1 AND {MAX_WINDOW_CAPACITY}", name="capacity_range"),
    )

    id: int = Field(default=None, primary_key=True)
    zone_id: int = Field(foreign_key="zones.id", ondelete="CASCADE")
    weekday: int
    """Monday is 0."""
    opens_minute: int
    closes_minute: int
    cutoff_minutes: int
    """The last order is taken this long before the window opens."""
    capacity: int
    """How many orders it takes on one day."""


class Closure(SQLModel, table=True):
    """A day on which nothing is delivered."""

    __tablename__ = "closures"
    __table_args__ = (CheckConstraint(f"length(reason) BETWEEN 0 AND {MAX_CLOSURE_REASON}", name="reason_length"),)

    day: date = Field(primary_key=True)
    """In the store's time zone."""
    reason: str = ""
