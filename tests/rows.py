"""All rows of a database, to compare with a later state."""

from sqlalchemy import Connection, Engine, inspect, text

Rows = dict[str, list[str]]


def all_rows(engine: Engine) -> Rows:
    """Every table, without the time a session was last seen, which every request changes, and without the timetable,
    on which the server works by itself."""
    names = inspect(engine).get_table_names()
    tables = [name for name in names if name != "timetable" and not name.startswith("product_search_")]
    with engine.connect() as connection:
        return {table: _rows(connection, table) for table in tables}


def _rows(connection: Connection, table: str) -> list[str]:
    found = connection.execute(text(f"SELECT * FROM {table}")).mappings()
    return sorted(repr([(name, row[name]) for name in row if name != "last_seen_at"]) for row in found)
