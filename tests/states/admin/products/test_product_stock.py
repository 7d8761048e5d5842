"""A product's stock: corrections, and the ledger of movements (RULE stock-ledger)."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.limits import LEDGER_PAGE_SIZE
from marketplace_app.models import Product, StockReason
from marketplace_app.schemas.products.stock import MovementView
from marketplace_app.services.admin import products as admin_products
from marketplace_app.states.admin.products.product_stock import AdminStockState, _row
from tests.builders import make_product
from tests.conftest import ON_SQLITE
from tests.states.admin.conftest import Tab

NOON = datetime(2026, 11, 27, 20, tzinfo=UTC)
"""Noon at the store."""


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, stock=20)
    session.commit()
    return product


def movement(**changes: Any) -> MovementView:
    facts: dict[str, Any] = {
        "id": 1,
        "change": -1_200,
        "reason": StockReason.ADJUST,
        "note": "Broken",
        "created_at": NOON,
        "stock_after": 1_000,
        "order_id": None,
        "order_number": None,
        "by": "Ada",
    }
    return MovementView(**facts | changes)


def show(tab: Tab, product: Product) -> Any:
    state = tab.state(AdminStockState)
    asyncio.run(state._show(db.read(lambda s: admin_products.view(s, product.id))))
    return state


def adjust(tab: Tab, state: Any, change: str, note: str = "Counted") -> None:
    tab.send(state, "adjust", {"change": change, "note": note})


def test_a_correction_says_why_and_who_and_a_movement_of_an_order_links_to_it() -> None:
    corrected = _row(movement())
    assert (corrected.what, corrected.why, corrected.href) == ("Adjusted", "Broken · Ada", "")
    sold = _row(movement(reason=StockReason.SALE, note="", by="", order_id="0b0dbb7a", order_number=1042))
    assert (sold.what, sold.why, sold.href) == ("Sale", "Order 1042", "/admin/orders/0b0dbb7a")
    assert _row(movement(by="")).why == "Broken"


def test_a_change_has_its_sign() -> None:
    less, more = _row(movement()), _row(movement(change=12))
    assert [(row.change, row.is_decrease) for row in (less, more)] == [("−1,200", True), ("+12", False)]
    assert less.stock_after == "1,000"


@pytest.mark.parametrize("reason", StockReason)
def test_every_movement_says_what_it_was(reason: StockReason) -> None:
    assert _row(movement(reason=reason)).what


@ON_SQLITE
def test_a_correction_is_shown_first_and_empties_the_form(tab: Tab, fern: Product) -> None:
    state = show(tab, fern)
    for number in range(LEDGER_PAGE_SIZE):
        adjust(tab, state, "+1", f"Box {number}")
    tab.send(state, "go_to", 2)
    assert (state.page, state.pages, [row.what for row in state.rows]) == (2, 2, ["Opening stock"])
    key = state.form_key
    adjust(tab, state, "−5", "Broken")
    assert (state.page, state.rows[0].why, state.stock) == (1, "Broken · Ada", "25")
    assert (state.form_key > key, tab.toast[0]) == (True, messages.STOCK_ADJUSTED.title)


@ON_SQLITE
def test_a_correction_that_leaves_few_is_marked_as_low(tab: Tab, fern: Product) -> None:
    state = show(tab, fern)
    adjust(tab, state, "−18")
    assert (state.stock, state.is_low) == ("2", True)
    adjust(tab, state, "+40")
    assert (state.stock, state.is_low) == ("42", False)


@ON_SQLITE
@pytest.mark.parametrize(("change", "note", "field"), [("some", "Counted", "change"), ("+1", "", "note")])
def test_what_is_refused_is_said_beside_its_field_and_typed_values_stay(
    change: str, note: str, field: str, tab: Tab, fern: Product
) -> None:
    state = show(tab, fern)
    key = state.form_key
    adjust(tab, state, change, note)
    assert [name for name, said in state.errors.items() if said] == [field]
    assert (state.form_key, state.is_saving, state.stock) == (key, False, "20")


@ON_SQLITE
def test_another_product_begins_with_an_empty_form_and_the_same_one_keeps_its_page(
    tab: Tab, session: Session, fern: Product
) -> None:
    other = make_product(session, stock=3)
    session.commit()
    state = show(tab, fern)
    adjust(tab, state, "some")
    state.page, key = 2, state.form_key
    show(tab, fern)
    assert (state.page, state.form_key, bool(state.errors["change"])) == (2, key, True)
    show(tab, other)
    assert (state.page, state.form_key > key, state.errors["change"]) == (1, True, "")
    assert (state.stock, state.is_low) == ("3", True)
