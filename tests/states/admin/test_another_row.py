"""A page of one row that is opened for another one, or whose row is gone."""

import asyncio
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import reflex as rx
from reflex.state import State

from marketplace_app.components.admin.batches.batch_dialogs import batch_form_dialog, batch_step_dialog
from marketplace_app.components.admin.dispatch.run import paper_dialog
from marketplace_app.components.admin.orders.order_lines import batch_dialog
from marketplace_app.errors import NotFound
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.services.dispatch import paper
from marketplace_app.states.admin.batches import recalls
from marketplace_app.states.admin.cash import shift
from marketplace_app.states.admin.dispatch import run, run_paper


async def find_nothing(*_args: Any) -> Any:
    raise NotFound()


@pytest.mark.parametrize(
    ("module", "state_class"),
    [
        (run, run.AdminRunState),
        (run, run.AdminSheetState),
        (shift, shift.AdminShiftState),
        (recalls, recalls.AdminRecallState),
    ],
    ids=["run", "sheet", "shift", "recall"],
)
def test_the_row_before_is_not_shown_at_the_address_of_one_that_is_missing(
    module: ModuleType, state_class: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def views() -> list[str]:
        state = await State().get_state(state_class)
        state.view, state.id = "found", 1
        shown = [state.view async for _ in state_class.event_handlers["load"].fn(state)]
        return [*shown, state.view]

    monkeypatch.setattr(module, "read", find_nothing)
    monkeypatch.setattr(module, "subscribe", lambda *_: None)
    monkeypatch.setattr(module, "route_argument", lambda *_: "2")
    assert asyncio.run(views()) == ["loading", "missing"]


def test_a_run_that_a_colleague_removes_is_no_longer_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    async def view() -> str:
        state = await State().get_state(run.AdminRunState)
        state.view, state.id = "found", 1
        await state._refresh()
        return str(state.view)

    monkeypatch.setattr(run, "read", find_nothing)
    assert asyncio.run(view()) == "missing"


@pytest.mark.parametrize(
    ("dialog", "row"),
    [
        (paper_dialog, "run_id"),
        (batch_form_dialog, "product_id"),
        (batch_step_dialog, "product_id"),
        (batch_dialog, "order_id"),
    ],
    ids=["from paper", "batch", "batch step", "another batch"],
)
def test_a_dialog_is_open_only_on_the_page_of_its_row(dialog: Callable[[], rx.Component], row: str) -> None:
    """The state outlives the page that it was opened on."""
    assert f"{row}_rx_state_" in str(dialog())


def test_a_stop_is_entered_from_paper_for_the_run_that_the_dialog_was_opened_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    async def read(_state: Any, operation: Any, *args: Any) -> Any:
        asked.extend(args)
        return () if operation is paper.list_open else SimpleNamespace(keep_change_as_credit=False)

    async def write(_state: Any, _operation: Any, run_id: int, *_: Any) -> None:
        asked.append(run_id)

    async def enter() -> None:
        root = State()
        page, dialog = await root.get_state(run.AdminRunState), await root.get_state(run_paper.AdminPaperState)
        page.id = 1
        await run_paper.AdminPaperState.event_handlers["begin"].fn(dialog)
        page.id = 2
        async for _ in run_paper.AdminPaperState.event_handlers["save"].fn(dialog, {"outcome": "delivered"}):
            pass

    monkeypatch.setattr(run_paper, "read", read)
    monkeypatch.setattr(run_paper, "write", write)
    asyncio.run(enter())
    assert asked == [1, 1, 1]
