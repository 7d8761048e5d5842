"""Engines, and the transactions of services: nothing else begins or commits those.

SQLite: our own BEGIN (IMMEDIATE for writers: a deferred transaction that reads and then writes fails at once under
load), WAL, synchronous=FULL. The writers of one process take turns: SQLite lets waiting connections try again after
ever longer pauses, so that some wait for seconds. PostgreSQL: READ COMMITTED with lock and statement time-outs. On
both, a transaction that lost a race is retried, never one that broke a constraint.
"""

import logging
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import orjson
from anyio import to_thread
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session

from marketplace_app.adapters import live, metrics, postgresql, traces
from marketplace_app.adapters.call_batches import CallBatches
from marketplace_app.adapters.database_errors import is_lost_race, is_unreachable
from marketplace_app.adapters.fair_lock import FairLock, LockTimeout
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError, Unavailable

T = TypeVar("T")
logger = logging.getLogger(__name__)

POOL_SIZE = 20
ATTEMPTS = 6
TURN_SECONDS = 30.0
"""How long a writer waits for its turn on SQLite: `ATTEMPTS` times `busy_timeout`, the wait for another process."""
SQLITE_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=5000",
    "trusted_schema=OFF",
)

_WRITER_LOCKS: WeakKeyDictionary[Engine, FairLock] = WeakKeyDictionary()
"""By SQLite database: the lock that its writers in this process take in turn."""
_SHARED_COMMITS: CallBatches[Callable[[Session], Any]] = CallBatches(
    lambda works: _write_together(works), max_size=16, max_wait=TURN_SECONDS
)
"""Writers on the event loop that wait for their turn on SQLite."""
_NOTIFY = text("SELECT pg_notify(:channel, topic) FROM unnest(CAST(:topics AS text[])) AS topic")


def make_engine(url: str, *, direct_url: str | None = None) -> Engine:
    """`direct_url`: where PostgreSQL itself is, if `url` leads to a pooler such as PgBouncer."""
    if make_url(url).get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    return postgresql.make_engine(
        url,
        direct_url=direct_url,
        isolation_level="READ COMMITTED",
        pool_size=POOL_SIZE,
        max_overflow=0,
        json_deserializer=orjson.loads,
        hide_parameters=True,
    )


def _sqlite_engine(url: str) -> Engine:
    if path := make_url(url).database:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url,
        pool_size=POOL_SIZE,
        max_overflow=0,
        pool_timeout=5,
        json_deserializer=orjson.loads,
        hide_parameters=True,
    )

    _WRITER_LOCKS[engine] = FairLock()
    if get_settings().traces_endpoint:
        traces.install(engine)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in SQLITE_PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", True)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@lru_cache(maxsize=1)
def get_engine() -> Engine:
    settings = get_settings()
    return make_engine(settings.database_url, direct_url=settings.database_direct_url if settings.has_pooler else None)


def change_mark() -> int | None:
    """A number that changes as soon as anybody has committed anything; None if only a query could tell (PostgreSQL).

    SQLite keeps it in shared memory: reading it takes microseconds, and needs neither a transaction nor a thread.
    """
    try:
        observer = _observer(get_engine())
        return int(observer.execute("PRAGMA data_version").fetchone()[0]) if observer else None
    except sqlite3.Error:
        return None


@lru_cache(maxsize=1)
def _observer(engine: Engine) -> sqlite3.Connection | None:
    """Read-only, because the number does not change with a connection's own writes. It never waits for a lock."""
    path = engine.url.database
    if engine.dialect.name != "sqlite" or not path:
        return None
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, timeout=0, uri=True, isolation_level=None, check_same_thread=False)


def write(work: Callable[[Session], T], engine: Engine | None = None) -> T:
    """Run `work` in one transaction and commit it. Retried after a lost race, so it must have no other effects."""
    return _retried(lambda: _run_once(work, engine or get_engine(), writes=True))


def try_write(work: Callable[[Session], object], engine: Engine | None = None) -> bool:
    """`write` for what may be left out: tried once, and not at all while another thread writes on SQLite.

    Returns whether it was committed.
    """
    try:
        _run_once(work, engine or get_engine(), writes=True, waits=False)
    except (DBAPIError, Unavailable) as error:
        logger.info("left out: %s", error.__cause__ or error)
        return False
    return True


async def write_async(work: Callable[[Session], T]) -> T:
    """`write` for the event loop. On SQLite, waiting writers share a commit (docs/decisions/0021-hot-writes.md)."""
    if get_engine().dialect.name != "sqlite":
        return await to_thread.run_sync(write, work)
    try:
        answer: T = await _SHARED_COMMITS.run(_in_own_context(work))
    except TimeoutError as error:
        raise Unavailable() from error
    return answer


