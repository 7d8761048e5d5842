"""The dialog in which an order is packed from another batch (RULE batch-swap)."""

from typing import Any

import pytest
from sqlalchemy import Engine

from marketplace_app import batch_messages, db, messages
from marketplace_app.models import OrderStatus, Product, User
from marketplace_app.services.batches import keeping
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.states.admin.orders import order as order_page
from marketplace_app.states.admin.orders.order import AdminOrderState
from marketplace_app.states.admin.orders.order_batches import AdminOrderBatchState
from tests.conftest import ON_SQLITE, Cast
from tests.services.batches.test_of_orders import HOLD_FORM, batch_id, day, set_status, units_by_batch
from tests.services.batches.test_swaps import fern, order_of
from tests.states.admin.conftest import Tab

__all__ = ["fern"]


def open_dialog(tab: Tab, engine: Engine, monkeypatch: pytest.MonkeyPatch, order: str, product: Product) -> Any:
    """On the page of the order, for its units of the first batch."""
    monkeypatch.setattr(order_page, "route_argument", lambda *_: order)
    tab.state(AdminOrderState).id = order
    state = tab.state(AdminOrderBatchState)
    tab.send(state, "open", product.id, batch_id(engine, "A1"))
    return state


def choose(tab: Tab, engine: Engine, state: Any, code: str) -> None:
    tab.send(state, "choose", str(batch_id(engine, code)))


@ON_SQLITE
def test_the_dialog_says_what_the_order_has_and_what_it_can_have(
    tab: Tab, engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = open_dialog(tab, engine, monkeypatch, order_of(cast.alice, fern, 2, "close"), fern)
    last_day = f"{day(10):%b %d, %Y}"
    assert (state.title, state.current) == (
        "Another batch of Fern Hollow",
        f"Now: 2 units of A1 · last day {last_day} · THC 20.4%",
    )
    assert state.wish == "The customer's wish: Only with THC within 2 points."
    assert [(each.text[:2], each.note) for each in state.choices] == [
        ("B1", "5 units"),
        ("C1", "5 units"),
        ("D1", "5 units, asks first"),
        ("E1", "5 units, asks first"),
    ]


@ON_SQLITE
@pytest.mark.parametrize(
    ("code", "asks", "notice", "kept"),
    [
        ("B1", False, batch_messages.BATCH_CHANGED, {"B1": 2}),
        ("D1", True, batch_messages.CUSTOMER_ASKED, {"A1": 2}),
    ],
    ids=["within the wish", "to be asked"],
)
def test_the_customer_is_asked_first_if_the_wish_says_so(
    code: str,
    asks: bool,
    notice: messages.Notice,
    kept: dict[str, int],
    tab: Tab,
    engine: Engine,
    cast: Cast,
    fern: Product,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = order_of(cast.alice, fern, 2, "close")
    state = open_dialog(tab, engine, monkeypatch, order, fern)
    choose(tab, engine, state, code)
    assert state.asks is asks
    tab.send(state, "save")
    assert (state.is_open, tab.toast[0], units_by_batch(engine, order)) == (False, notice.title, kept)
    assert [batch.code for batch in tab.state(AdminOrderState).items[0].batches] == [*kept]


@ON_SQLITE
def test_a_batch_that_is_not_on_the_screen_is_not_chosen(
    tab: Tab, engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = open_dialog(tab, engine, monkeypatch, order_of(cast.alice, fern), fern)
    choose(tab, engine, state, "B1")
    for key in (str(batch_id(engine, "A1")), "999999", "B1"):
        tab.send(state, "choose", key)
    assert state.chosen == str(batch_id(engine, "B1"))


@ON_SQLITE
def test_a_batch_that_was_held_meanwhile_is_gone_and_another_one_has_to_be_chosen(
    tab: Tab, engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = open_dialog(tab, engine, monkeypatch, order_of(cast.alice, fern), fern)
    choose(tab, engine, state, "B1")
    held = batch_id(engine, "B1")
    db.write(lambda s: keeping.hold(s, s.get(User, cast.ada.id), held, HOLD_FORM))
    tab.send(state, "save")
    assert (state.is_open, state.chosen, state.notice) == (True, "", batch_messages.BATCH_UNAVAILABLE)
    assert [each.text[:2] for each in state.choices] == ["C1", "D1", "E1"]
    assert (tab.toast[0], state.is_saving) == ("", False)
    choose(tab, engine, state, "C1")
    assert state.notice == ""


@ON_SQLITE
def test_the_dialog_closes_if_the_order_has_left_meanwhile(
    tab: Tab, engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = order_of(cast.alice, fern)
    state = open_dialog(tab, engine, monkeypatch, order, fern)
    choose(tab, engine, state, "B1")
    set_status(cast, order, OrderStatus.OUT_FOR_DELIVERY)
    tab.send(state, "save")
    assert (state.is_open, tab.toast[1]) == (False, OrderAlreadyOut.message)
    assert tab.state(AdminOrderState).status == OrderStatus.OUT_FOR_DELIVERY.value
