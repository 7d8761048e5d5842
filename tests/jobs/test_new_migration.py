"""`make migration` writes columns with their checks, and products' inside `columns_of_products_change`."""

from textwrap import indent
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext
from alembic.operations import Operations
from mako.template import Template
from sqlalchemy import Engine, inspect
from sqlmodel import Session, SQLModel

from alembic import op
from marketplace_app.jobs.migrate import columns_of_products_change
from marketplace_app.jobs.new_migration import complete, render_item
from marketplace_app.models.base import one_of
from tests.builders import make_product
from tests.databases import ROOT
from tests.jobs.test_migrations import version_grows_by

# Indexes on expressions, which cannot be read from SQLite.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Skipped unsupported reflection:sqlalchemy.exc.SAWarning", "ignore:autogenerate skipping:UserWarning"
)
TABLES = SQLModel.metadata.tables


def declared(table: str, column: sa.Column[Any], check: sa.CheckConstraint) -> sa.MetaData:
    """The models' tables, one of them with one more column and its check."""
    metadata = sa.MetaData(naming_convention=SQLModel.metadata.naming_convention)
    for each in TABLES.values():
        each.to_metadata(metadata)
    metadata.tables[table].append_column(column)
    metadata.tables[table].append_constraint(check)
    return metadata


def written(engine: Engine, metadata: sa.MetaData) -> tuple[str, str]:
    """The code of `upgrade` and of `downgrade`."""
    options = {"include_object": lambda _thing, name, kind, *_: kind != "table" or name in TABLES}
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        script = produce_migrations(context, metadata)
        complete(context, script)
    upgrade, downgrade = script.upgrade_ops, script.downgrade_ops
    assert upgrade is not None
    assert downgrade is not None
    return render_python_code(upgrade, render_item=render_item), render_python_code(downgrade, render_item=render_item)


def run(engine: Engine, code: str) -> None:
    with engine.begin() as connection, Operations.context(MigrationContext.configure(connection)):
        names = {"op": op, "sa": sa, "columns_of_products_change": columns_of_products_change}
        exec(f"def migrate():\n{indent(code, '    ')}\n\nmigrate()", names)  # noqa: S102


def checks_of(engine: Engine, table: str) -> set[str | None]:
    return {each["name"] for each in inspect(engine).get_check_constraints(table)}


def test_a_column_of_products_is_written_with_its_check_and_the_trigger(engine: Engine, session: Session) -> None:
    make_product(session, "Fern Hollow")
    session.commit()
    session.close()
    cupboard = one_of("cupboard", ("Cool", "The owner's shelf"))
    upgrade, downgrade = written(engine, declared("products", sa.Column("cupboard", sa.String()), cupboard))
    run(engine, upgrade)
    assert "ck_products_cupboard_known" in checks_of(engine, "products")
    assert version_grows_by(engine, "cupboard = 'Cool'") == 1
    with pytest.raises(sa.exc.IntegrityError):
        version_grows_by(engine, "cupboard = 'Attic'")
    run(engine, downgrade)
    assert "ck_products_cupboard_known" not in checks_of(engine, "products")
    assert version_grows_by(engine, "name = name") == 1


def test_a_required_column_of_another_table_is_written_with_its_check(engine: Engine) -> None:
    column = sa.Column("floor", sa.Integer(), nullable=False, server_default="0")
    check = sa.CheckConstraint("floor >= 0", name="floor_not_negative")
    upgrade, downgrade = written(engine, declared("addresses", column, check))
    assert "columns_of_products_change" not in upgrade + downgrade
    run(engine, upgrade)
    assert "ck_addresses_floor_not_negative" in checks_of(engine, "addresses")
    run(engine, downgrade)
    assert "ck_addresses_floor_not_negative" not in checks_of(engine, "addresses")


@pytest.mark.parametrize(("default", "code"), [(sa.false(), "sa.false()"), (sa.true(), "sa.true()")])
def test_a_flag_has_a_default_that_both_databases_accept(engine: Engine, default: Any, code: str) -> None:
    column = sa.Column("is_tidy", sa.Boolean(), nullable=False, server_default=default)
    check = sa.CheckConstraint("floor >= 0", name="unused")
    upgrade, downgrade = written(engine, declared("addresses", column, check))
    assert f"server_default={code}" in upgrade
    run(engine, upgrade)
    run(engine, downgrade)


def test_what_the_databases_write_differently_is_left_to_the_developer(engine: Engine) -> None:
    column = sa.Column("until", sa.DateTime(timezone=True))
    check = sa.CheckConstraint("until IS NOT NULL", name="until_given")
    upgrade, _ = written(engine, declared("addresses", column, check))
    assert "op.add_column('addresses'" in upgrade
    assert "until_given" not in upgrade


def test_the_file_is_a_sentence_and_the_statements_alone() -> None:
    """Alembic's own comments, which ask for changes, would stay in the repository."""
    begin, end = "# ### commands auto generated by Alembic - please adjust! ###", "# ### end Alembic commands ###"
    given = {"imports": "", "up_revision": "0037", "down_revision": "0036", "downgrades": f"{begin}\n    {end}"}
    template = Template(filename=str(ROOT / "alembic" / "script.py.mako"))
    code = template.render(message="add the CBN of products", upgrades=f"{begin}\n    op.add()\n    {end}", **given)
    assert code.startswith('"""Add the CBN of products."""\n')
    assert "#" not in code
    assert code.endswith("def upgrade() -> None:\n    op.add()\n\n\ndef downgrade() -> None:\n    pass\n")
