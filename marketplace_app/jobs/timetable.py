"""Runs the tasks of the timetable. Each is leased in one transaction and run outside it; another transaction then
writes when it is due again.

Several processes may do this at once: a lease is a conditional write. If a process dies, the lease of its task expires
and another process runs it. So a task that is due once may run twice, and must be idempotent. If a task is removed
here, a migration has to remove its row.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import partial

from marketplace_app import clock, db
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import Unavailable
from marketplace_app.jobs.background import running
from marketplace_app.services.batches import keeping
from marketplace_app.services.dispatch import ready, risk_watch, sheets
from marketplace_app.services.jurisdictions import records
from marketplace_app.services.records import announcements, timetable

INTERVAL_SECONDS = 60
EVERY_FEW_MINUTES = timedelta(minutes=5)
AT_RISK = "announce_at_risk"
SHEETS_HOUR = 4
"""In the store's time zone; before the first run of a day leaves."""
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Task:
    name: str
    run: Callable[[], None]
    """In transactions of its own."""
    next_due: Callable[[datetime], datetime]
    """When it is due next, after a given moment."""


def hourly(after: datetime) -> datetime:
    return after.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)


def every_few_minutes(after: datetime) -> datetime:
    """At minutes 0, 5, 10 and so on of each hour."""
    begun = after.replace(minute=0, second=0, microsecond=0)
    return begun + EVERY_FEW_MINUTES * ((after - begun) // EVERY_FEW_MINUTES + 1)


def nightly(after: datetime) -> datetime:
    """The next `SHEETS_HOUR` at the store, also on days when its clock is changed."""
    timezone = get_settings().timezone
    day = after.astimezone(timezone).date()
    due = datetime.combine(day, time(SHEETS_HOUR), timezone)
    if due <= after:
        due = datetime.combine(day + timedelta(days=1), time(SHEETS_HOUR), timezone)
    return due.astimezone(UTC)


def erase_birth_dates() -> None:
    """Erase the birth dates that no order's rules require any longer: some at a time, so that few rows are locked at
    once."""
    while due := db.read(partial(records.list_due, at=clock.now())):
        db.write(partial(records.erase, order_ids=due))


def ask_ready() -> None:
    """Ask customers whose delivery window begins soon whether they are ready, some at a time."""
    while db.write(partial(ready.ask, at=clock.now())):
        pass


def announce_at_risk() -> None:
    """Refresh open boards if an order has become at risk since the last run: nothing else announces that."""
    at = clock.now()
    since = db.read(partial(timetable.last_run, task=AT_RISK)) or at - EVERY_FEW_MINUTES
    if db.read(partial(risk_watch.has_new_risk, since=since, at=at)):
        db.write(partial(announcements.publish, topic=live.STAFF))


def write_run_sheets() -> None:
    """Write the sheets of the runs of the day that begins, and remove those of runs that are finished."""
    db.read(partial(sheets.write_files_of_day, day=clock.today(get_settings().timezone)))
    db.read(sheets.remove_finished_files)


def set_expired_aside() -> None:
    """Set aside the batches whose last day is over (RULE batch-states)."""
    db.write(keeping.set_expired_aside)


TASKS = (
    Task("erase_birth_dates", erase_birth_dates, hourly),
    Task("ask_ready", ask_ready, every_few_minutes),
    Task(AT_RISK, announce_at_risk, every_few_minutes),
    Task("set_expired_aside", set_expired_aside, every_few_minutes),
    Task("write_run_sheets", write_run_sheets, nightly),
)


def run_due(tasks: Sequence[Task] = TASKS) -> int:
    """Run the tasks that are due, unless another process has leased them. Returns how many were tried."""
    at = clock.now()
    entries = {entry.task: entry for entry in db.read(timetable.list_all)}
    if new := {task.name: task.next_due(at) for task in tasks if task.name not in entries}:
        db.write(partial(timetable.add, due=new))
    due = [task for task in tasks if task.name in entries and entries[task.name].may_begin(at)]
    return sum(_run(task) for task in due)


def _run(task: Task) -> bool:
    """Returns whether this process got the task. A task that fails does not stop the others."""
    began = clock.now()
    held = db.write(partial(timetable.lease, task=task.name, at=began))
    if held is None:
        return False
    try:
        task.run()
    except Exception as error:
        logger.exception("the task '%s' failed", task.name)
        db.write(partial(timetable.postpone, held=held, at=clock.now(), error=type(error).__name__))
    else:
        next_due = task.next_due(clock.now())
        db.write(partial(timetable.finish, held=held, began=began, next_due=next_due))
    return True


@asynccontextmanager
async def timetable_worker() -> AsyncIterator[None]:
    """Runs with the server."""
    async with running(_run_until_cancelled(), "timetable"):
        yield


async def _run_until_cancelled() -> None:
    while True:
        try:
            await asyncio.to_thread(run_due)
        except Unavailable:
            logger.warning("the timetable could not be read: the database cannot be reached")
        except Exception:
            logger.exception("the timetable could not be processed")
        await asyncio.sleep(INTERVAL_SECONDS)
