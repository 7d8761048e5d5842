"""Runs migrations on the store's own engine, or on a connection handed over by a test."""

from typing import Any

from alembic.operations.ops import MigrationScript
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection
from sqlmodel import SQLModel

import marketplace_app.models  # noqa: F401
from alembic import context
from marketplace_app.adapters.search import is_search_table
from marketplace_app.db import get_engine
from marketplace_app.models.base import TextEnum, UtcDateTime


def include_object(thing: object, name: str | None, kind: str, reflected: bool, compare_to: object) -> bool:
    """The full-text tables differ per database and are written by hand."""
    return not (kind == "table" and is_search_table(name or ""))


def render_item(kind: str, thing: object, autogen_context: object) -> str | bool:
    if kind == "type" and isinstance(thing, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(thing, TextEnum):
        return "sa.String()"
    return False


def number(migration: MigrationContext, _revision: object, made: list[MigrationScript]) -> None:
    """0014 after 0013: the folder reads in order, and two branches that take the same number meet there."""
    last = migration.get_current_revision()
    made[0].rev_id = f"{int(last or 0) + 1:04}"


def run(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        # A table copied by batch mode would cascade its deletion into every table that points to it. SQLite hears this
        # outside of transactions alone, so it is said to the driver: SQLAlchemy would begin one first.
        _tell_sqlite(connection, "PRAGMA foreign_keys=OFF")
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=False,  # a table that SQLite copies loses its triggers: who needs that writes it by hand
        process_revision_directives=number,
        include_object=include_object,
        render_item=render_item,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()
    if is_sqlite:
        connection.commit()
        if broken := _tell_sqlite(connection, "PRAGMA foreign_key_check"):
            raise RuntimeError(f"rows point to what is not there: {broken[:5]}")
        _tell_sqlite(connection, "PRAGMA foreign_keys=ON")


def _tell_sqlite(connection: Connection, pragma: str) -> list[tuple[Any, ...]]:
    driver = connection.connection.driver_connection
    assert driver is not None
    rows: list[tuple[Any, ...]] = driver.execute(pragma).fetchall()
    return rows


if (handed_over := context.config.attributes.get("connection")) is not None:
    run(handed_over)
else:
    with get_engine().connect() as connection:
        run(connection)
