"""The version that decides whether cached answers are valid (docs/decisions/0006-cached-answers.md)."""

from collections.abc import Callable
from datetime import date
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import search
from marketplace_app.models import LabReport, Product
from marketplace_app.services.products import products
from marketplace_app.services.records import counters
from tests.builders import make_batch, make_product

COLUMNS = [column.name for column in Product.__table__.columns if column.name != "stock"]  # type: ignore[attr-defined]
WORDS = {
    *("id", "sku", "name", "sort_name", "description", "category", "type", "strain", "brand"),
    *("net_weight_grams", "thc_mg", "effects", "flavors", "is_active"),
}
PANELS = dict.fromkeys(("pesticides", "heavy_metals", "residual_solvents", "microbials"), "Not Detected")


@pytest.fixture
def product(session: Session) -> Product:
    made = make_product(session, stock=3)
    session.commit()
    return made


def version() -> int:
    return db.read(lambda session: products.version(session, None))


def words_version() -> int:
    return db.read(lambda session: counters.read(session, counters.SEARCH_WORDS))


def has_grown(session: Session, statement: str, read_version: Callable[[], int] = version, **values: object) -> bool:
    """Straight to the database, past every service."""
    before = read_version()
    session.execute(text(statement), values)
    session.commit()
    return read_version() > before


@pytest.mark.parametrize("column", COLUMNS)
def test_it_grows_with_every_column_of_a_product(session: Session, product: Product, column: str) -> None:
    assert has_grown(session, f"UPDATE products SET {column} = {column} WHERE id = :id", id=product.id)


def test_it_grows_with_stock_only_where_it_runs_out_or_comes_back(session: Session, product: Product) -> None:
    sell = "UPDATE products SET stock = :stock WHERE id = :id"
    assert not has_grown(session, sell, stock=1, id=product.id)
    assert has_grown(session, sell, stock=0, id=product.id)
    assert has_grown(session, sell, stock=7, id=product.id)


def test_it_grows_with_products_that_come_and_go(session: Session) -> None:
    before = version()
    product = make_product(session, stock=0)
    session.commit()
    assert version() > before
    assert has_grown(session, "DELETE FROM products WHERE id = :id", id=product.id)


def test_it_grows_with_lab_reports(session: Session, product: Product) -> None:
    before = version()
    session.add(LabReport(product_id=product.id, lot="7789", reported_on=date(2026, 9, 6), **PANELS))
    session.commit()
    assert version() > before
    assert has_grown(session, "UPDATE lab_reports SET lot = '7790'")
    assert has_grown(session, "DELETE FROM lab_reports")


def test_it_grows_with_what_is_shown_of_batches_and_where_one_runs_out_or_comes_back(
    session: Session, product: Product
) -> None:
    before = version()
    make_batch(session, product, units=3)
    session.commit()
    assert version() > before
    for column in ("code", "expires_on", "reported_on", *PANELS):
        assert has_grown(session, f"UPDATE batches SET {column} = {column}"), column
    assert not has_grown(session, "UPDATE batches SET units = 2")
    assert not has_grown(session, "UPDATE batches SET unit_cost_cents = 900")
    assert has_grown(session, "UPDATE batches SET units = 0")
    assert has_grown(session, "UPDATE batches SET units = 1")


def test_it_grows_with_categories(session: Session) -> None:
    add = "INSERT INTO categories (name, hue, position, panel_position, is_active) VALUES ('Seeds', 'grey', 9, 9, true)"
    assert has_grown(session, add)
    assert has_grown(session, "UPDATE categories SET is_active = false WHERE name = 'Seeds'")
    assert has_grown(session, "DELETE FROM categories WHERE name = 'Seeds'")


def test_it_does_not_grow_with_what_is_rolled_back(session: Session, product: Product) -> None:
    before = version()
    session.execute(text("UPDATE products SET price_cents = 1"))
    session.rollback()
    assert version() == before


@pytest.mark.parametrize("column", sorted(WORDS))
def test_the_version_of_the_words_grows_with_what_a_product_is_found_by(
    session: Session, product: Product, column: str
) -> None:
    statement = f"UPDATE products SET {column} = {column} WHERE id = :id"
    assert has_grown(session, statement, words_version, id=product.id)


@pytest.mark.parametrize("change", ["stock = 0", "price_cents = 100", "review_count = 7", "is_featured = true"])
def test_the_version_of_the_words_does_not_grow_with_anything_else(
    session: Session, product: Product, change: str
) -> None:
    assert not has_grown(session, f"UPDATE products SET {change} WHERE id = :id", words_version, id=product.id)


def test_the_version_of_the_words_grows_with_products_and_synonyms_that_come_and_go(session: Session) -> None:
    before = words_version()
    product = make_product(session, stock=0)
    session.commit()
    assert words_version() > before
    assert has_grown(session, "DELETE FROM products WHERE id = :id", words_version, id=product.id)
    assert has_grown(session, "UPDATE synonyms SET replacement = replacement", words_version)
    assert has_grown(session, "DELETE FROM synonyms", words_version)


def test_every_fact_that_a_search_reads_is_among_its_words(session: Session) -> None:
    """A column that search begins to read must raise the version too (migration 0023)."""

    class Noted(SimpleNamespace):
        def __getattribute__(self, name: str) -> object:
            read.add(name)
            return super().__getattribute__(name)

    read: set[str] = set()
    product = make_product(session)
    facts = Noted(**{column.name: getattr(product, column.name) for column in Product.__table__.columns})  # type: ignore[attr-defined]
    search.index_many(session, [facts])
    columns_read = read & {*COLUMNS, "stock"}
    assert {"name", "description"} <= columns_read <= WORDS