def _in_own_context(work: Callable[[Session], T]) -> Callable[[Session], T]:
    """Runs `work` with its own request's id, for logs and SQL comments, also if it shares a commit with others."""
    context = copy_context()
    return lambda session: context.run(work, session)


def _retried(transaction: Callable[[], T]) -> T:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return transaction()
        except DBAPIError as error:
            if not is_lost_race(error):
                raise
            metrics.LOST_RACES.inc()
            if attempt == ATTEMPTS:
                raise Unavailable() from error
            time.sleep(random.uniform(0, 0.02 * 2**attempt))
    raise AssertionError("unreachable")


def read(work: Callable[[Session], T], engine: Engine | None = None) -> T:
    """Run `work` in a transaction that is rolled back. On PostgreSQL each statement sees what is committed by then."""
    return _run_once(work, engine or get_engine(), writes=False)


def _write_together(works: Sequence[Callable[[Session], Any]]) -> Sequence[Any]:
    """Run each as `write` would, all in one transaction of SQLite. Returns the result or the exception of each.

    A refusal undoes what its own work has written. If the database is unavailable, all of them fail with `Unavailable`.
    After any other failure nothing is kept, and each work is run again in a transaction of its own.
    """
    engine = get_engine()
    if len(works) > 1:
        try:
            return _retried(lambda: _run_together(works, engine))
        except Unavailable as error:
            return [error] * len(works)
        except Exception as error:
            logger.warning("transactions are run one by one: %s", type(error).__name__)
    return [_outcome_of(work, engine) for work in works]


def _outcome_of(work: Callable[[Session], Any], engine: Engine) -> Any:
    try:
        return write(work, engine)
    except Exception as error:
        return error


def _run_together(works: Sequence[Callable[[Session], Any]], engine: Engine) -> Sequence[Any]:
    kept: list[Session] = []
    with _connected(engine, writes=True) as connection:
        with connection.begin():
            outcomes = [_in_savepoint(work, connection, kept) for work in works]
        live.call_listeners(set().union(*(session.info.get(live.TOPICS, ()) for session in kept)))
        for session in kept:
            metrics.count_noted_order(session)
    return outcomes


def _in_savepoint(work: Callable[[Session], Any], connection: Connection, kept: list[Session]) -> Any:
    """The driver's own savepoint: one of SQLAlchemy's takes longer than most statements."""
    driver: Any = connection.connection.driver_connection
    driver.execute("SAVEPOINT work")
    with Session(connection, expire_on_commit=False, join_transaction_mode="rollback_only") as session:
        try:
            answer = work(session)
            session.commit()  # writes what is pending; the transaction is the connection's
            kept.append(session)
        except StoreError as refusal:
            driver.execute("ROLLBACK TO work")  # fails if the work has ended the transaction; then each runs alone
            answer = refusal
    driver.execute("RELEASE work")
    return answer


def _run_once(work: Callable[[Session], T], engine: Engine, *, writes: bool, waits: bool = True) -> T:
    with (
        _connected(engine, writes=writes, waits=waits) as connection,
        Session(connection, expire_on_commit=False) as session,
    ):
        answer = work(session)
        if writes:
            _publish_and_commit(session, engine)
            metrics.count_noted_order(session)
        return answer


@contextmanager
def _connected(engine: Engine, *, writes: bool, waits: bool = True) -> Iterator[Connection]:
    takes_turns = writes and engine.dialect.name == "sqlite"
    turn = _turn(engine, TURN_SECONDS if waits else 0) if takes_turns else nullcontext()
    try:
        # The connection comes first: nobody who has their turn waits for anything else.
        with _checked_out(_engine_for(engine, writes=writes)) as connection, turn:
            yield connection
    except (PoolTimeout, LockTimeout) as error:
        raise Unavailable() from error
    except (InternalError, OperationalError) as error:  # internal: the server broke off while it answered
        if error.connection_invalidated or is_unreachable(error) or (is_lost_race(error) and not writes):
            raise Unavailable() from error
        raise


def _checked_out(engine: Engine) -> Connection:
    with metrics.POOL_WAITS.time():
        return engine.connect()


@contextmanager
def _turn(engine: Engine, seconds: float) -> Iterator[None]:
    began = time.perf_counter()
    with _WRITER_LOCKS[engine].held(seconds):
        metrics.TURN_WAITS.observe(time.perf_counter() - began)
        yield


@lru_cache(maxsize=4)
def _engine_for(engine: Engine, *, writes: bool) -> Engine:
    """Cached, because each of these copies has to look up the engine's event listeners anew."""
    return engine.execution_options(writes=writes)


def _publish_and_commit(session: Session, engine: Engine) -> None:
    topics = session.info.get(live.TOPICS, set())
    if engine.dialect.name == "sqlite":
        session.commit()
        live.call_listeners(topics)
        return
    if topics:
        session.execute(_NOTIFY, {"channel": live.CHANNEL, "topics": sorted(topics)})
    session.commit()
