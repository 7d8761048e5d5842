"""The dialog in which a run is planned or changed (RULE board-screen)."""

import asyncio
from datetime import date, timedelta
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import clock, messages
from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.models import Product, User
from marketplace_app.schemas.dispatch.runs import RunForm, RunView
from marketplace_app.services.dispatch import runs
from marketplace_app.states.admin.dispatch import dispatch, dispatch_form
from marketplace_app.states.admin.dispatch.dispatch import PLANNED_ID, AdminDispatchState
from marketplace_app.states.admin.dispatch.dispatch_form import AdminRunFormState
from tests.conftest import ON_SQLITE, Cast
from tests.services.dispatch.conftest import dora, fern
from tests.services.dispatch.test_runs import call, place, plan
from tests.states.admin.conftest import Tab, focus_on

__all__ = ["dora", "fern"]


def today() -> date:
    return clock.today(get_settings().timezone)


@pytest.fixture
def run(cast: Cast, dora: User, fern: Product) -> RunView:
    return plan(cast.ada, dora, place(cast.alice, fern))


def edit(tab: Tab, run: RunView) -> Any:
    state = tab.state(AdminRunFormState)
    tab.send(state, "edit", run.id)
    return state


def form_of(state: Any, **changes: str) -> dict[str, str]:
    return {
        "day": state.values["day"],
        "driver": state.values["driverId"],
        "vehicle": state.values["vehicle"],
    } | changes


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


@ON_SQLITE
def test_a_new_run_is_for_today_and_the_only_driver_is_chosen(tab: Tab, cast: Cast) -> None:
    state = tab.state(AdminRunFormState)
    tab.send(state, "open_new")
    assert state.drivers == [(str(cast.ada.id), "Ada")]
    assert (state.title, state.values["day"]) == ("New run", today().isoformat())
    assert state.values["driverId"] == str(cast.ada.id)


@ON_SQLITE
def test_among_several_drivers_none_is_chosen(tab: Tab, dora: User) -> None:
    state = tab.state(AdminRunFormState)
    tab.send(state, "open_new")
    assert state.values["driverId"] == ""
    tab.send(state, "save", form_of(state))
    assert {name for name, said in state.errors.items() if said} == {"driverId"}
    assert (state.is_open, state.is_saving, tab.toast[0]) == (True, False, "")


@ON_SQLITE
def test_an_order_is_planned_again_without_the_others_that_are_selected(
    tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    failed, other = place(cast.alice, fern), place(cast.bob, fern)
    board, state = tab.state(AdminDispatchState), tab.state(AdminRunFormState)
    board.selected = [other]
    tab.send(state, "plan_again", failed)
    assert state.title == "New run with 1 order"
    assert tab.send(state, "save", form_of(state, driver=str(dora.id))) == [focus_on(PLANNED_ID)]
    assert [[stop.card.id for stop in row.stops] for row in board.planned] == [[failed]]
    assert (board.selected, board.announcement) == ([], f"Run {board.planned[0].id} is planned with 1 order.")


@ON_SQLITE
def test_what_a_colleague_has_changed_is_named_and_replaced_by_a_second_press(
    tab: Tab, cast: Cast, dora: User, run: RunView
) -> None:
    state = edit(tab, run)
    given = form_of(state, vehicle="Blue van", day=(today() + timedelta(days=2)).isoformat(), driver=str(dora.id))
    others = RunForm(day=today(), driverId=cast.ada.id, vehicle="Bicycle")
    call(cast.ada, runs.change, run.id, others)
    tab.send(state, "save", given)
    marked = {name: said for name, said in state.errors.items() if said}
    assert marked == {"vehicle": messages.changed_meanwhile("Bicycle"), "driverId": messages.changed_meanwhile("Ada")}
    assert (state.is_open, call(cast.ada, runs.get, run.id).vehicle) == (True, "Bicycle")
    tab.send(state, "save", given)
    assert (state.is_open, call(cast.ada, runs.get, run.id).vehicle) == (False, "Blue van")
