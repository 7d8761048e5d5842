"""Migrations carry a shop with customers and orders from any revision to the newest, and back."""

from collections.abc import Callable, Iterator

import pytest
from alembic.config import Config
from sqlalchemy import Engine, inspect, text
from sqlmodel import Session

from alembic import command
from marketplace_app.services import invariants
from tests.conftest import ROOT, PostgreSql, Sqlite
from tests.jobs.test_seed_scale import open_shop


@pytest.fixture(params=["sqlite", "postgresql"])
def shop(request: pytest.FixtureRequest, databases: Callable[[str], Sqlite | PostgreSql]) -> Iterator[Engine]:
    with open_shop(databases(request.param), 60, 40, 100) as engine:
        yield engine


def move(engine: Engine, act: Callable[[Config, str], None], revision: str) -> None:
    settings = Config(str(ROOT / "alembic.ini"))
    with engine.connect() as connection:
        settings.attributes["connection"] = connection
        act(settings, revision)


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
        assert [verdict.name for verdict in invariants.check(session) if not verdict.is_kept] == []
