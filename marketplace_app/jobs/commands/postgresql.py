"""PostgreSQL's own tools: `pg_dump` and `pg_restore`, of the server's version or newer.

They change settings of their connection, so they connect to the server itself, not to a pooler.
"""

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import URL, make_url

from marketplace_app import db
from marketplace_app.adapters.revisions import current_revision
from marketplace_app.config import get_settings
from marketplace_app.jobs.commands.console import CommandError

_DROP_STATEMENTS = text("""
WITH extensions AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e')
SELECT format('DROP TABLE %s CASCADE', oid::regclass) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    AND ('pg_class'::regclass, oid) NOT IN (SELECT classid, objid FROM extensions)
UNION ALL SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace
    AND ('pg_proc'::regclass, oid) NOT IN (SELECT classid, objid FROM extensions)""")
"""Selects a statement for each table and function that does not belong to an extension."""


def dump(file: Path) -> str | None:
    """Returns the migration that the dump is at. Raises CommandError if the database was migrated meanwhile."""
    before = db.read(current_revision)
    options = ("--format=custom", "--no-owner", "--no-privileges")
    _run("pg_dump", *options, f"--file={file}", f"--dbname={_url_without_password()}")
    if db.read(current_revision) != before:
        raise CommandError("The database was migrated while it was copied. Try again.")
    return before


def require_dump(file: Path) -> None:
    """Raises CommandError unless `pg_restore` can read the file."""
    _run("pg_restore", "--list", str(file))


def restore(file: Path) -> None:
    """In one transaction: all of it, or the store stays as it was. Tables that are not in the dump stay as well."""
    options = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run("pg_restore", *options, f"--dbname={_url_without_password()}", str(file))


def drop_everything() -> None:
    """Before a dump at another migration is restored: tables that it lacks would stay, or be in the way of others.

    Also undoes a failed restore where there was no store before.
    """
    engine = db.make_engine(get_settings().database_direct_url)
    try:
        with engine.begin() as connection:
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            for statement in connection.execute(_DROP_STATEMENTS).scalars().all():
                connection.exec_driver_sql(statement)
    finally:
        engine.dispose()


def _url_without_password() -> str:
    """Without the password, which others could read in the list of processes."""
    url = _url()
    # Made anew, because `url.set(password=None)` would keep the password.
    plain = URL.create("postgresql", url.username, None, url.host, url.port, url.database, url.query)
    return plain.render_as_string(hide_password=False)


def _url() -> URL:
    return make_url(get_settings().database_direct_url)


def _run(name: str, *arguments: str) -> None:
    program = shutil.which(name)
    if program is None:
        raise CommandError(f"{name} was not found: install PostgreSQL's client tools (such as postgresql-client).")
    environment = dict(os.environ)
    if (password := _url().password) is not None:
        environment["PGPASSWORD"] = str(password)
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise CommandError(f"{name} failed: {done.stderr.strip() or done.returncode}")
