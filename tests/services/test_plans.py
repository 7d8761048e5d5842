"""The desk's main queries are answered from indexes: the databases' own plans say so, with statistics or without."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlmodel import Session

from marketplace_app.jobs import seed_scale
from marketplace_app.models import Role, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.order_desk import OrderQuery
from marketplace_app.schemas.statistics import SpanQuery
from marketplace_app.services import order_desk, statistics
from tests.conftest import PostgreSql, Sqlite
from tests.jobs.test_seed_scale import small_catalogue

Operation = Callable[[Session, User], Any]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shop(request: pytest.FixtureRequest, databases: Callable[[str], Sqlite | PostgreSql]) -> Iterator[Engine]:
    """Four thousand orders, analysed as a server does by itself from time to time."""
    home = databases(request.param)
    engine = home.clone(is_new=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seed_scale.db, "get_engine", lambda: engine)
        small_catalogue(patch)
        seed_scale.seed(300, 400, 4_000, tell=lambda _: None)
    statement = "ANALYZE" if request.param == "sqlite" else "VACUUM ANALYZE"
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(statement))
    yield engine
    home.drop(engine)


def plans(engine: Engine, operation: Operation) -> str:
    """How the database answers each statement of an operation."""
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
        rows = [row for each in sent for row in connection.exec_driver_sql(explain + each[0], each[1])]
    return "\n".join(str(row[-1]) for row in rows)


def listing(**query: Any) -> Operation:
    asked = parse(OrderQuery, {"limit": 25} | query)
    return lambda session, actor: order_desk.list_all(session, actor, asked)


def fresh_report(session: Session, actor: User) -> Any:
    """Not the one kept from before."""
    statistics._REPORTS._answers.clear()
    return statistics.report(session, actor, SpanQuery(days=7))


@pytest.mark.parametrize(
    ("operation", "index"),
    [
        (listing(), "ix_orders_placed"),
        (listing(offset=3_000), "ix_orders_placed"),
        (listing(status=["pending"]), "ix_orders_status"),
        (listing(sort="total"), "ix_orders_total"),
        (listing(sort="customer", order="asc"), "ix_orders_search_text"),
        (listing(q="1500"), "orders_number"),
        (listing(q="deadbee1"), "ix_orders_id_start"),
        (listing(q="deadbee1"), "ix_orders_id_end"),
        (listing(placedFrom="2026-01-01", placedTo="2026-01-02"), "ix_orders_placed"),
        (fresh_report, "ix_orders_placed"),
        (fresh_report, "ix_orders_user_id_created_at"),
        (statistics.needs_a_look, "ix_orders_status"),
    ],
)
def test_the_main_queries_use_their_index(shop: Engine, operation: Operation, index: str) -> None:
    used = plans(shop, operation)
    names = {"orders_number": ("uq_orders_number", "sqlite_autoindex_orders")}.get(index, (index,))
    assert any(name in used for name in names), used


def test_a_search_reads_the_index_of_its_text_and_not_the_orders(shop: Engine) -> None:
    if shop.dialect.name != "sqlite":
        pytest.skip("PostgreSQL reads so small a table whole; bench/admin.py measures it")
    used = plans(shop, listing(q="whitfield"))
    assert "USING COVERING INDEX ix_orders_search_text" in used, used


def test_figures_are_added_up_from_an_index_alone(shop: Engine) -> None:
    used = plans(shop, statistics.totals)
    covering = {"sqlite": "orders USING COVERING INDEX", "postgresql": "Index Only Scan"}[shop.dialect.name]
    assert covering in used, used
