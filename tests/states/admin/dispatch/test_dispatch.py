"""What the buttons of the dispatch board do and say (RULE board-screen)."""

import asyncio
from typing import Any

import pytest

from marketplace_app.models import OrderStatus, Product, User
from marketplace_app.services.dispatch import departures, runs
from marketplace_app.states.admin.dispatch.dispatch import OUT_ID, PLANNED_ID, AdminDispatchState
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.dispatch.conftest import dora, fern
from tests.services.dispatch.test_runs import call, order_ids, place, plan
from tests.states.admin.conftest import Tab, focus_on

__all__ = ["dora", "fern"]


def board(tab: Tab, *selected: str) -> Any:
    """As it is loaded, with these orders ticked."""
    state = tab.state(AdminDispatchState)
    tab.send(state, "load")
    for order_id in selected:
        tab.send(state, "toggle", order_id)
    return state


@ON_SQLITE
def test_a_second_click_deselects_an_order(tab: Tab, cast: Cast, fern: Product) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    assert board(tab, one, two, one).selected == [two]


@ON_SQLITE
def test_only_what_can_still_be_planned_stays_selected(tab: Tab, cast: Cast, dora: User, fern: Product) -> None:
    planned, cancelled = place(cast.alice, fern), place(cast.bob, fern)
    state = board(tab, planned, cancelled)
    plan(cast.ada, dora, planned)
    set_status(cast.ada, cancelled, OrderStatus.CANCELLED)
    asyncio.run(state._refresh())
    assert state.selected == [planned]


@ON_SQLITE
def test_selected_orders_are_put_on_a_run_and_screen_readers_are_told(
    tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    run, added = plan(cast.ada, dora, place(cast.alice, fern)), place(cast.bob, fern)
    state = board(tab, added)
    assert tab.send(state, "put_on", str(run.id)) == [focus_on(PLANNED_ID)]
    assert (state.announcement, state.selected, state.unplanned) == (f"1 order put on run {run.id}.", [], [])
    assert len(state.planned[0].stops) == 2


@ON_SQLITE
def test_the_board_shows_that_a_colleague_has_let_the_run_leave(
    tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    run, added = plan(cast.ada, dora, place(cast.alice, fern)), place(cast.bob, fern)
    state = board(tab, added)
    call(cast.ada, departures.depart, run.id)
    assert tab.send(state, "put_on", str(run.id)) == []
    assert (bool(tab.toast[0]), state.announcement, state.selected) == (True, "", [added])
    assert [[row.id for row in column] for column in (state.planned, state.out)] == [[], [run.id]]


@ON_SQLITE
@pytest.mark.parametrize(
    ("place_before", "by", "order", "said"),
    [
        (0, 1, [1, 0, 2], "is stop 2 of 3."),
        (2, -1, [0, 2, 1], "is stop 2 of 3."),
        (0, -1, [0, 1, 2], "is stop 1 of 3."),
        (2, 1, [0, 1, 2], "is stop 3 of 3."),
        (0, 2, [0, 1, 2], ""),
    ],
    ids=["later", "earlier", "the first earlier", "the last later", "two places"],
)
def test_a_stop_is_moved_by_one_place_and_not_past_the_ends(
    place_before: int, by: int, order: list[int], said: str, tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    orders = [place(cast.alice, fern) for _ in range(3)]
    run = plan(cast.ada, dora, *orders)
    state = board(tab)
    tab.send(state, "move", run.id, run.stops[place_before].id, by)
    assert order_ids(call(cast.ada, runs.get, run.id)) == [orders[each] for each in order]
    assert state.announcement == (said and f"Order {run.stops[place_before].card.number} {said}")


@ON_SQLITE
def test_the_column_has_the_focus_when_the_last_stop_of_a_run_is_taken_off(
    tab: Tab, cast: Cast, dora: User, fern: Product
) -> None:
    run = plan(cast.ada, dora, place(cast.alice, fern), place(cast.bob, fern))
    state = board(tab)
    focused = [tab.send(state, "take_off", run.id, stop.id) for stop in run.stops]
    assert focused == [[], [focus_on(PLANNED_ID)]]
    assert state.announcement == f"Order {run.stops[-1].card.number} taken off run {run.id}."


@ON_SQLITE
def test_a_run_is_closed_once_nothing_of_it_is_out(tab: Tab, cast: Cast, dora: User, fern: Product) -> None:
    order = place(cast.alice, fern)
    run = plan(cast.ada, dora, order)
    call(cast.ada, departures.depart, run.id)
    state = board(tab)
    assert tab.send(state, "close", run.id) == []
    assert [row.can_close for row in state.out] == [False]
    set_status(cast.ada, order, OrderStatus.DELIVERED)
    assert tab.send(state, "close", run.id) == [focus_on(OUT_ID)]
    assert (state.out, tab.toast[0]) == ([], f"Run {run.id} is closed")


@ON_SQLITE
def test_a_column_that_is_as_it_was_is_not_sent_again(tab: Tab, cast: Cast, dora: User, fern: Product) -> None:
    plan(cast.ada, dora, place(cast.alice, fern))
    state = board(tab)
    state.dirty_vars.clear()
    place(cast.bob, fern)
    asyncio.run(state._refresh())
    assert state.dirty_vars == {"unplanned"}
