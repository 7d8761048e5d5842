"""Runs with the server while `METRICS_PORT` is set: it measures the lag of the event loop all the time, and looks up
the values of `GaugeCollector` when Prometheus asks."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import datetime

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.adapters import metrics, postgresql
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.services import backups
from marketplace_app.services.records import outbox, timetable
from marketplace_app.states.events import connections

LAG_CHECK_SECONDS = 0.5
"""How often the lag of the event loop is measured."""


class GaugeCollector(Collector):
    """All workers report the same values from the database: aggregate those with `max`, not `sum`."""

    def collect(self) -> Iterable[Metric]:
        yield GaugeMetricFamily("store_live_tabs", "Open connections of tabs", connections.count())
        pool = db.get_engine().pool
        if isinstance(pool, QueuePool):
            yield GaugeMetricFamily("store_database_pool_size", "Connections a worker may have", pool.size())
            yield GaugeMetricFamily("store_database_pool_in_use", "Connections in use", pool.checkedout())
        yield from _database()


def _database() -> Iterable[Metric]:
    try:
        mail, backup, lock_waits, first_due = db.read(_query)
    except (StoreError, SQLAlchemyError):
        yield GaugeMetricFamily("store_database_up", "Whether the database answers", 0)
        return
    yield GaugeMetricFamily("store_database_up", "Whether the database answers", 1)
    yield GaugeMetricFamily("store_outbox_waiting", "Messages that wait to be sent", mail.waiting)
    yield GaugeMetricFamily("store_outbox_given_up", "Messages that are not tried again", mail.given_up)
    age = (clock.now() - mail.oldest).total_seconds() if mail.oldest else 0
    yield GaugeMetricFamily("store_outbox_oldest_seconds", "Age of the oldest message that waits", age)
    late = max(0.0, (clock.now() - first_due).total_seconds()) if first_due else 0
    yield GaugeMetricFamily("store_timetable_late_seconds", "For how long the most overdue task has been due", late)
    made = backup.timestamp() if backup else 0
    yield GaugeMetricFamily("store_last_backup_timestamp_seconds", "When the last backup was made; 0 if never", made)
    if lock_waits is not None:
        yield GaugeMetricFamily(
            "store_database_waiting_for_locks", "Connections that wait for a lock (PostgreSQL)", lock_waits
        )


def _query(session: Session) -> tuple[outbox.Unsent, datetime | None, int | None, datetime | None]:
    is_postgresql = session.get_bind().dialect.name == "postgresql"
    lock_waits = postgresql.waiting_for_locks(session.connection()) if is_postgresql else None
    first_due = min((entry.due_at for entry in timetable.list_all(session)), default=None)
    return outbox.count_unsent(session), backups.last(session), lock_waits, first_due


@asynccontextmanager
async def measuring() -> AsyncIterator[None]:
    if not get_settings().metrics_port:
        yield
        return
    collector = GaugeCollector()
    metrics.REGISTRY.register(collector)
    metrics.serve()
    task = asyncio.create_task(_watch_loop(), name="event loop lag")
    try:
        yield
    finally:
        metrics.REGISTRY.unregister(collector)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _watch_loop() -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_CHECK_SECONDS
        await asyncio.sleep(LAG_CHECK_SECONDS)
        metrics.LOOP_LAG.observe(max(0.0, loop.time() - due))
