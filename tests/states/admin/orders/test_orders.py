"""New orders on the orders tab."""

import asyncio
import re
from datetime import timedelta
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import clock
from marketplace_app.components.admin.orders.orders import _checkbox_for_all
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.admin.orders import AdminOrderPage, AdminOrderRow
from marketplace_app.states.admin.orders import orders
from marketplace_app.states.admin.orders.orders import PATH, AdminOrdersState
from tests.states.tabs import press, show_url, toast


def page_of(*numbers: int) -> AdminOrderPage:
    """Of orders that were placed a minute ago, the newest first."""
    placed_at = clock.now() - timedelta(minutes=1)
    facts = ("Nora Lind", "nora@example.org", placed_at, 2, 381_68, OrderStatus.PENDING, "214 Larch Street")
    rows = tuple(AdminOrderRow(str(number), number, *facts) for number in numbers)
    return AdminOrderPage(rows, len(rows), dict.fromkeys(OrderStatus, 0))


@pytest.mark.parametrize(
    ("pages", "announced"),
    [
        ([page_of(1)], ""),
        ([page_of(), page_of(1)], "New order 1 from Nora Lind, $381.68"),
        ([page_of(1), page_of(2, 1)], "New order 2 from Nora Lind, $381.68"),
        ([page_of(1), page_of(1)], ""),
        ([page_of(2, 1), page_of(), page_of(2)], ""),
    ],
    ids=["there already", "the first of all", "another one", "none", "one of before in another list"],
)
def test_an_order_that_comes_while_the_list_is_shown_is_announced(
    pages: list[AdminOrderPage], announced: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remaining = iter(pages)

    async def read(*_: Any) -> AdminOrderPage:
        return next(remaining)

    async def load_each() -> str:
        state = await State().get_state(AdminOrdersState)
        state._opened_at = clock.now() - timedelta(hours=1)
        for _ in pages:
            await state._load()
        return str(state.announced)

    monkeypatch.setattr(orders, "read", read)
    assert asyncio.run(load_each()) == announced


@pytest.mark.parametrize(("selected", "kept"), [({"1"}, 0), ({"1", "2"}, 1)])
def test_the_boxes_are_rebuilt_once_no_selected_order_is_on_the_page(
    selected: set[str], kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the header would stay ticked on the next page."""

    async def read(*_: Any) -> AdminOrderPage:
        return page_of(3, 2)

    async def load() -> tuple[int, bool, bool]:
        state = await State().get_state(AdminOrdersState)
        state._selected, state.selected_count, state.are_all_selected = selected, len(selected), True
        key = state.checkboxes_key
        await state._load()
        return state.selected_count, state.are_all_selected, state.checkboxes_key != key

    monkeypatch.setattr(orders, "read", read)
    assert asyncio.run(load()) == (kept, False, kept == 0)


@pytest.mark.parametrize(
    ("pages", "pressed", "is_ticked"),
    [
        ([page_of(2, 1)], ["all"], True),
        ([page_of(2, 1)], ["all", "1"], False),
        ([page_of(2, 1)], ["all", "1", "1"], True),
        ([page_of(2, 1)], ["1", "2"], True),
        ([page_of(2, 1)], ["all", "all"], False),
        ([page_of(2, 1), page_of(2, 1)], ["all"], True),
        ([page_of(2, 1), page_of(3, 2, 1)], ["all"], False),
    ],
)
def test_the_box_for_all_is_ticked_while_all_orders_of_the_page_are_selected(
    pages: list[AdminOrderPage], pressed: list[str], is_ticked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    remaining = iter(pages)

    async def read(*_: Any) -> AdminOrderPage:
        return next(remaining)

    async def press_and_load() -> bool:
        state = await State().get_state(AdminOrdersState)
        await state._load()
        for box in pressed:
            if box == "all":
                await AdminOrdersState.event_handlers["toggle_all"].fn(state)
            else:
                await AdminOrdersState.event_handlers["toggle_selected"].fn(state, box)
        for _ in pages[1:]:
            await state._load()
        return bool(state.are_all_selected)

    monkeypatch.setattr(orders, "read", read)
    assert asyncio.run(press_and_load()) is is_ticked


def test_the_box_for_all_is_rebuilt_when_it_is_ticked_or_unticked() -> None:
    """It is uncontrolled: after that, only another key makes it show another value."""
    keys = re.findall(r"\bkey:\(([^)]*)\)", str(_checkbox_for_all().render()))
    assert [str(AdminOrdersState.are_all_selected) in key for key in keys] == [True]


@pytest.mark.parametrize("edge", ["placedFrom", "placedTo"])
def test_a_day_whose_year_is_being_typed_is_neither_a_filter_nor_an_error(edge: str) -> None:
    async def typed() -> tuple[dict[str, Any], tuple[str, str]]:
        root = State()
        show_url(root, PATH)
        state = await root.get_state(AdminOrdersState)
        return await press(state, "show_days", edge, "0002-11-20"), await toast(state)

    assert asyncio.run(typed()) == ({}, ("", ""))
