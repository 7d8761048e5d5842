"""Runs are planned, and change until they leave (RULE runs)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.config import get_settings
from marketplace_app.errors import EditedMeanwhile
from marketplace_app.models import AuditEntry, Order, OrderStatus, Product, StopOutcome, User
from marketplace_app.schemas.dispatch.runs import NewRunForm, RunForm, RunState, RunView, StopForm, StopSequenceForm
from marketplace_app.services.buying import orders
from marketplace_app.services.dispatch import board, departures, runs
from tests.builders import order_form
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status


def place(who: User, product: Product, **changes: object) -> str:
    form = order_form((product, 1), **changes)
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None))["id"])


def call(actor: User, operation: Callable[..., Any], *args: Any) -> Any:
    return db.write(lambda s: operation(s, s.get(User, actor.id), *args))


def plan(actor: User, driver: User, *order_ids: str) -> RunView:
    day = clock.today(get_settings().timezone)
    form = NewRunForm(day=day, driverId=driver.id, vehicle="White van", orderIds=[*order_ids])
    found: RunView = call(actor, runs.plan, form)
    return found


def order_ids(view: RunView) -> list[str]:
    return [stop.card.order_id for stop in view.stops]


def outcomes(actor: User, run_id: int) -> list[StopOutcome | None]:
    return [stop.outcome for stop in call(actor, runs.get, run_id).stops]


def status_of(order_id: str) -> OrderStatus:
    return db.read(lambda s: s.get_one(Order, order_id).status)


def test_a_run_is_planned_reordered_and_leaves_with_its_orders(cast: Cast, dora: User, fern: Product) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    run = plan(cast.ada, dora, one, two)
    assert (run.state, run.driver.name, run.vehicle, order_ids(run)) == (
        RunState.PLANNED,
        "Dora",
        "White van",
        [one, two],
    )
    assert run.cash_cents == sum(stop.card.cash_cents for stop in run.stops)
    form = StopSequenceForm(stopIds=[stop.id for stop in reversed(run.stops)])
    assert order_ids(call(cast.ada, runs.reorder, run.id, form)) == [two, one]
    left = call(cast.ada, departures.depart, run.id)
    assert (left.state, status_of(one), status_of(two)) == (RunState.OUT, *[OrderStatus.OUT_FOR_DELIVERY] * 2)
    with pytest.raises(runs.RunDeparted):
        call(cast.ada, departures.depart, run.id)


def test_no_two_stops_share_a_number_after_a_reordering_on_the_way(cast: Cast, dora: User, fern: Product) -> None:
    """The number stands on the bags, the sheet and the driver's phone."""
    one, two, three = (place(cast.alice, fern) for _ in range(3))
    run = plan(cast.ada, dora, one, two, three)
    call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, one, OrderStatus.DELIVERED)
    form = StopSequenceForm(stopIds=[stop.id for stop in reversed(run.stops[1:])])
    reordered = call(cast.ada, runs.reorder, run.id, form)
    assert order_ids(reordered) == [one, three, two]
    assert [stop.position for stop in reordered.stops] == [1, 2, 3]


def test_an_order_is_on_one_run_and_can_be_moved_to_another(cast: Cast, dora: User, fern: Product) -> None:
    one, two, three = (place(cast.alice, fern) for _ in range(3))
    run, other = plan(cast.ada, dora, one), plan(cast.ada, dora, two, three)
    with pytest.raises(runs.AlreadyPlanned):
        plan(cast.ada, dora, one)
    assert order_ids(call(cast.ada, runs.add, other.id, StopForm(orderId=one, position=2))) == [two, one, three]
    assert order_ids(call(cast.ada, runs.get, run.id)) == []
    assert order_ids(call(cast.ada, runs.add, other.id, StopForm(orderId=one))) == [two, three, one]
    stop = call(cast.ada, runs.get, other.id).stops[0]
    assert order_ids(call(cast.ada, runs.take_off, other.id, stop.id)) == [three, one]
    with pytest.raises(departures.RunEmpty):
        call(cast.ada, departures.depart, run.id)
    call(cast.ada, runs.discard, other.id)
    assert order_ids(plan(cast.ada, dora, one, two, three)) == [one, two, three]


