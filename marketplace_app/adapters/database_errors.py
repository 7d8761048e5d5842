"""What an error of the database driver means: try again, or nobody can reach the database."""

import sqlite3
from typing import Any

from sqlalchemy.exc import DBAPIError

RETRYABLE_STATES = {"40001", "40P01", "55P03", "57014"}
"""Serialization failure, deadlock, lock timeout, and statement timeout (several locks in a row)."""
UNREACHABLE_STATES = ("08", "53", "58030")
"""Beginnings of SQLSTATEs: no connection (from a pooler), no disk space, memory or connection left, an I/O error."""


def is_lost_race(error: DBAPIError) -> bool:
    """Another transaction was in the way, so that the same one may succeed now."""
    original: Any = error.orig
    if isinstance(original, sqlite3.OperationalError):
        return original.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return getattr(original, "sqlstate", None) in RETRYABLE_STATES


def is_unreachable(error: DBAPIError) -> bool:
    """Includes a full disk: nothing can be written."""
    original: Any = error.orig
    if isinstance(original, sqlite3.OperationalError):
        return original.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
    state = getattr(original, "sqlstate", None)
    return state is None or state.startswith(UNREACHABLE_STATES)  # None: the connection failed
