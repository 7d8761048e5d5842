"""The batches on the page of a product (RULE batch-keeping)."""

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.limits import LEDGER_PAGE_SIZE
from marketplace_app.models import BatchState, User
from marketplace_app.schemas.batches.batches import BatchView, UnitsForm
from marketplace_app.services.batches import keeping
from marketplace_app.states.admin.batches.batches import AdminBatchesState, _row
from marketplace_app.states.admin.products.product_stock import AdminStockState
from tests.builders import make_batch, make_product
from tests.conftest import ON_SQLITE, Cast
from tests.states.admin.conftest import Tab

NOON = datetime(2026, 11, 27, 20, tzinfo=UTC)


def batch(**changes: Any) -> BatchView:
    facts: dict[str, Any] = dict.fromkeys(BatchView.model_fields) | {
        "id": 12,
        "product_id": 7,
        "code": "FH-2611",
        "is_approved": True,
        "state": BatchState.FOR_SALE,
        "hold_reason": "",
        "recall_reason": "",
        "units": 1_048,
        "set_aside": 0,
        "created_at": NOON,
    }
    return BatchView(**facts | changes)


def test_a_batch_that_never_expires_says_so() -> None:
    assert _row(batch()).expires == "No last day"
    assert _row(batch(expires_on=date(2027, 5, 2))).expires == "May 02, 2027"


def test_a_held_batch_that_was_recalled_says_why_it_was_recalled() -> None:
    held = batch(state=BatchState.HELD, hold_reason="A jar leaked")
    assert (_row(held).why, _row(held).is_held, _row(held).is_recalled) == ("A jar leaked", True, False)
    recalled = held.model_copy(update={"state": BatchState.RECALLED, "recalled_at": NOON, "recall_reason": "Mould"})
    assert (_row(recalled).why, _row(recalled).is_recalled) == ("Mould", True)


@ON_SQLITE
@pytest.mark.parametrize(("is_another", "page"), [(False, 2), (True, 1)], ids=["the same product", "another one"])
def test_the_batches_of_another_product_begin_at_their_first_page(
    is_another: bool, page: int, tab: Tab, session: Session
) -> None:
    one, other = make_product(session, stock=0), make_product(session, stock=0)
    for number in range(LEDGER_PAGE_SIZE + 1):
        for product in (one, other):
            make_batch(session, product, f"A{number}")
    session.commit()
    state = tab.state(AdminBatchesState)
    asyncio.run(state._show(one.id))
    tab.send(state, "go_to", 2)
    assert len(state.rows) == 1
    asyncio.run(state._show(other.id if is_another else one.id))
    assert (state.page, state.pages, len(state.rows)) == (page, 2, 1 if page == 2 else LEDGER_PAGE_SIZE)


@ON_SQLITE
@pytest.mark.parametrize("page", [1, 2])
def test_a_change_of_a_batch_shows_the_stock_and_the_ledger_that_it_changed(
    page: int, tab: Tab, session: Session, cast: Cast
) -> None:
    """The stock also beside a later page of the ledger; and a form that somebody fills in stays."""
    made = make_batch(session, make_product(session, stock=0), units=48)
    session.commit()
    state, stock = tab.state(AdminBatchesState), tab.state(AdminStockState)
    state.product_id = stock.product_id = made.product_id
    form = UnitsForm(change=-2, note="Broken")
    db.write(lambda s: keeping.correct(s, s.get(User, cast.ada.id), made.id, form))
    stock.page, stock.errors, key = page, {"change": "A number is expected."}, stock.form_key
    asyncio.run(state._refresh_all())
    assert ([row.units for row in state.rows], stock.stock) == (["46"], "46")
    assert [row.change for row in stock.rows][:1] == (["−2"] if page == 1 else [])
    assert (stock.page, stock.form_key, bool(stock.errors["change"])) == (page, key, True)
