"""What the dispatch board does when a run leaves (RULE run-sheet)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from marketplace_app.services.dispatch import departures, sheets
from marketplace_app.states.admin import dispatch_questions


def test_the_sheet_is_written_before_a_run_leaves_and_again_when_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the process dies, no run is out without one. Over REST, `tools/faults` dies at every statement."""
    called: list[Callable[..., Any]] = []

    async def call(_state: object, operation: Callable[..., Any], *_: object) -> None:
        called.append(operation)

    for name in ("read", "write"):
        monkeypatch.setattr(dispatch_questions, name, call)
    asyncio.run(dispatch_questions.AdminDispatchQuestionState()._do(dispatch_questions.DEPART))
    assert called == [sheets.write_at_departure, departures.depart, sheets.write_at_departure]
