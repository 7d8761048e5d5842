"""The timetable: when each task is due, and until when a process holds it."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.models.base import UtcDateTime


class TimetableTask(SQLModel, table=True):
    """A task of `jobs/timetable.py`. A process leases it, runs it, and writes when it is due again."""

    __tablename__ = "timetable"
    __table_args__ = (CheckConstraint("task <> ''", name="task_given"),)

    task: str = Field(primary_key=True)
    due_at: datetime = Field(sa_type=UtcDateTime)
    leased_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Until then no process begins the task: one is running it, or it has failed and waits to be tried again."""
    last_run_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the last run that succeeded began."""
    last_error: str | None = None
    """The kind of error that the last try ended with; None if it succeeded."""
