"""Migrations carry a shop with customers and orders from any revision to the newest, and back."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Engine, inspect, text
from sqlmodel import Session, SQLModel

from alembic import command, op
from marketplace_app import db
from marketplace_app.adapters import postgresql
from marketplace_app.jobs.migrate import columns_of_products_change
from marketplace_app.models import Product, ProductType
from marketplace_app.services import invariants
from marketplace_app.services.products import products
from tests import pgbouncer
from tests.databases import ROOT, PostgreSql, Sqlite
from tests.jobs.test_seed_scale import large_store


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def shop(request: pytest.FixtureRequest, databases: Callable[[str], Sqlite | PostgreSql]) -> Iterator[Engine]:
    with large_store(databases(request.param), 60, 40, 100) as engine:
        yield engine


UNREACHABLE_POOLER = "postgresql+psycopg://shop@127.0.0.1:1/shop"


def move(engine: Engine, act: Callable[[Config, str], None], revision: str) -> None:
    config = Config(str(ROOT / "alembic.ini"))
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        act(config, revision)


def sizes(engine: Engine) -> dict[str, int]:
    names = inspect(engine).get_table_names()
    with engine.connect() as connection:
        return {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in names}


def test_a_shop_goes_down_to_the_first_revision_and_up_again(shop: Engine) -> None:
    before = sizes(shop)
    move(shop, command.downgrade, "0001")
    below = sizes(shop)
    move(shop, command.upgrade, "head")
    after = sizes(shop)
    assert min(before[name] for name in ("users", "orders", "order_lines", "products")) > 0
    assert {name: after[name] for name in below} == {name: before[name] for name in below}
    with Session(shop) as session:
        assert [result.name for result in invariants.check(session) if not result.holds] == []


@pytest.mark.slow
def test_processes_that_start_together_migrate_one_after_the_other(
    databases: Callable[[str], Sqlite | PostgreSql],
) -> None:
    """As several machines do when a release is rolled out: without the pooler, and without the shop's time limits.

    The database then has the settings that connections through the pooler need.
    """
    server = databases("postgresql")
    engine = server.borrow(is_new=True)
    move(engine, command.downgrade, "0001")
    url = engine.url.render_as_string(hide_password=False)
    settings = os.environ | pgbouncer.settings(url) | {"DATABASE_URL": UNREACHABLE_POOLER}
    upgrade = [sys.executable, "-m", "alembic", "upgrade", "head"]
    together = [subprocess.Popen(upgrade, cwd=ROOT, env=settings, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    errors = [process.communicate()[1] for process in together]
    assert [process.returncode for process in together] == [0, 0, 0], errors
    as_through_pooler = db.make_engine(url, direct_url=url)
    with as_through_pooler.connect() as connection:
        assert postgresql.differing_settings(connection) == {}
    as_through_pooler.dispose()
    server.give_back(engine)


def test_existing_orders_are_found_by_street_and_product(shop: Engine) -> None:
    def texts() -> list[str]:
        with shop.connect() as connection:
            return list(connection.execute(text("SELECT search_text FROM orders ORDER BY number")).scalars())

    now = texts()
    move(shop, command.downgrade, "0015")
    assert {len(each.split("\n")) for each in texts()} == {3}
    move(shop, command.upgrade, "head")
    assert texts() == now
    assert min(len(each.split("\n")) for each in now) >= 5


def test_existing_products_are_indexed_like_new_ones(shop: Engine) -> None:
    """The demo's products of `large_store`, as the migration writes them and as today's code does."""

    def rows() -> list[tuple[object, ...]]:
        is_sqlite = shop.dialect.name == "sqlite"
        read = (
            "SELECT rowid, * FROM product_search"
            if is_sqlite
            else "SELECT product_id, document::text FROM product_search"
        )
        with shop.connect() as connection:
            return sorted(tuple(row) for row in connection.execute(text(read)))

    with Session(shop) as session:
        product = session.execute(sa.select(Product).order_by(Product.id)).scalars().first()
        assert product is not None
        product.name, product.sku, product.type = "Grand Daddy Purple No. 1", "GDP-001", ProductType.EIGHTH
        product.effects, product.flavors, product.brand = ["Sleepy", "Uplifted"], ["Crème brûlée"], "Hollis & Fern"
        products.save(session, product)
        session.commit()
    now = rows()
    move(shop, command.downgrade, "0017")
    before = rows()
    move(shop, command.upgrade, "head")
    assert rows() == now
    assert len(before) == len(now) > 0
    assert before != now


def version_grows_by(shop: Engine, setting: str) -> int:
    """How much an update of a product raises the catalogue's version."""
    version = text("SELECT value FROM counters WHERE name = 'catalogue'")
    with shop.begin() as connection:
        before = connection.execute(version).scalar_one()
        connection.execute(text(f"UPDATE products SET {setting} WHERE id = (SELECT min(id) FROM products)"))
        return int(connection.execute(version).scalar_one() - before)


