"""Dispatchers, drivers and customers at the same moment: an order is on one run, and a driver out on one."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Event
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, text
from sqlmodel import Session, col

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.models import EventResult, Order, OrderStatus, Product, Role, Run, RunStop, StopEvent, User
from marketplace_app.schemas.admin.orders import ManyStatusForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.dispatch.door import StopEventForm
from marketplace_app.schemas.dispatch.paper import PaperForm
from marketplace_app.schemas.dispatch.runs import NewRunForm, RunForm, RunView, StopSequenceForm
from marketplace_app.services import invariants, run_stops
from marketplace_app.services.admin import orders_bulk
from marketplace_app.services.buying import own_orders
from marketplace_app.services.dispatch import departures, door, paper, runs
from marketplace_app.services.records import audit_log
from tests.builders import make_run, make_user
from tests.conftest import Cast
from tests.services.dispatch.test_runs import place, status_of
from tests.services.test_races import THREADS, at_once

pytestmark = pytest.mark.race


def planning(staff: User, driver: User, *order_ids: str) -> Callable[[], Any]:
    form = NewRunForm(day=clock.today(get_settings().timezone), driverId=driver.id, orderIds=[*order_ids])
    return lambda: db.write(lambda s: runs.plan(s, s.get(User, staff.id), form))


def leaving(staff: User, run_id: int) -> Callable[[], Any]:
    return lambda: db.write(lambda s: departures.depart(s, s.get(User, staff.id), run_id))


def cancelling(customer: User, order_id: str) -> Callable[[], Any]:
    return lambda: db.write(lambda s: own_orders.cancel(s, s.get(User, customer.id), order_id))


def entering(staff: User, run_id: int, stop_id: int) -> Callable[[], Any]:
    form = parse(PaperForm, {"outcome": "delivered", "idChecked": True, "counted": "145.00"})
    return lambda: db.write(lambda s: paper.enter(s, s.get(User, staff.id), run_id, stop_id, form))


def reporting(driver: User, stop_id: int) -> Callable[[], Any]:
    """Arrived, and the ID was accepted."""
    answers = {"ofAge": True, "nameMatches": True, "notExpired": True}
    sent = [
        {"key": f"{stop_id:025}{seq}", "seq": seq, "stopId": stop_id, "at": clock.iso(clock.now())} | what
        for seq, what in enumerate(({"kind": "arrived"}, {"kind": "id_checked", "data": answers}), start=1)
    ]
    forms = [parse(StopEventForm, each) for each in sent]
    return lambda: db.write(lambda s: door.record(s, s.get(User, driver.id), stop_id, forms))


def broken(engine: Engine) -> list[str]:
    with Session(engine) as session:
        return [result.name for result in invariants.check(session) if not result.holds]


def count_stops(session: Session, *conditions: Any) -> int:
    return int(session.execute(select(func.count()).select_from(RunStop).where(*conditions)).scalar_one())


def test_an_order_that_ten_dispatchers_plan_at_once_is_on_one_run(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    acts = [planning(cast.ada, dora, one, two), planning(cast.ada, dora, two, one)] * 5
    answers = Counter(type(answer) for answer in at_once(acts))
    assert answers == {RunView: 1, runs.AlreadyPlanned: 9}
    assert broken(engine) == []
    assert count_stops(session) == 2


def test_runs_that_are_planned_or_moved_at_once_are_as_many_as_a_day_has_room_for(
    session: Session, cast: Cast, dora: User, lost_races: list[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    today = planning(cast.ada, dora)().day
    later = NewRunForm(day=today + timedelta(days=1), driverId=dora.id)
    others = [db.write(lambda s: runs.plan(s, s.get(User, cast.ada.id), later)).id for _ in range(6)]
    monkeypatch.setattr(runs, "MAX_RUNS_A_DAY", 4)

    def moving(run_id: int) -> Callable[[], Any]:
        form = RunForm(day=today, driverId=dora.id)
        return lambda: db.write(lambda s: runs.change(s, s.get(User, cast.ada.id), run_id, form))

    answers = at_once([call for each in others for call in (planning(cast.ada, dora), moving(each))])
    assert Counter(map(type, answers)) == {RunView: 3, runs.TooManyRuns: 9}
    assert lost_races == []


def test_control_looking_first_and_planning_later_puts_it_on_ten_runs(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    order_id = place(cast.alice, fern)
    session.execute(text("DROP INDEX uq_run_stops_open_order"))
    session.commit()
    all_have_looked = Barrier(THREADS)

    def naive() -> None:
        is_free = db.read(lambda s: count_stops(s, col(RunStop.ended_at).is_(None))) == 0
        all_have_looked.wait()
        if is_free:
            db.write(lambda s: make_run(s, dora, s.get_one(Order, order_id)) and None)

    at_once([naive] * THREADS)
    assert count_stops(session) == THREADS


def test_a_driver_leaves_with_one_run(engine: Engine, session: Session, cast: Cast, dora: User, fern: Product) -> None:
    made = [planning(cast.ada, dora, place(cast.alice, fern))() for _ in range(6)]
    answers = Counter(type(answer) for answer in at_once([leaving(cast.ada, run.id) for run in made]))
    assert answers == {RunView: 1, departures.DriverOut: 5}
    assert broken(engine) == []
    out = select(func.count()).select_from(Order).where(col(Order.status) == OrderStatus.OUT_FOR_DELIVERY)
    assert session.execute(out).scalar_one() == 1


def test_an_order_is_cancelled_or_out_but_never_both(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    drivers = [make_user(session, f"driver{number}", role=Role.DRIVER) for number in range(10)]
    session.commit()
    placed = [(place(cast.alice, fern), place(cast.bob, fern)) for _ in drivers]
    made = [planning(cast.ada, driver, *pair)() for driver, pair in zip(drivers, placed, strict=True)]
    acts = [
        act
        for run, (one, _) in zip(made, placed, strict=True)
        for act in (leaving(cast.ada, run.id), cancelling(cast.alice, one))
    ]
    answers = at_once(acts)
    departed, cancelled = answers[::2], answers[1::2]
    assert {type(answer) for answer in departed} <= {RunView, departures.StopsChanged}
    assert {type(answer) for answer in cancelled} <= {OrderView, own_orders.NotPending}
    for (one, _), answer in zip(placed, cancelled, strict=True):
        is_cancelled = isinstance(answer, OrderView)
        assert status_of(one) is (OrderStatus.CANCELLED if is_cancelled else OrderStatus.OUT_FOR_DELIVERY)
    assert broken(engine) == []
    out = {run.id for run in session.execute(select(Run).where(col(Run.departed_at).is_not(None))).scalars()}
    assert {answer.id for answer in departed if isinstance(answer, RunView)} == out


def test_paper_and_phone_at_once_record_each_step_once(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    placed = [place(cast.alice, fern) for _ in range(5)]
    run = make_run(session, dora, *[session.get_one(Order, order_id) for order_id in placed], is_out=True)
    session.commit()
    stop_ids = [stop.id for stop in db.read(lambda s: runs.get(s, s.get(User, cast.ada.id), run.id)).stops]
    acts = [
        act for stop_id in stop_ids for act in (*[entering(cast.ada, run.id, stop_id)] * 2, reporting(dora, stop_id))
    ]
    answers = at_once(acts)
    for one, other in zip(answers[::3], answers[1::3], strict=True):
        assert {type(one), type(other)} == {type(None), errors.InvalidInput}
    assert broken(engine) == []
    applied = select(col(StopEvent.stop_id), col(StopEvent.kind)).where(col(StopEvent.result) == EventResult.APPLIED)
    counts = Counter(tuple(row) for row in session.execute(applied))
    assert set(counts.values()) == {1}
    assert len(counts) == 4 * len(stop_ids)


@pytest.fixture
def lost_races(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """Transactions that the database aborted, as in a deadlock. The store would retry them."""
    found: list[Exception] = []
    is_lost = db.is_lost_race
    monkeypatch.setattr(db, "is_lost_race", lambda error: (found.append(error), is_lost(error))[1])
    return found


def pause_status_changes(monkeypatch: pytest.MonkeyPatch, *, holds_head: bool) -> Event:
    """Each change of a status pauses at its entry in the audit trail, before or after it has locked the trail's head.
    The event that is returned is set when the first one pauses."""
    is_paused, append = Event(), audit_log.append

    def append_slowly(session: Session, actor: User, action: str, *args: Any, **details: Any) -> None:
        if holds_head:
            append(session, actor, action, *args, **details)
        if action == "order.status":
            is_paused.set()
            time.sleep(0.5)
        if not holds_head:
            append(session, actor, action, *args, **details)

    monkeypatch.setattr(audit_log, "append", append_slowly)
    return is_paused


def when_paused(is_paused: Event, act: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: is_paused.wait(10) and act()


def test_a_run_is_removed_while_an_order_of_it_is_cancelled(
    engine: Engine,
    session: Session,
    cast: Cast,
    dora: User,
    fern: Product,
    lost_races: list[Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    run = planning(cast.ada, dora, one, two)()
    is_paused = pause_status_changes(monkeypatch, holds_head=False)
    removing = when_paused(is_paused, lambda: db.write(lambda s: runs.discard(s, s.get(User, cast.ada.id), run.id)))
    cancelled, removed = at_once([cancelling(cast.alice, one), removing])
    assert (cancelled.status, removed, lost_races) == (OrderStatus.CANCELLED, None, [])
    assert broken(engine) == []
    assert count_stops(session) == 0


@pytest.mark.parametrize("is_reordered", [True, False])
def test_stops_change_while_many_orders_of_their_run_get_a_status(
    engine: Engine,
    cast: Cast,
    dora: User,
    fern: Product,
    lost_races: list[Exception],
    monkeypatch: pytest.MonkeyPatch,
    is_reordered: bool,
) -> None:
    one, two, three = (place(cast.alice, fern) for _ in range(3))
    run = planning(cast.ada, dora, one, two, three)()
    first, second, third = (stop.id for stop in run.stops)

    def change(session: Session) -> RunView:
        ada = session.get(User, cast.ada.id)
        if is_reordered:
            return runs.reorder(session, ada, run.id, StopSequenceForm(stopIds=[first, third, second]))
        return runs.take_off(session, ada, run.id, second)

    def cancel(session: Session) -> object:
        form = ManyStatusForm(ids=[one, two], status=OrderStatus.CANCELLED)
        return orders_bulk.set_status_of_many(session, session.get(User, cast.ada.id), form)

    is_paused = pause_status_changes(monkeypatch, holds_head=True)
    cancelled, changed = at_once([lambda: db.write(cancel), when_paused(is_paused, lambda: db.write(change))])
    assert [outcome.id for outcome in cancelled] == [one, two]
    assert type(changed) is (runs.StopsChanged if is_reordered else errors.NotFound), "it waited for the cancellation"
    assert lost_races == []
    assert broken(engine) == []


def test_a_run_is_closed_while_deliveries_of_it_and_another_are_undone(
    engine: Engine,
    session: Session,
    cast: Cast,
    dora: User,
    fern: Product,
    lost_races: list[Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dirk = make_user(session, "dirk", role=Role.DRIVER)
    session.commit()
    placed = [place(cast.alice, fern) for _ in range(2)]
    made = [planning(cast.ada, driver, each)() for driver, each in zip((dora, dirk), placed, strict=True)]
    for run in made:
        leaving(cast.ada, run.id)()

    def set_all(status: OrderStatus) -> Callable[[], Any]:
        form = ManyStatusForm(ids=placed, status=status)
        return lambda: db.write(lambda s: orders_bulk.set_status_of_many(s, s.get(User, cast.ada.id), form))

    set_all(OrderStatus.DELIVERED)()
    is_paused = pause_status_changes(monkeypatch, holds_head=True)
    closing = when_paused(
        is_paused, lambda: db.write(lambda s: departures.close(s, s.get(User, cast.ada.id), made[1].id))
    )
    undone, closed = at_once([set_all(OrderStatus.OUT_FOR_DELIVERY), closing])
    assert [outcome.id for outcome in undone] == placed
    assert type(closed) is run_stops.StopsOpen, "it waited for the deliveries to be undone"
    assert lost_races == []
    assert broken(engine) == []
