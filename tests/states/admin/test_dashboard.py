"""What is forgotten when another admin page opens, and what a search or a reconnect keeps."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states.admin import dashboard
from marketplace_app.states.admin.dashboard import DIALOGS, DashboardState
from marketplace_app.states.admin.dispatch.dispatch_questions import DEPART, AdminDispatchQuestionState
from marketplace_app.states.admin.dispatch.run_paper import AdminPaperState
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.events.viewer import ViewerState

CLOSED_BY_THEIR_PAGE = {"AdminRulesState", "AdminWindowsState", "AdminZonesState"}


def test_every_dialog_of_the_admin_pages_is_closed_by_another_page() -> None:
    """The browser closes a dialog by `set_open`, so a state with that handler has one."""
    with_dialog = {
        state.__name__
        for state in State.get_substates()
        if state.__module__.startswith("marketplace_app.states.admin.") and "set_open" in state.event_handlers
    }
    assert with_dialog == {state.__name__ for state in DIALOGS} | CLOSED_BY_THEIR_PAGE


async def refresh_nothing(_state: Any) -> None:
    pass


async def open_page(handler: str, *, has_reconnected: bool, is_same_page: bool) -> tuple[int, bool, str]:
    """How many orders are selected, and whether two dialogs are open."""
    root = State()
    page, viewer = await root.get_state(DashboardState), await root.get_state(ViewerState)
    viewer._has_reconnected, viewer._is_same_page, viewer.is_staff = has_reconnected, is_same_page, True
    orders, paper = await root.get_state(AdminOrdersState), await root.get_state(AdminPaperState)
    question = await root.get_state(AdminDispatchQuestionState)
    orders._selected, orders.selected_count, paper.is_open, question.asked = {"a"}, 1, True, DEPART
    loading = DashboardState.event_handlers[handler].fn(page)
    if handler == "load":
        async for _ in loading:
            pass
    else:
        await loading
    return orders.selected_count, paper.is_open, question.asked


@pytest.mark.parametrize("handler", ["load", "load_counts"])
@pytest.mark.parametrize(
    ("has_reconnected", "is_same_page", "expected"),
    [(False, False, (0, False, "")), (True, False, (1, True, DEPART)), (False, True, (1, True, DEPART))],
    ids=["another page", "a reconnect", "a search"],
)
def test_another_page_has_no_open_dialog_and_no_selected_orders(
    handler: str,
    has_reconnected: bool,
    is_same_page: bool,
    expected: tuple[int, bool, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(DashboardState, "_refresh", refresh_nothing)
    monkeypatch.setattr(DashboardState, "_count", refresh_nothing)
    monkeypatch.setattr(dashboard, "subscribe", lambda *_: None)
    opened = open_page(handler, has_reconnected=has_reconnected, is_same_page=is_same_page)
    assert asyncio.run(opened) == expected