def test_a_new_column_of_products_counts_for_the_catalogues_version(shop: Engine) -> None:
    def act(change: Callable[[], None]) -> None:
        with shop.begin() as connection:
            context = MigrationContext.configure(connection)
            with Operations.context(context), columns_of_products_change():
                change()

    act(lambda: op.add_column("products", sa.Column("one_more", sa.Date())))
    assert version_grows_by(shop, "one_more = '2026-10-01'") == 1
    act(lambda: op.drop_column("products", "one_more"))
    assert version_grows_by(shop, "name = name") == 1


def test_every_column_of_products_but_the_stock_counts_for_the_catalogues_version(shop: Engine) -> None:
    ignored = {name for name in Product.model_fields if not version_grows_by(shop, f"{name} = {name}")}
    assert "stock" in ignored
    assert ignored == {"stock"}, f"Their migration lacks `with columns_of_products_change():` {ignored - {'stock'}}"


def test_every_check_of_the_models_is_in_the_database(engine: Engine) -> None:
    """Alembic compares no checks, so neither `make migration` nor `make drift` sees one that is missing."""
    constraints = [each for table in SQLModel.metadata.tables.values() for each in table.constraints]
    declared = {str(each.name) for each in constraints if isinstance(each, sa.CheckConstraint)}
    there = {each["name"] for found in inspect(engine).get_multi_check_constraints().values() for each in found}
    assert declared
    assert not declared - there, f"Add these to the migration, written as in revision 0012: {declared - there}"
    assert not there - declared, f"No model declares these: {there - declared}"


READ_INDEXES_OF_ORDERS = {
    "sqlite": "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = 'orders'",
    "postgresql": "SELECT indexdef FROM pg_indexes WHERE tablename = 'orders' AND schemaname = 'public'",
}


def indexes_of_orders(engine: Engine) -> set[str]:
    """As the databases keep them, because inspection leaves out indexes on expressions."""
    with engine.connect() as connection:
        return set(connection.execute(text(READ_INDEXES_OF_ORDERS[engine.dialect.name])).scalars())


def test_orders_keep_all_their_indexes_when_their_table_is_copied(shop: Engine) -> None:
    now = indexes_of_orders(shop)
    move(shop, command.downgrade, "0023")
    before = indexes_of_orders(shop)
    move(shop, command.upgrade, "head")
    assert before == now == indexes_of_orders(shop)
    assert len(now) >= 10


def test_a_release_that_knows_no_tax_can_still_insert_orders(shop: Engine) -> None:
    """The row of an order without the columns that revision 0024 added (RULE rolling-releases)."""
    known = [each["name"] for each in inspect(shop).get_columns("orders")]
    columns = [name for name in known if name not in ("promotion_discount_cents", "tax_cents", "cash_rounding_cents")]
    copied = ", ".join(columns)
    changed = ", ".join({"id": "'a-new-order'", "number": "900000"}.get(name, name) for name in columns)
    with shop.begin() as connection:
        # A cancelled order, because the indexes on discounts allow a second one of those.
        cancelled = "WHERE number = (SELECT MIN(number) FROM orders WHERE status = 'cancelled')"
        connection.execute(text(f"INSERT INTO orders ({copied}) SELECT {changed} FROM orders {cancelled}"))
        amounts = text(
            "SELECT promotion_discount_cents, tax_cents, cash_rounding_cents FROM orders WHERE number=900000"
        )
        assert tuple(connection.execute(amounts).one()) == (0, 0, 0)
