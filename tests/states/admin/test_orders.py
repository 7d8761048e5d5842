"""New orders on the orders tab."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import clock
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.admin.orders import AdminOrderPage, AdminOrderRow
from marketplace_app.states.admin import orders
from marketplace_app.states.admin.orders import AdminOrdersState


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
    ],
    ids=["there already", "the first of all", "another one", "none"],
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
