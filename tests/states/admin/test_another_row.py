"""A page of one row that is opened for another one, or whose row is gone."""

import asyncio
from types import ModuleType
from typing import Any

import pytest
from reflex.state import State

from marketplace_app.errors import NotFound
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states.admin import recalls, run, shift


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
