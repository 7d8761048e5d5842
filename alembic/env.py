"""Runs migrations on the store's own engine, or on a connection handed over by a test."""

from sqlalchemy import Connection, text
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


def run(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        # A table copied by batch mode would cascade its deletion into every table that points to it.
        connection.execute(text("PRAGMA foreign_keys=OFF"))
        connection.commit()
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=is_sqlite,
        include_object=include_object,
        render_item=render_item,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()
    if is_sqlite:
        connection.commit()
        connection.execute(text("PRAGMA foreign_keys=ON"))
        connection.commit()


if (handed_over := context.config.attributes.get("connection")) is not None:
    run(handed_over)
else:
    with get_engine().connect() as connection:
        run(connection)
