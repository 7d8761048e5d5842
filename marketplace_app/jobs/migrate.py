"""Upgrades the database to the newest migration; also holds what migrations share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic.config import Config
from sqlalchemy import Connection, inspect

from alembic import command, op

ROOT = Path(__file__).parents[2]
# Created in revision 0002 with the others.
_TRIGGER = "catalogue_products_changed"
_BUMP = {
    "sqlite": "BEGIN UPDATE counters SET value = value + 1 WHERE name = 'catalogue'; END",
    "postgresql": "EXECUTE FUNCTION bump_catalogue()",
}


def migrate(connection: Connection | None = None) -> None:
    """Upgrade the store's own database, or the one of a connection that nothing else uses."""
    config = Config(str(ROOT / "alembic.ini"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextmanager
def columns_of_products_change() -> Iterator[None]:
    """In a migration, around statements that add columns to products or drop some.

    The trigger that raises the catalogue's version lists all columns except stock by name (docs/decisions/0006).
    """
    dialect = op.get_bind().dialect.name
    op.execute(f"DROP TRIGGER {_TRIGGER}" + ("" if dialect == "sqlite" else " ON products"))
    yield
    columns = [column["name"] for column in inspect(op.get_bind()).get_columns("products")]
    listed = ", ".join(name for name in columns if name != "stock")
    op.execute(f"CREATE TRIGGER {_TRIGGER} AFTER UPDATE OF {listed} ON products FOR EACH ROW {_BUMP[dialect]}")
