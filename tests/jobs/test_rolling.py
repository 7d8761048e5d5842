"""A release works on the database that the next one has migrated (RULE rolling-releases)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect
from sqlmodel import SQLModel

from alembic import command
from tests.databases import ROOT, PostgreSql, Sqlite
from tests.jobs.test_migrations import move

pytestmark = pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
SAVED = {str(column) for column in SQLModel.metadata.tables["saved_products"].columns}
RELEASED = (ROOT / "deploy" / "last-release").read_text().split()[1]


@pytest.fixture
def engine_of_any_revision(databases: Callable[[str], Sqlite | PostgreSql]) -> Iterator[Engine]:
    server = databases("sqlite")
    engine = server.borrow(is_new=True)
    yield engine
    server.give_back(engine)


@dataclass(frozen=True)
class Part:
    """A column, or a rule of a table, with what it demands of whoever writes a row."""

    name: str
    type: str = ""
    """Of a rule: its condition, or its columns."""
    is_required: bool = False
    checked: frozenset[str] = frozenset()
    """Of a check or a foreign key: the columns that it is about."""
    is_unique: bool = False
    """A unique key or index, which inserts name in ON CONFLICT."""


def parts(engine: Engine) -> dict[str, Part]:
    found = {}
    inspector = inspect(engine)
    for table in inspector.get_table_names():
        for column in inspector.get_columns(table):
            is_required = not column["nullable"] and column["default"] is None and not column["primary_key"]
            name = f"{table}.{column['name']}"
            found[name] = Part(name, f"{column['type']}{'' if column['nullable'] else ' NOT NULL'}", is_required)
        checks = inspector.get_check_constraints(table)
        keys = inspector.get_unique_constraints(table)
        indexes = [index for index in inspector.get_indexes(table) if index["unique"]]
        for rule in (*checks, *inspector.get_foreign_keys(table)):
            name = f"{table}: {rule['name']}"
            words = rule.get("constrained_columns") or re.findall(r"\w+", rule["sqltext"])
            checked = frozenset(f"{table}.{word}" for word in words) & found.keys()
            found[name] = Part(name, condition_of(rule), is_required=True, checked=checked)
        for rule in (*keys, *indexes):
            name = f"{table}: {rule['name']}"
            found[name] = Part(name, condition_of(rule), is_required=True, is_unique=True)
    return found


def condition_of(rule: Mapping[str, Any]) -> str:
    """What a check demands, which columns are unique and among which rows, or what a foreign key refers to."""
    if "constrained_columns" in rule:
        return f"{rule['constrained_columns']} {rule['referred_table']} {rule['referred_columns']}"
    columns = ", ".join(filter(None, rule.get("column_names", ())))
    where = rule.get("dialect_options", {}).get("sqlite_where", "")
    return " ".join(f"{rule.get('sqltext', columns)} {where}".split())


def table_in(name: str) -> str:
    """`users`, of `users.phone` and of `users: no_title`."""
    return re.split("[.:]", name)[0]


def changes_that_break(before: dict[str, Part], after: dict[str, Part]) -> set[str]:
    """What the old release uses that is gone or different, and what has become required since, which it does not know.

    A check that is about new columns only breaks nothing: the old release leaves those columns at their default.
    """
    tables = {table_in(name) for name in before}
    gone = {name for name, part in before.items() if name not in after and (": " not in name or part.is_unique)}
    changed = {name for name in before if name in after and before[name].type != after[name].type}
    asked = {name for name in after if after[name].is_required and table_in(name) in tables}
    asked -= {name for name in asked if after[name].checked and not after[name].checked & before.keys()}
    return gone | changed | {name for name in asked if name not in before or not before[name].is_required}


def contracts() -> set[str]:
    """What migrations since the release list as `contracts`: the release does not use it."""
    scripts = ScriptDirectory.from_config(Config(str(ROOT / "alembic.ini")))
    since = [script for script in scripts.walk_revisions() if script.revision > RELEASED]
    return {name for script in since for name in getattr(script.module, "contracts", ())}


def test_the_last_release_can_use_the_newest_schema(engine_of_any_revision: Engine) -> None:
    after = parts(engine_of_any_revision)
    move(engine_of_any_revision, command.downgrade, RELEASED)
    broken = changes_that_break(parts(engine_of_any_revision), after) - contracts()
    assert broken == set(), (
        "The release in deploy/last-release may fail on these, and it still runs while the next one migrates (RULE "
        "rolling-releases). If it does not use them, name them in the migration: `contracts = ('users.phone',)`"
    )


@pytest.mark.parametrize(
    ("statements", "broken"),
    [
        (["ALTER TABLE users DROP COLUMN phone"], {"users.phone"}),
        (["ALTER TABLE users RENAME COLUMN phone TO telephone"], {"users.phone"}),
        (
            ["ALTER TABLE saved_products RENAME TO favourites"],
            SAVED | {"saved_products: uq_saved_products_user_id_product_id"},
        ),
        (["ALTER TABLE users ADD COLUMN title TEXT NOT NULL DEFAULT ''"], set()),
        (["ALTER TABLE users ADD COLUMN title TEXT"], set()),
        (["ALTER TABLE users ADD COLUMN title TEXT CONSTRAINT title_known CHECK (title IN ('Dr'))"], set()),
        (
            ["ALTER TABLE users ADD COLUMN title TEXT CONSTRAINT no_title CHECK (title <> last_name)"],
            {"users: no_title"},
        ),
        (["CREATE TABLE letters (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"], set()),
        (["CREATE UNIQUE INDEX one_phone ON users (phone)"], {"users: one_phone"}),
        (["DROP INDEX uq_orders_referral"], {"orders: uq_orders_referral"}),
        (
            ["DROP INDEX uq_orders_referral", "CREATE UNIQUE INDEX uq_orders_referral ON orders (user_id)"],
            {"orders: uq_orders_referral"},
        ),
        (
            [
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET sql = replace(sql, 'AND 99', 'AND 9') WHERE name = 'cart_lines'",
            ],
            {"cart_lines: ck_cart_lines_quantity_range"},
        ),
    ],
)
def test_a_change_that_would_break_it_is_found(
    engine_of_any_revision: Engine, statements: list[str], broken: set[str]
) -> None:
    before = parts(engine_of_any_revision)
    with engine_of_any_revision.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
    assert changes_that_break(before, parts(engine_of_any_revision)) == broken


def test_a_new_column_that_must_be_written_breaks_it() -> None:
    """SQLite adds no such column to a table that exists."""
    before = {"users.name": Part("users.name")}
    assert changes_that_break(before, before | {"users.title": Part("users.title", "TEXT", True)}) == {"users.title"}
    assert changes_that_break(before, {"users.name": Part("users.name", "", True)}) == {"users.name"}
