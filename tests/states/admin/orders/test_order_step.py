"""The next status of an order is one press, and can be undone (RULE order-steps)."""

from typing import Any

import pytest

from marketplace_app import db, messages
from marketplace_app.models import Order, OrderStatus, Product
from marketplace_app.states.admin.orders.order_step import AdminOrderStepState
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import place, set_status
from tests.services.dispatch.conftest import fern
from tests.states.admin.conftest import Tab

__all__ = ["fern"]
CHANGED = (messages.ERROR, messages.ORDER_CHANGED_MEANWHILE)


@pytest.fixture
def order(cast: Cast, fern: Product) -> str:
    return place(cast.alice, fern)


def status_of(order: str) -> OrderStatus:
    return db.read(lambda s: s.get_one(Order, order).status)


def advance(tab: Tab, order: str, shown: OrderStatus) -> Any:
    """Press the button of an order that the screen shows with this status."""
    state = tab.state(AdminOrderStepState)
    tab.send(state, "advance", order, shown.value)
    return state


@ON_SQLITE
def test_each_press_sets_the_next_status_until_the_order_is_delivered(tab: Tab, order: str) -> None:
    found = [status_of(order)]
    for _ in range(3):
        advance(tab, order, found[-1])
        found.append(status_of(order))
    assert found == [
        OrderStatus.PENDING,
        OrderStatus.CONFIRMED,
        OrderStatus.OUT_FOR_DELIVERY,
        OrderStatus.DELIVERED,
    ]
    advance(tab, order, OrderStatus.DELIVERED)
    assert (status_of(order), tab.toast) == (OrderStatus.DELIVERED, CHANGED)


@ON_SQLITE
def test_a_step_is_announced_and_can_be_undone_once(tab: Tab, order: str) -> None:
    number = db.read(lambda s: s.get_one(Order, order).number)
    state = advance(tab, order, OrderStatus.PENDING)
    assert (state.announcement, state.can_undo) == (f"Order {number} is now confirmed.", True)
    bar = state.undo_bar_key
    tab.send(state, "undo")
    assert (state.announcement, state.can_undo) == (f"Order {number} is pending again.", False)
    assert (status_of(order), state.undo_bar_key > bar) == (OrderStatus.PENDING, True)
    tab.send(state, "undo")
    assert (status_of(order), tab.toast[0]) == (OrderStatus.PENDING, "")


@ON_SQLITE
def test_a_status_that_a_colleague_has_set_is_not_overwritten_by_a_step(tab: Tab, cast: Cast, order: str) -> None:
    set_status(cast.ada, order, OrderStatus.CANCELLED)
    state = advance(tab, order, OrderStatus.PENDING)
    assert (status_of(order), tab.toast) == (OrderStatus.CANCELLED, CHANGED)
    assert (state.can_undo, state.saving_id, state.announcement) == (False, "", "")


@ON_SQLITE
def test_a_status_that_a_colleague_has_set_is_not_overwritten_by_undo(tab: Tab, cast: Cast, order: str) -> None:
    state = advance(tab, order, OrderStatus.PENDING)
    set_status(cast.ada, order, OrderStatus.OUT_FOR_DELIVERY)
    tab.send(state, "undo")
    assert (status_of(order), tab.toast) == (OrderStatus.OUT_FOR_DELIVERY, CHANGED)
    assert not state.can_undo
