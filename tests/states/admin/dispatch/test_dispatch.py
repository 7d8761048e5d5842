"""What the dispatch board does when a run leaves (RULE run-sheet)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from reflex.state import State

from marketplace_app.errors import Conflict
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.services.dispatch import departures, sheets
from marketplace_app.states.admin.dispatch import dispatch, dispatch_form, dispatch_questions


def test_the_sheet_is_written_before_a_run_leaves_and_again_when_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the process dies, no run is out without one. Over REST, `tools/faults` kills it at every statement."""
    called: list[Callable[..., Any]] = []

    async def call(_state: object, operation: Callable[..., Any], *_: object) -> None:
        called.append(operation)

    for name in ("read", "write"):
        monkeypatch.setattr(dispatch_questions, name, call)
    asyncio.run(dispatch_questions.AdminDispatchQuestionState()._do(dispatch_questions.DEPART))
    assert called == [sheets.write_at_departure, departures.depart, sheets.write_at_departure]


def test_a_run_is_planned_with_the_orders_of_its_dialog(monkeypatch: pytest.MonkeyPatch) -> None:
    """A colleague plans one of them meanwhile, and the board selects it no longer: that is said, and no run made."""
    orders = ["0b0dbb7a-8d2c-4c1a-9a51-0a4c3e7d2f10", "7c1f7f0e-5f0f-4c7a-8d0e-2f4b8a1c9e33"]
    planned: list[tuple[str, ...]] = []

    async def write(_state: object, _operation: object, form: Any) -> None:
        planned.append(tuple(form.order_ids))
        raise Conflict("Order 1042 is on run 5 already.")

    async def nothing(*_: object) -> list[Any]:
        return []

    async def plan() -> tuple[str, bool]:
        root = State()
        board = await root.get_state(dispatch.AdminDispatchState)
        dialog = await root.get_state(dispatch_form.AdminRunFormState)
        board.selected = list(orders)
        await dispatch_form.AdminRunFormState.event_handlers["open_new"].fn(dialog)
        board.selected = []
        form = {"day": "2026-11-27", "driver": "3", "vehicle": "", "form_key": str(dialog.form_key)}
        async for _ in dispatch_form.AdminRunFormState.event_handlers["save"].fn(dialog, form):
            pass
        return dialog.title, dialog.is_open

    monkeypatch.setattr(dispatch_form, "read", nothing)
    monkeypatch.setattr(dispatch_form, "write", write)
    monkeypatch.setattr(dispatch.AdminDispatchState, "_refresh", nothing)
    assert asyncio.run(plan()) == ("New run with 2 orders", True)
    assert planned == [tuple(orders)]
