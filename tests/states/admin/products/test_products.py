"""The list of products for staff (RULE products-list, RULE uncounted-products)."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app.services.admin import products as admin_products
from marketplace_app.services.admin import uncounted_products
from marketplace_app.states.admin.products.products import PATH, AdminProductsState, _row
from tests.builders import enforce_rules, make_product, make_rules
from tests.conftest import ON_SQLITE
from tests.services.admin.test_uncounted_products import buckets
from tests.states.admin.conftest import Tab
from tests.states.tabs import show_url


def load(tab: Tab, query: str = "") -> Any:
    show_url(tab.root, f"{PATH}{query}")
    state = tab.state(AdminProductsState)
    tab.send(state, "load")
    return state


def make_four(session: Session) -> None:
    make_product(session, "Fern", stock=1_200)
    make_product(session, "Larch", stock=3, category="Edibles")
    make_product(session, "Moss", is_active=False)
    make_product(session, "Quiet Mint", stock=90, category="Edibles")
    session.commit()


@ON_SQLITE
def test_each_segment_says_how_many_products_it_would_show_with_the_other_filters(tab: Tab, session: Session) -> None:
    make_four(session)
    state = load(tab)
    assert state.counts == {"all": "4", "active": "3", "archived": "1", "low": "1", "untested": "3"}
    for segment, count in state.counts.items():
        assert len(load(tab, f"?show={segment}").products) == int(count)
    assert load(tab, "?show=low&category=Edibles").counts["untested"] == "2"


@ON_SQLITE
@pytest.mark.parametrize(
    ("query", "sort", "direction", "is_filtered"),
    [
        ("", "name", "asc", False),
        ("?q=fern", "", "asc", True),
        ("?q=fern&sort=stock&order=desc", "stock", "desc", True),
        ("?show=low", "name", "asc", True),
    ],
    ids=["all", "a search by its best matches", "a sorted search", "a segment"],
)
def test_the_column_that_sorts_the_list_is_marked(
    query: str, sort: str, direction: str, is_filtered: bool, tab: Tab
) -> None:
    state = load(tab, query)
    assert (state.sort, state.sort_direction, state.is_filtered) == (sort, direction, is_filtered)


@ON_SQLITE
def test_products_that_no_limit_can_count_are_named_only_while_rules_are_enforced(
    tab: Tab, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uncounted_products, "MAX_UNCOUNTED_SHOWN", 2)
    made = [make_product(session, name) for name in ("Fern", "Larch", "Moss")]
    make_rules(session, buckets=buckets("THC Flower"))
    session.commit()
    assert load(tab).uncounted == []
    enforce_rules(session)
    session.commit()
    state = load(tab)
    assert [(row.name, row.href) for row in state.uncounted] == [(each.name, f"{PATH}/{each.id}") for each in made[:2]]
    assert state.uncounted_title.startswith("3 products without weight or THC:")
    assert state.uncounted_more == 1


@ON_SQLITE
def test_a_row_shows_the_stores_day_and_what_is_low(session: Session) -> None:
    made = make_product(session, "Fern", stock=10, price_cents=123_450)
    made.updated_at = datetime(2026, 11, 20, 6, tzinfo=UTC)
    session.flush()
    row = _row(admin_products.view(session, made.id))
    assert (row.price, row.stock, row.is_low, row.updated) == ("$1,234.50", "10", True, "Nov 19, 2026")
