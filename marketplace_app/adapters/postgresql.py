"""Connects to PostgreSQL, and commits single statements ahead of their caller's transaction.

A pooler such as PgBouncer gives a connection of the server to one transaction after the other. So behind one, the
settings are not asked for when connecting (`_DIRECT_ARGS`) but are the role's defaults (`set_role_defaults`), and no
statement is prepared in advance (`_POOLED_ARGS`).
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, Executable, create_engine, event, text

from marketplace_app.adapters import sql_comments, traces
from marketplace_app.config import get_settings

# `random_page_cost` is for solid-state disks. With the default, which is for spinning ones, a search would read the
# table instead of the index that holds its text.
_SETTINGS = {"lock_timeout": "3000", "statement_timeout": "5000", "timezone": "UTC", "random_page_cost": "1.1"}
IF_THE_SERVER_VANISHES: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""Connections to a machine that is gone without a word end within half a minute. Times are in seconds, but the last is
in milliseconds. By default, connecting takes two minutes to fail, sending takes a quarter of an hour, and a connection
that only listens never fails. Unix sockets, which stay within one machine, ignore all but the first."""
_DIRECT_ARGS = IF_THE_SERVER_VANISHES | {"options": " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())}
_POOLED_ARGS = IF_THE_SERVER_VANISHES | {"prepare_threshold": None}
"""Newer versions of PgBouncer support prepared statements, but only if configured to; other poolers may not."""
_SEPARATE = "separate_engine"
_ROLE_AND_DATABASE = text("SELECT current_user, current_database()")
_CURRENT_SETTINGS = text("SELECT name, setting FROM pg_settings WHERE lower(name) = ANY(:names)")
"""Times are in milliseconds, as in `_SETTINGS`."""
_COUNT_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
_WITHOUT_WAITING_FOR_THE_DISK = text("SET LOCAL synchronous_commit = off")


def make_engine(url: str, *, direct_url: str | None = None, **options: Any) -> Engine:
    """An engine with a second, small pool for `write_separately`.

    Its callers hold a connection already: if they needed another of the same pool, all of them could wait for one.
    A pooler's connections are a pool too. So behind one, the second pool connects to PostgreSQL itself, at
    `direct_url`.
    """
    separate = create_engine(
        direct_url or url, pool_size=2, max_overflow=0, pool_timeout=5, pool_pre_ping=True, connect_args=_DIRECT_ARGS
    )
    engine = create_engine(
        url,
        connect_args=_POOLED_ARGS if direct_url else _DIRECT_ARGS,
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


def set_role_defaults(connection: Connection) -> None:
    """Have the server give the store's settings to every connection that its role opens to this database from now on.

    `connection` must bypass the pooler. Callers must take turns: PostgreSQL refuses two such changes at the same time.
    """
    quote = connection.dialect.identifier_preparer.quote
    role, database = connection.execute(_ROLE_AND_DATABASE).one()
    for name, value in _SETTINGS.items():
        connection.exec_driver_sql(f"ALTER ROLE {quote(role)} IN DATABASE {quote(database)} SET {name} = '{value}'")


def differing_settings(connection: Connection) -> dict[str, str]:
    """Which of the store's settings have another value on a connection, and that value; empty if none."""
    found = {name.lower(): value for name, value in connection.execute(_CURRENT_SETTINGS, {"names": list(_SETTINGS)})}
    return {name: found[name] for name, value in _SETTINGS.items() if found[name] != value}


def waiting_for_locks(connection: Connection) -> int:
    """How many connections to this database, of all processes, wait for a lock that another holds."""
    return int(connection.execute(_COUNT_WAITING).scalar_one())


def write_separately(connection: Connection, statement: Executable, values: Mapping[str, Any]) -> Any:
    """Run one statement in a transaction of its own, beside the caller's, and return its one value.

    Its locks end at once, and its effect stays when the caller's transaction fails. The commit does not wait for
    the disk: the caller's commit does, and what it writes comes later in the same write-ahead log.
    """
    with connection.get_execution_options()[_SEPARATE].begin() as separate:
        separate.execute(_WITHOUT_WAITING_FOR_THE_DISK)
        return separate.execute(statement, values).scalar_one()
