"""`move-to`: copies the SQLite store into an empty PostgreSQL database, and compares every row before it commits."""

import argparse
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, Connection, Engine, Table, bindparam, func, insert, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, IntegrityError
from sqlmodel import Session, SQLModel

from marketplace_app import db
from marketplace_app.adapters import search
from marketplace_app.jobs.commands import checks
from marketplace_app.jobs.commands.console import OK, CommandError, require_database, say, say_on_stderr, sqlite_file
from marketplace_app.jobs.migrate import migrate
from marketplace_app.models import Product
from marketplace_app.models.base import table_of

BATCH = 1_000
WRITTEN_BY_MIGRATIONS = ("counters", "synonyms")
"""Tables with rows in a database that was only migrated. The others must be empty."""
_DISABLE_TIMEOUTS = ("SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0")


def add_parsers(commands: Any) -> None:
    description = (
        "Copy this SQLite store into an empty PostgreSQL database and compare every row. Stop the store first."
        " Uploaded files stay where they are."
    )
    parser = commands.add_parser("move-to", help="move a SQLite store to PostgreSQL", description=description)
    parser.add_argument("url", metavar="URL", help="the new database: postgresql+psycopg://USER:PASSWORD@HOST/NAME")
    parser.set_defaults(run=move)


def move(args: argparse.Namespace) -> int:
    require_database()
    if sqlite_file() is None:
        raise CommandError("This store is on PostgreSQL already: DATABASE_URL names it.")
    target = _target_engine(args.url)
    try:
        _prepare(target)
        # The source is locked for writers: a store that still runs can sell nothing that would be left behind.
        with db.get_engine().begin() as source, target.begin() as destination:
            rows = _copy_all(source, destination)
            _require_sound(destination)
    except (IntegrityError, DataError) as error:
        raise CommandError(f"The new database refuses a row. Nothing was moved: {error.orig}") from None
    finally:
        target.dispose()
    say(f"Moved {rows:,} rows, each compared with its original. Set DATABASE_URL to the new database now.")
    say(f"{sqlite_file()} was not changed: keep it until you have made a backup of the new database.")
    return OK


def _target_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise CommandError("This is not the URL of a database. Write postgresql+psycopg://…") from None
    if parsed.drivername != "postgresql+psycopg":
        raise CommandError(f"A store can be moved to postgresql+psycopg://… only, not to {parsed.drivername}://…")
    return db.make_engine(url)


def _prepare(target: Engine) -> None:
    """Run all migrations. Raises CommandError if the database then holds rows that no migration has written."""
    with target.connect() as connection:
        migrate(connection)
    with target.connect() as connection:
        for table in SQLModel.metadata.sorted_tables:
            if table.name not in WRITTEN_BY_MIGRATIONS and connection.execute(select(table).limit(1)).first():
                raise CommandError(f"The new database is not empty: it has {table.name.replace('_', ' ')}.")


def _copy_all(source: Connection, target: Connection) -> int:
    """Copy every table; returns the number of rows. Raises CommandError unless each row is the same in both."""
    for statement in _DISABLE_TIMEOUTS:
        target.execute(text(statement))
    tables = {table.name: table for table in SQLModel.metadata.sorted_tables}
    for name in WRITTEN_BY_MIGRATIONS:
        target.execute(tables[name].delete())
    for name, table in tables.items():
        if name != "counters":
            _copy(source, target, table)
    _restart_numbering(target)
    with Session(target) as session:
        for batch in session.execute(select(table_of(Product))).partitions(BATCH):
            search.index_many(session, batch)
    _copy(source, target, tables["counters"])  # last, because triggers would count the new rows
    return sum(_compare(source, target, table) for table in tables.values())


def _copy(source: Connection, target: Connection, table: Table) -> None:
    """References of a table to itself are written once all of its rows are there."""
    to_itself = [column for column in table.columns if any(key.column.table is table for key in column.foreign_keys)]
    without_references = dict.fromkeys(column.name for column in to_itself)
    for batch in _batches(source, table):
        target.execute(insert(table), [row | without_references for row in batch])
    for column in to_itself:
        _write_references(source, target, table, column)


def _write_references(source: Connection, target: Connection, table: Table, column: Column[Any]) -> None:
    [key] = table.primary_key.columns
    statement = update(table).where(key == bindparam("row")).values({column.name: bindparam("reference")})
    found = source.execute(select(key.label("row"), column.label("reference")).where(column.is_not(None)))
    for batch in found.mappings().partitions(BATCH):
        target.execute(statement, [dict(row) for row in batch])


def _batches(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    found = connection.execute(select(table).order_by(*table.primary_key.columns))
    for batch in found.mappings().partitions(BATCH):
        yield [dict(row) for row in batch]


def _restart_numbering(target: Connection) -> None:
    """New rows are numbered after the ones that were copied with their numbers."""
    for table in SQLModel.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            last = select(func.max(column)).scalar_subquery()
            target.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))


def _compare(source: Connection, target: Connection, table: Table) -> int:
    """Compare a table's rows in both databases; returns their number. Raises CommandError if they differ."""
    original, copy = _digest(source, table), _digest(target, table)
    if original != copy:
        raise CommandError(
            f"{table.name} differs after copying: {original[0]:,} rows became {copy[0]:,}, or one has changed."
            " Nothing was moved."
        )
    say_on_stderr(f"{original[0]:>9,} rows of {table.name}")
    return original[0]


def _digest(connection: Connection, table: Table) -> tuple[int, str]:
    """The number of rows, and a hash of all their values.

    The databases order text differently, so the result must not depend on the order of the rows: it is the sum of their
    hashes.
    """
    count, total = 0, 0
    for batch in _batches(connection, table):
        for row in batch:
            canonical = json.dumps(row, sort_keys=True, default=str).encode()
            total += int.from_bytes(hashlib.sha256(canonical).digest())
        count += len(batch)
    return count, f"{total:x}"


def _require_sound(target: Connection) -> None:
    with Session(target) as session:
        if checks.count_broken(session):
            raise CommandError("The data is not consistent. Nothing was moved: correct this store first.")
