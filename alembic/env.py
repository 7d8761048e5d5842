"""Runs migrations on the store's database, bypassing a pooler if there is one, or on a connection passed by a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from alembic.operations.ops import MigrationScript
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlmodel import SQLModel

import marketplace_app.models  # noqa: F401
from alembic import context
from marketplace_app.adapters import postgresql
from marketplace_app.adapters.search import is_search_table
from marketplace_app.config import get_settings
from marketplace_app.db import get_engine, make_engine
from marketplace_app.jobs.new_migration import complete, render_item

LOCK = text("SELECT pg_advisory_lock(hashtext('alembic'))")


def include_object(thing: object, name: str | None, kind: str, reflected: bool, compare_to: object) -> bool:
    """Leave out the full-text tables, which differ between the databases and are written by hand."""
    return not (kind == "table" and is_search_table(name or ""))


def write_revision(migration: MigrationContext, _revision: object, scripts: list[MigrationScript]) -> None:
    """Number revisions (0014 after 0013): files sort in order, and the same number on two branches conflicts."""
    last = migration.get_current_revision()
    scripts[0].rev_id = f"{int(last or 0) + 1:04}"
    complete(migration, scripts[0])


def run(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        # Batch mode copies a table and deletes the old one, which would cascade into every table that refers to it. The
        # pragma has no effect inside a transaction, so it is run on the driver: SQLAlchemy would begin one first.
        _run_pragma(connection, "PRAGMA foreign_keys=OFF")
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=False,  # it copies tables, which lose their triggers; a migration can still ask for it
        process_revision_directives=write_revision,
        include_object=include_object,
        render_item=render_item,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()
    if is_sqlite:
        connection.commit()
        if broken := _run_pragma(connection, "PRAGMA foreign_key_check"):
            raise RuntimeError(f"rows refer to rows that do not exist: {broken[:5]}")
        _run_pragma(connection, "PRAGMA foreign_keys=ON")


def _run_pragma(connection: Connection, pragma: str) -> list[tuple[Any, ...]]:
    driver = connection.connection.driver_connection
    assert driver is not None
    rows: list[tuple[Any, ...]] = driver.execute(pragma).fetchall()
    return rows


@contextmanager
def migration_lock(connection: Connection) -> Iterator[None]:
    """Let processes that start at the same time migrate one after the other; the later ones find it done.

    On PostgreSQL, a lock that belongs to the connection sees to it. Unlike the store's other statements, waiting for it
    and migrating have no time limit: an index on a large table may take minutes. SQLite has one writer at a time.
    """
    if connection.dialect.name != "postgresql":
        yield
        return
    connection.execute(text("SET statement_timeout = 0"))
    connection.execute(text("SET lock_timeout = 0"))
    connection.execute(LOCK)
    connection.commit()
    try:
        yield
    finally:
        # Closes the connection, which releases the lock, and so nobody else gets a connection without time limits.
        connection.invalidate()


def run_past_pooler() -> None:
    """Connect directly: the lock belongs to a connection, which a pooler would give to others between transactions."""
    engine = make_engine(get_settings().database_direct_url)
    with engine.connect() as connection, migration_lock(connection):
        postgresql.set_role_defaults(connection)
        connection.commit()
        run(connection)
    engine.dispose()


if (given := context.config.attributes.get("connection")) is not None:
    run(given)
elif get_settings().has_pooler:
    run_past_pooler()
else:
    with get_engine().connect() as connection, migration_lock(connection):
        run(connection)
