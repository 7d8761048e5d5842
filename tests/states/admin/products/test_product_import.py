"""The report of an import on its page (RULE products-csv)."""

import asyncio

import orjson
import pytest
from reflex.state import State

from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.states.admin.products.product_import import AdminImportState
from marketplace_app.states.events.viewer import ViewerState

COUNTS = {"created": 1, "updated": 0, "unchanged": 0, "errorCount": 0, "warningCount": 0}
REPORT = COUNTS | {"isApplied": False, "file": "a.csv", "changes": [], "hasMoreChanges": False, "errors": []}


@pytest.mark.parametrize(("has_reconnected", "shown"), [(True, ("checked", 2)), (False, ("empty", 0))])
def test_a_reconnect_keeps_the_report_and_its_check_number(has_reconnected: bool, shown: tuple[str, int]) -> None:
    async def load_again() -> tuple[str, int]:
        root = State()
        state, viewer = await root.get_state(AdminImportState), await root.get_state(ViewerState)
        form = {"report": orjson.dumps(REPORT | {"check": 2, "warning": ""}).decode()}
        await AdminImportState.event_handlers["show"].fn(state, form)
        viewer._has_reconnected = has_reconnected
        await AdminImportState.event_handlers["load"].fn(state)
        return state.view, state.check_number

    assert asyncio.run(load_again()) == shown


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"errorCount": 1}, "1 mistake in this file. Nothing was written"),
        ({"errorCount": 999}, "999 mistakes in this file. Nothing was written"),
        ({"errorCount": 1_000}, "At least 1,000 mistakes in this file. Nothing was written"),
        ({"warningCount": 999}, "The same applies to 999 lines."),
        ({"warningCount": 1_000}, "The same applies to at least 1,000 lines."),
    ],
)
def test_a_count_that_was_cut_off_says_so(counts: dict[str, int], said: str) -> None:
    async def summary() -> str:
        state = await State().get_state(AdminImportState)
        form = {"report": orjson.dumps(REPORT | {"check": 2, "warning": "Unknown effect."} | counts).decode()}
        await AdminImportState.event_handlers["show"].fn(state, form)
        return state.summary

    assert said in asyncio.run(summary())
