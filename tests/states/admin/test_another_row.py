"""A page of one row that is opened for another one."""

import asyncio
from types import ModuleType
from typing import Any

import pytest
from reflex.state import State

from marketplace_app.errors import NotFound
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states.admin import recalls, run, shift


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
    async def read(*_args: Any) -> Any:
        raise NotFound()

    async def views() -> list[str]:
        state = await State().get_state(state_class)
        state.view, state.id = "found", 1
        shown = [state.view async for _ in state_class.event_handlers["load"].fn(state)]
        return [*shown, state.view]

    monkeypatch.setattr(module, "read", read)
    monkeypatch.setattr(module, "subscribe", lambda *_: None)
    monkeypatch.setattr(module, "route_argument", lambda *_: "2")
    assert asyncio.run(views()) == ["loading", "missing"]