def test_the_trail_says_whether_an_order_was_put_on_a_run_or_moved_within_it(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    one, two, new = (place(cast.alice, fern) for _ in range(3))
    run = plan(cast.ada, dora, one, two)
    call(cast.ada, runs.add_all, run.id, [one, new])
    call(cast.ada, runs.add, run.id, StopForm(orderId=new, position=3))
    of_run = select(AuditEntry).where(col(AuditEntry.subject) == f"run:{run.id}").order_by(col(AuditEntry.id))
    trail = [(entry.action, entry.details.get("order")) for entry in session.execute(of_run).scalars()]
    number = session.get_one(Order, new).number
    assert trail == [("run.planned", None), ("run.stop_added", number), ("run.reordered", None)]


def test_what_is_out_is_not_moved_or_changed(cast: Cast, dora: User, fern: Product) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    run = plan(cast.ada, dora, one)
    other = plan(cast.ada, dora, two)
    call(cast.ada, departures.depart, run.id)
    with pytest.raises(runs.AlreadyPlanned):
        call(cast.ada, runs.add, other.id, StopForm(orderId=one))
    with pytest.raises(runs.RunDeparted):
        call(cast.ada, runs.add, run.id, StopForm(orderId=two))
    with pytest.raises(runs.RunDeparted):
        call(cast.ada, runs.take_off, run.id, run.stops[0].id)
    with pytest.raises(runs.RunDeparted):
        call(cast.ada, runs.discard, run.id)
    with pytest.raises(runs.RunDeparted):
        call(cast.ada, runs.change, run.id, RunForm(day=run.day, driverId=dora.id))
    with pytest.raises(departures.DriverOut):
        call(cast.ada, departures.depart, other.id)
    assert status_of(two) is OrderStatus.PENDING


@pytest.mark.parametrize("status", [OrderStatus.DELIVERED, OrderStatus.CANCELLED])
def test_an_order_that_has_ended_is_not_planned(cast: Cast, dora: User, fern: Product, status: OrderStatus) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, status)
    with pytest.raises(runs.OrderEnded):
        plan(cast.ada, dora, order_id)


@pytest.mark.parametrize("field", ["day", "driverId", "vehicle"])
def test_a_run_edited_meanwhile_is_not_overwritten(cast: Cast, dora: User, field: str) -> None:
    seen = plan(cast.ada, dora)
    other = {"day": seen.day + timedelta(days=1), "driverId": cast.ada.id, "vehicle": "Green bicycle"}
    theirs = call(cast.ada, runs.change, seen.id, RunForm(**seen.values() | {field: other[field]}))
    assert theirs.values()[field] != seen.values()[field]

    def save(form: RunForm, filled: RunView) -> RunView:
        saved: RunView = db.write(
            lambda s: runs.change(s, s.get(User, cast.ada.id), seen.id, form, seen=filled.values())
        )
        return saved

    with pytest.raises(EditedMeanwhile) as refused:
        save(RunForm(**seen.values()), seen)
    assert refused.value.fields == (field,)
    assert save(RunForm(**theirs.values()), seen).values() == theirs.values(), "the same change is no conflict"
    assert save(RunForm(**seen.values()), theirs).values() == seen.values()


def test_the_board_shows_each_order_once_where_it_is(cast: Cast, dora: User, fern: Product) -> None:
    free, planned, out, done = (place(cast.alice, fern) for _ in range(4))
    run = plan(cast.ada, dora, out, done)
    call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, done, OrderStatus.DELIVERED)
    plan(cast.ada, dora, planned)
    seen = call(cast.ada, board.show)
    assert [card.order_id for card in seen.unplanned] == [free]
    assert [order_ids(run) for run in seen.planned] == [[planned]]
    assert [order_ids(run) for run in seen.out] == [[out, done]]
    assert seen.problems == ()
    set_status(cast.ada, out, OrderStatus.CANCELLED)
    [problem] = call(cast.ada, board.show).problems
    assert (problem.card.order_id, problem.needs_release) == (out, False)
    assert problem.message == "Cancelled while it was out. The driver will bring it back."
