"""Which migration the database is at, and which one this version of the code needs."""

from functools import lru_cache
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import column, inspect, select, table
from sqlmodel import Session

_APPLIED = table("alembic_version", column("version_num"))


def current_revision(session: Session) -> str | None:
    """The last migration that was applied to the database.

    Alembic's MigrationContext is not used: it makes a new table object each time, so SQLAlchemy would compile and cache
    a new statement at every readiness probe.
    """
    connection = session.connection()
    if not inspect(connection).has_table(_APPLIED.name):
        return None
    return connection.execute(select(_APPLIED.c.version_num)).scalar_one_or_none()


@lru_cache(maxsize=1)
def newest_revision() -> str | None:
    """The last migration that this version of the code comes with."""
    root = Path(__file__).parents[2]
    return ScriptDirectory.from_config(Config(str(root / "alembic.ini"))).get_current_head()


def can_serve(revision: str | None) -> bool:
    """Whether this version can work on a database at this migration: the newest that it comes with, or a later one.

    While a release is rolled out, the new version has migrated and the previous one still serves (RULE
    rolling-releases). Migrations are numbered in their order.
    """
    newest = newest_revision()
    return revision is not None and newest is not None and revision >= newest
