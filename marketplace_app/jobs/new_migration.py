"""Adds to a migration written by `make migration` what Alembic leaves out: the checks of an added column, and the
trigger on products. Other new checks are written by hand."""

import re
from typing import Any

from alembic.autogenerate.api import AutogenContext
from alembic.autogenerate.render import render_op, renderers
from alembic.operations import ops
from alembic.runtime.migration import MigrationContext
from sqlalchemy import CheckConstraint, Column, Connection, DefaultClause, False_, True_, inspect
from sqlalchemy.dialects import registry
from sqlalchemy.schema import CreateColumn
from sqlmodel import AutoString

from marketplace_app.models.base import TextEnum, UtcDateTime

_IMPORT = "from marketplace_app.jobs.migrate import columns_of_products_change"


class ProductColumnsOp(ops.MigrateOperation):
    """Changes of products that add or drop columns, inside `with columns_of_products_change():`."""

    def __init__(self, changes: list[ops.MigrateOperation]) -> None:
        self.changes = changes


@renderers.dispatch_for(ProductColumnsOp)
def _render(context: AutogenContext, op: ProductColumnsOp) -> list[str]:
    lines = [line for change in op.changes for line in render_op(context, change)]
    return ["with columns_of_products_change():", *lines, ""]  # the empty line ends the block


def render_item(kind: str, thing: object, autogen_context: object) -> str | bool:
    """Python code that suits both databases; False leaves it to Alembic."""
    if kind == "type" and isinstance(thing, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(thing, TextEnum | AutoString):
        return "sa.String()"
    if kind == "server_default" and isinstance(thing, DefaultClause) and isinstance(thing.arg, True_ | False_):
        return "sa.true()" if isinstance(thing.arg, True_) else "sa.false()"  # PostgreSQL refuses SQLite's 1 and 0
    return False


def complete(migration: MigrationContext, script: ops.MigrationScript) -> None:
    """Add what Alembic leaves out to the script, before it is written."""
    assert migration.connection is not None
    operations = [op for container in (script.upgrade_ops, script.downgrade_ops) if container for op in container.ops]
    for changed in operations:
        if not isinstance(changed, ops.ModifyTableOps):
            continue
        changes_columns = any(isinstance(op, ops.AddColumnOp | ops.DropColumnOp) for op in changed.ops)
        changed.ops = [_with_checks(migration.connection, op) for op in changed.ops]
        if changed.table_name == "products" and changes_columns:
            changed.ops = [ProductColumnsOp(changed.ops)]
            script.imports.add(_IMPORT)


def _with_checks(connection: Connection, op: ops.MigrateOperation) -> ops.MigrateOperation:
    """Add a column together with its checks, in SQL that both databases accept.

    SQLite cannot add a check to an existing table, except with a new column.
    """
    if not isinstance(op, ops.AddColumnOp) or not (checks := _new_checks(connection, op.column)):
        return op
    dialects = [registry.load(name)() for name in ("sqlite", "postgresql")]
    definitions = {str(CreateColumn(op.column).compile(dialect=dialect)) for dialect in dialects}
    if len(definitions) > 1:
        return op  # the databases name its type differently, so this has to be written by hand
    constraints = "".join(f" CONSTRAINT {each.name} CHECK ({each.sqltext})" for each in checks)
    return ops.ExecuteSQLOp(f"ALTER TABLE {op.table_name} ADD COLUMN {definitions.pop()}{constraints}")


def _new_checks(connection: Connection, column: Column[Any]) -> list[CheckConstraint]:
    """The checks that the database does not have yet and that name no other column."""
    present = {each["name"] for each in inspect(connection).get_check_constraints(column.table.name)}
    declared = [each for each in column.table.constraints if isinstance(each, CheckConstraint)]
    new = [each for each in declared if str(each.name) not in present]
    return [each for each in new if _columns_in(each, column) == {column.name}]


def _columns_in(check: CheckConstraint, column: Column[Any]) -> set[str]:
    words = re.findall(r"\w+", re.sub(r"'[^']*'", "", str(check.sqltext)))
    return {each.name for each in column.table.columns} & set(words)
