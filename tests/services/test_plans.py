"""The main queries of the catalogue and the admin pages are answered from indexes, as both databases' plans show."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.adapters import versioned_cache
from marketplace_app.models import Role, User
from marketplace_app.schemas.admin.orders import OrderQuery
from marketplace_app.schemas.admin.products import AdminProductQuery
from marketplace_app.schemas.admin.statistics import SpanQuery
from marketplace_app.schemas.admin.users import UserQuery
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.admin import products as admin_products
from marketplace_app.services.admin import statistics, tax_report
from marketplace_app.services.admin import users as admin_users
from marketplace_app.services.dispatch import ready, risk_watch
from marketplace_app.services.products import products
from tests.databases import PostgreSql, Sqlite
from tests.jobs.test_seed_scale import large_store

Operation = Callable[[Session, User], Any]
SORTS = re.compile(r"\bSort  \(|TEMP B-TREE FOR ORDER BY")
_DELIVERIES = """INSERT INTO order_deliveries
    (order_id, zone_name, window_starts_at, window_ends_at, promised_by, door_pin, substitution, attempts)
    SELECT id, 'East side', created_at, estimated_delivery_at, estimated_delivery_at, '4071', 'ask', 0 FROM orders"""
PRODUCT_INDEXES = {
    "name": "sort_name",
    "price": "price_cents",
    "stock": "stock",
    "updated": "updated_at",
    "created": "created_at",
}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shop(request: pytest.FixtureRequest, databases: Callable[[str], Sqlite | PostgreSql]) -> Iterator[Engine]:
    """Four thousand orders, delivered in windows, analysed as a server does by itself from time to time."""
    statement = "ANALYZE" if request.param == "sqlite" else "VACUUM ANALYZE"
    with large_store(databases(request.param), 300, 400, 4_000) as engine:
        with engine.begin() as connection:
            connection.execute(text(_DELIVERIES))
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(statement))
        yield engine


def plans(engine: Engine, operation: Operation, *without: str) -> str:
    """How the database answers each statement of an operation. PostgreSQL avoids the plan types in `without`, such as
    `seqscan`, where it can."""
    sent: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "WITH")):
            sent.append((statement, parameters))

    actor = User(issuer="", subject="", verified_email="", email="", role=Role.OWNER)
    event.listen(engine, "before_cursor_execute", note)
    with Session(engine) as session:
        operation(session, actor)
    event.remove(engine, "before_cursor_execute", note)
    explain = "EXPLAIN QUERY PLAN " if engine.dialect.name == "sqlite" else "EXPLAIN "
    with engine.connect() as connection:
        for plan_type in without if engine.dialect.name == "postgresql" else ():
            connection.exec_driver_sql(f"SET LOCAL enable_{plan_type} = off")
        rows = [row for each in sent for row in connection.exec_driver_sql(explain + each[0], each[1])]
    return "\n".join(str(row[-1]) for row in rows)


def listing(**query: Any) -> Operation:
    parsed = parse(OrderQuery, {"limit": 25} | query)
    return lambda session, actor: admin_orders.list_all(session, actor, parsed)


def users_by(sort: str, order: str = "desc") -> Operation:
    parsed = parse(UserQuery, {"limit": 25, "sort": sort, "order": order})
    return lambda session, actor: admin_users.list_all(session, actor, parsed)


def fresh_report(session: Session, actor: User) -> Any:
    """Not the one kept from before."""
    versioned_cache.clear_all()
    return statistics.report(session, actor, SpanQuery(days=7))


def who_is_to_be_asked_whether_ready(session: Session, _actor: User) -> Any:
    return ready.list_due(session, clock.now())


def what_is_at_risk(session: Session, _actor: User) -> Any:
    return risk_watch.has_new_risk(session, clock.now() - timedelta(minutes=5), clock.now())


@pytest.mark.parametrize(
    ("operation", "index"),
    [
        (listing(), "ix_orders_placed"),
        (listing(offset=3_000), "ix_orders_placed"),
        (listing(status=["pending"]), "ix_orders_status"),
        (listing(sort="total"), "ix_orders_total"),
        (listing(sort="customer", order="asc"), "ix_orders_search_text"),
        (listing(q="deadbee1"), "ix_orders_id_start"),
        (listing(q="deadbee1"), "ix_orders_id_end"),
        (listing(placedFrom="2026-01-01", placedTo="2026-01-02"), "ix_orders_placed"),
        (fresh_report, "ix_orders_placed"),
        (fresh_report, "ix_orders_user_id_created_at"),
        (fresh_report, "ix_order_lines_sold"),
        (statistics.needs_attention, "ix_orders_status"),
        (who_is_to_be_asked_whether_ready, "ix_orders_status"),
        (what_is_at_risk, "ix_orders_status"),
        (users_by("spent"), "ix_orders_user_id_created_at"),
    ],
)
def test_the_main_queries_use_their_index(shop: Engine, operation: Operation, index: str) -> None:
    used = plans(shop, operation)
    assert index in used, used


def test_an_order_is_found_by_its_number_from_the_index_of_numbers(shop: Engine) -> None:
    index = {"sqlite": "(number=?)", "postgresql": "uq_orders_number"}[shop.dialect.name]
    used = plans(shop, listing(q="1500"))
    assert index in used, used


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("sort", ["name", "price", "stock", "updated", "created"])
def test_a_page_of_products_is_read_from_an_index_even_where_values_are_equal(
    shop: Engine, sort: str, order: str
) -> None:
    parsed = parse(AdminProductQuery, {"limit": 25, "offset": 50, "sort": sort, "order": order})
    used = plans(shop, lambda session, actor: admin_products.list_products(session, actor, parsed), "seqscan", "sort")
    assert f"ix_products_{PRODUCT_INDEXES[sort]}" in used, used
    assert len(SORTS.findall(used)) <= 1, f"only the page itself is sorted:\n{used}"


@pytest.mark.parametrize(("sort", "index"), [("name", "ix_users_search_text"), ("joined", "ix_users_created_at")])
def test_people_are_read_in_the_order_of_an_index(shop: Engine, sort: str, index: str) -> None:
    used = plans(shop, users_by(sort), "seqscan", "sort")
    assert index in used, used
    assert not SORTS.findall(used), used


def test_the_catalogue_is_read_in_the_order_of_an_index_and_a_page_by_its_ids(shop: Engine) -> None:
    versioned_cache.clear_all()
    parsed = parse(ProductQuery, {"limit": 24, "search": "fern"})
    used = plans(shop, lambda session, actor: products.list_products(session, actor, parsed), "seqscan", "sort")
    by_id = {"sqlite": "USING INTEGER PRIMARY KEY (rowid=?)", "postgresql": "pk_products"}[shop.dialect.name]
    words = {"sqlite": "VIRTUAL TABLE INDEX", "postgresql": "ix_product_search_document"}[shop.dialect.name]
    assert "ix_products_shelf" in used, used
    assert not SORTS.findall(used), used
    assert by_id in used, used
    assert words in used, used


@pytest.fixture
def taxed_shop(shop: Engine) -> Iterator[Engine]:
    """Each order has two taxes."""
    tax = "INSERT INTO order_taxes (order_id, position, code, label, kind, basis_points, base_cents, amount_cents)"
    with shop.begin() as connection:
        for code in ("excise", "sales"):
            values = f"SELECT id, 1, '{code}', 'Tax', 'added', 1500, 10000, 1500 FROM orders"  # noqa: S608
            connection.execute(text(f"{tax} {values}"))
        connection.execute(text("ANALYZE order_taxes"))
    yield shop
    with shop.begin() as connection:
        connection.execute(text("DELETE FROM order_taxes"))


def test_taxes_are_found_by_the_orders_of_their_span(taxed_shop: Engine) -> None:
    query = SpanQuery(days=7)

    def report(session: Session, actor: User) -> Any:
        return tax_report.report(session, actor, query)

    # PostgreSQL would read this small table as a whole.
    used = plans(taxed_shop, report, "seqscan", "hashjoin", "mergejoin")
    taxes_of_an_order = {
        "sqlite": "SEARCH order_taxes USING INDEX sqlite_autoindex_order_taxes_1 (order_id=?)",
        "postgresql": "Index Scan using uq_order_taxes_order_id_code on order_taxes",
    }
    assert "ix_orders_placed" in used, used
    assert taxes_of_an_order[taxed_shop.dialect.name] in used, used


def test_low_stock_is_counted_from_an_index_alone(shop: Engine) -> None:
    used = plans(shop, statistics.needs_attention, "seqscan", "bitmapscan")
    assert "ix_products_low_stock" in used, used


def test_a_search_reads_the_index_of_its_text_and_not_the_orders(shop: Engine) -> None:
    used = plans(shop, listing(q="whitfield"), "seqscan")
    alone = {"sqlite": "USING COVERING INDEX", "postgresql": "Index Only Scan using"}[shop.dialect.name]
    assert f"{alone} ix_orders_search_text" in used, used


def test_figures_are_added_up_from_an_index_alone(shop: Engine) -> None:
    used = plans(shop, statistics.totals)
    covering = {"sqlite": "orders USING COVERING INDEX", "postgresql": "Index Only Scan"}[shop.dialect.name]
    assert covering in used, used
