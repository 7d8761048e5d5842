"""Rules of US states in the store under test.

Versions cannot be removed again, so each test uses a state that no other test uses.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.e2e.acts import run_sql
from tests.e2e.running import Store

_SINCE = "2026-01-01 00:00:00"


def sourced(value: object) -> list[dict[str, object]]:
    return [{"value": value, "source": "test"}]


def add_rules(store: Store, state: str, *, is_reviewed: bool = True, **lines: Any) -> None:
    """A version that counts since 2026 and allows delivery for cash, with more lines by wire name."""
    rules = {"delivery": sourced(True), "cashOnDelivery": sourced(True)} | lines
    names = "state, valid_from, rules, source, checked_on, created_at, choices, reviewed_at"
    values = ":state, '2026-01-01', :rules, 'test', '2026-01-01', :since"
    review = "'{}', :since" if is_reviewed else "NULL, NULL"
    run_sql(
        store,
        f"INSERT INTO jurisdiction_versions ({names}) VALUES ({values}, {review})",
        state=state,
        rules=json.dumps(rules),
        since=_SINCE,
    )


@contextmanager
def enforced(store: Store) -> Iterator[None]:
    """Rules are applied for the time of a test."""
    _enforce(store, 1)
    yield
    _enforce(store, 0)


def _enforce(store: Store, value: int) -> None:
    run_sql(
        store,
        "INSERT INTO shop_settings (name, previous, value, reason, created_at) "
        "VALUES ('enforce_jurisdiction', :previous, :value, 'test', :since)",
        previous=1 - value,
        value=value,
        since=_SINCE,
    )
