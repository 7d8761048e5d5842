"""PostgreSQL's own tools: `pg_dump` and `pg_restore`, of the server's version or newer.

They change settings of their connection, so they go past a pooler.
"""

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import URL, make_url

from marketplace_app.config import get_settings
from marketplace_app.jobs.commands.console import CommandError


def dump(file: Path) -> None:
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}", f"--dbname={_address()}")


def require_dump(file: Path) -> None:
    """One that `pg_restore` can read, before anything is replaced."""
    _run("pg_restore", "--list", str(file))


def restore(file: Path) -> None:
    """In one transaction: all of it, or the store stays as it was."""
    options = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run("pg_restore", *options, f"--dbname={_address()}", str(file))


def _address() -> str:
    """Without the password, which others could read in the list of processes."""
    return _url().set(drivername="postgresql", password=None).render_as_string(hide_password=False)


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
