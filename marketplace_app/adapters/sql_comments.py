"""Writes the request's id before each statement, so that the database's log tells which request a slow statement is of.

Off unless `SQL_COMMENTS` is on: psycopg prepares only statements that come again with the same text, and none would.
"""

from typing import Any

from sqlalchemy import Connection, Engine, event

from marketplace_app.adapters import request_ids


def install(engine: Engine) -> None:
    event.listen(engine, "before_cursor_execute", _with_comment, retval=True)


def _with_comment(
    _connection: Connection, _cursor: object, statement: str, parameters: Any, _context: object, _many: bool
) -> tuple[str, Any]:
    """At the beginning: the server cuts long statements at their end."""
    request_id = request_ids.current()
    return (f"/* request_id={request_id} */ {statement}" if request_id else statement), parameters
