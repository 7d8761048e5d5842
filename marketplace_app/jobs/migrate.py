"""Upgrades the database to the newest migration; also holds what migrations share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic.config import Config
from alembic.operations import BatchOperations
from sqlalchemy import Connection, inspect, text

from alembic import command, op

ROOT = Path(__file__).parents[2]
# Created in revision 0002, with the other triggers that raise the catalogue's version.
_TRIGGER = "catalogue_products_changed"
_BUMP = {
    "sqlite": "BEGIN UPDATE counters SET value = value + 1 WHERE name = 'catalogue'; END",
    "postgresql": "EXECUTE FUNCTION bump_catalogue()",
}

_EXPRESSION_INDEXES_OF_ORDERS = {"ix_orders_id_start": "substr(id, 1, 8)", "ix_orders_id_end": "substr(id, 29)"}


def migrate(connection: Connection | None = None) -> None:
    """Upgrade the store's own database or, if `connection` is given, the database that it is connected to.

    Nothing else may use the connection meanwhile.
    """
    config = Config(str(ROOT / "alembic.ini"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextmanager
def columns_of_products_change() -> Iterator[None]:
    """In a migration, around statements that add columns to products or drop some.

    The trigger that raises the catalogue's version lists all columns except stock by name
    (docs/decisions/0006-cached-answers.md).
    """
    dialect = op.get_bind().dialect.name
    op.execute(f"DROP TRIGGER {_TRIGGER}" + ("" if dialect == "sqlite" else " ON products"))
    yield
    columns = [column["name"] for column in inspect(op.get_bind()).get_columns("products")]
    listed = ", ".join(name for name in columns if name != "stock")
    op.execute(f"CREATE TRIGGER {_TRIGGER} AFTER UPDATE OF {listed} ON products FOR EACH ROW {_BUMP[dialect]}")


@contextmanager
def constraints_of_orders_change() -> Iterator[BatchOperations]:
    """In a migration, around changes to the check constraints of orders. For such a change SQLite copies the table.

    The table's indexes on expressions cannot be read back, so they would be lost in the copy.
    """
    for name in _EXPRESSION_INDEXES_OF_ORDERS:
        op.drop_index(name, "orders")
    with op.batch_alter_table("orders") as batch:
        yield batch
    for name, expression in _EXPRESSION_INDEXES_OF_ORDERS.items():
        op.create_index(name, "orders", [text(expression)])
