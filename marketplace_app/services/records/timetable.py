"""Which tasks are due, which process has them, and how they ended (RULE timetable)."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Update, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from marketplace_app.models import TimetableTask
from marketplace_app.models.base import table_of
from marketplace_app.services.claims import claim_one

LEASE = timedelta(minutes=10)
"""How long one process may take for a task before another one begins it."""
RETRY_AFTER = timedelta(minutes=5)
_TASKS = table_of(TimetableTask)


class TimetableEntry(NamedTuple):
    task: str
    due_at: datetime
    leased_until: datetime | None
    last_run_at: datetime | None
    last_error: str | None

    def may_begin(self, at: datetime) -> bool:
        return self.due_at <= at and (self.leased_until is None or self.leased_until <= at)


class Lease(NamedTuple):
    task: str
    until: datetime


def list_all(session: Session) -> Sequence[TimetableEntry]:
    return [
        TimetableEntry(*row) for row in session.execute(select(*[_TASKS.c[name] for name in TimetableEntry._fields]))
    ]


def last_run(session: Session, task: str) -> datetime | None:
    """When the last run that succeeded began: what happens during a run is left to the next one."""
    found: datetime | None = session.execute(select(_TASKS.c.last_run_at).where(_TASKS.c.task == task)).scalar()
    return found


def add(session: Session, due: Mapping[str, datetime]) -> None:
    """Put tasks on the timetable; one that another process has added meanwhile stays as it is."""
    dialect: Any = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    rows = [{"task": task, "due_at": due_at} for task, due_at in due.items()]
    session.execute(dialect.insert(_TASKS).values(rows).on_conflict_do_nothing())


def lease(session: Session, task: str, at: datetime) -> Lease | None:
    """Take a task that is due; None if it is not, or if another process has it."""
    is_free = _TASKS.c.leased_until.is_(None) | (_TASKS.c.leased_until <= at)
    claim = update(_TASKS).where(_TASKS.c.task == task, _TASKS.c.due_at <= at, is_free)
    until = at + LEASE
    return Lease(task, until) if claim_one(session, claim.values(leased_until=until)) else None


def finish(session: Session, held: Lease, began: datetime, *, next_due: datetime) -> None:
    """Record that the task succeeded. Nothing happens if the lease has expired and another process took the task."""
    done = {"due_at": next_due, "leased_until": None, "last_run_at": began, "last_error": None}
    session.execute(_update_if_leased(held).values(done))


def postpone(session: Session, held: Lease, at: datetime, *, error: str) -> None:
    """Record that the task failed with an error of this kind: it stays due, and is tried again a little later."""
    session.execute(_update_if_leased(held).values(leased_until=at + RETRY_AFTER, last_error=error))


def _update_if_leased(held: Lease) -> Update:
    return update(_TASKS).where(_TASKS.c.task == held.task, _TASKS.c.leased_until == held.until)
