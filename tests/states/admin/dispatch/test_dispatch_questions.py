"""What is asked before a run leaves, is removed or is reordered, and what an answer does (RULE board-screen)."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.models import Product, Run, User
from marketplace_app.services.dispatch import departures, runs, sheets
from marketplace_app.states.admin.dispatch import dispatch_questions
from marketplace_app.states.admin.dispatch.dispatch import OUT_ID, PLANNED_ID, AdminDispatchState
from marketplace_app.states.admin.dispatch.dispatch_questions import AdminDispatchQuestionState
from tests.conftest import ON_SQLITE, Cast
from tests.services.dispatch.conftest import dora, fern
from tests.services.dispatch.test_runs import call, order_ids, place, plan
from tests.states.admin.conftest import Tab, focus_on

__all__ = ["dora", "fern"]


def ask(tab: Tab, question: str, run_id: int) -> Any:
    state = tab.state(AdminDispatchQuestionState)
    tab.send(state, question, run_id)
    return state


def test_the_sheet_is_written_before_a_run_leaves_and_again_when_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the process dies, no run is out without one. Over REST, `tools/faults` kills it at every statement."""
    called: list[Callable[..., Any]] = []

    async def call(_state: object, operation: Callable[..., Any], *_: object) -> None:
        called.append(operation)

    for name in ("read", "write"):
        monkeypatch.setattr(dispatch_questions, name, call)
    asyncio.run(dispatch_questions.AdminDispatchQuestionState()._do(dispatch_questions.DEPART))
    assert called == [sheets.write_at_departure, departures.depart, sheets.write_at_departure]


@ON_SQLITE
def test_the_question_says_who_leaves_with_how_many_orders_and_collects_how_much(
    tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    run = plan(cast.ada, dora, place(cast.alice, fern), place(cast.bob, fern))
    state = ask(tab, "ask_to_depart", run.id)
    assert state.title == f"Let run {run.id} leave?"
    assert state.text.startswith("Dora leaves with 2 orders and collects $230.00. The customers get")


@ON_SQLITE
def test_the_question_points_out_that_the_run_is_planned_for_another_day(
    tab: Tab, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run = plan(cast.ada, dora, place(cast.alice, fern))
    tomorrow = clock.today(get_settings().timezone) + timedelta(days=1)
    session.get_one(Run, run.id).day = tomorrow
    session.commit()
    shown = clock.show_weekday(tomorrow)
    text = ask(tab, "ask_to_depart", run.id).text
    assert text.startswith(f"This run is planned for {shown}, not for today. Dora leaves")


@ON_SQLITE
@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "It has no orders."), (1, "1 order can be planned again."), (2, "2 orders can be planned again.")],
)
def test_before_a_run_is_removed_it_says_how_many_orders_can_be_planned_again(
    count: int, text: str, tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    run = plan(cast.ada, dora, *[place(cast.alice, fern) for _ in range(count)])
    assert ask(tab, "ask_to_discard", run.id).text == text


@ON_SQLITE
def test_the_stops_are_reordered_as_the_question_lists_them(tab: Tab, cast: Cast, dora: User, fern: Product) -> None:
    """The order that was promised first is suggested first."""
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    run = plan(cast.ada, dora, two, one)
    state = ask(tab, "suggest", run.id)
    numbers = [stop.card.number for stop in run.stops]
    assert state.text.startswith(f"{numbers[1]}, {numbers[0]}. ")
    assert tab.send(state, "confirm") == []
    assert order_ids(call(cast.ada, runs.get, run.id)) == [one, two]


@ON_SQLITE
@pytest.mark.parametrize(
    ("question", "column", "toast"),
    [("ask_to_depart", OUT_ID, "Run {} has left"), ("ask_to_discard", PLANNED_ID, "")],
)
def test_the_focus_goes_to_the_column_of_what_was_done(
    question: str,
    column: str,
    toast: str,
    tab: Tab,
    cast: Cast,
    dora: User,
    fern: Product,
    configure: Callable[..., None],
    tmp_path: Path,
) -> None:
    configure(RUN_SHEETS=str(tmp_path))
    run = plan(cast.ada, dora, place(cast.alice, fern))
    state = ask(tab, question, run.id)
    assert tab.send(state, "confirm") == [focus_on(column)]
    assert (state.asked, state.is_working, tab.toast[0]) == ("", False, toast.format(run.id))


@ON_SQLITE
def test_the_board_shows_that_a_colleague_has_let_the_run_leave_first(
    tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    run = plan(cast.ada, dora, place(cast.alice, fern))
    state = ask(tab, "ask_to_discard", run.id)
    call(cast.ada, departures.depart, run.id)
    assert tab.send(state, "confirm") == []
    assert (state.asked, bool(tab.toast[0])) == ("", True)
    assert [row.id for row in tab.state(AdminDispatchState).out] == [run.id]


@ON_SQLITE
def test_a_question_that_was_closed_is_not_answered(tab: Tab, cast: Cast, dora: User, fern: Product) -> None:
    run = plan(cast.ada, dora, place(cast.alice, fern))
    state = ask(tab, "ask_to_discard", run.id)
    tab.send(state, "set_open", False)
    assert tab.send(state, "confirm") == []
    assert call(cast.ada, runs.get, run.id).id == run.id
