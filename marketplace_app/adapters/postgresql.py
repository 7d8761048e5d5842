"""How PostgreSQL is connected to, and statements that do not wait for the transaction they are sent from."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, Executable, create_engine, event, text

from marketplace_app.adapters import sql_comments, traces
from marketplace_app.config import get_settings

# For solid-state disks: by default the server assumes that reading an index costs four times as much as it does there,
# and a search would read the table instead of the index that holds its text.
_SETTINGS = ("lock_timeout=3000", "statement_timeout=5000", "timezone=utc", "random_page_cost=1.1")
_CONNECT_ARGUMENTS = {"options": " ".join(f"-c {each}" for each in _SETTINGS)}
_SEPARATE = "separate_engine"
_WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
_WITHOUT_WAITING_FOR_THE_DISK = text("SET LOCAL synchronous_commit = off")


def make_engine(url: str, **options: Any) -> Engine:
    """An engine with a second, small pool for `write_separately`.

    Its callers hold a connection already: if they needed another of the same pool, all of them could wait for one.
    """
    separate = create_engine(
        url, pool_size=2, max_overflow=0, pool_timeout=5, pool_pre_ping=True, connect_args=_CONNECT_ARGUMENTS
    )
    engine = create_engine(
        url,
        connect_args=_CONNECT_ARGUMENTS,
        pool_timeout=5,
        pool_pre_ping=True,
        execution_options={_SEPARATE: separate},
        **options,
    )
    event.listen(engine, "engine_disposed", lambda _: separate.dispose())
    if get_settings().traces_endpoint:
        traces.install(engine)
        traces.install(separate)
    if get_settings().sql_comments:
        sql_comments.install(engine)
        sql_comments.install(separate)
    return engine


def waiting_for_locks(connection: Connection) -> int:
    """How many connections to this database wait for one that another holds, of all processes."""
    return int(connection.execute(_WAITING).scalar_one())


def write_separately(connection: Connection, statement: Executable, values: Mapping[str, Any]) -> Any:
    """Run one statement in a transaction of its own, beside the caller's, and return its one value.

    Its locks end at once, and its effect stays when the caller's transaction fails. The commit does not wait for
    the disk: the caller's commit does, and what it writes comes later in the same write-ahead log.
    """
    with connection.get_execution_options()[_SEPARATE].begin() as separate:
        separate.execute(_WITHOUT_WAITING_FOR_THE_DISK)
        return separate.execute(statement, values).scalar_one()
