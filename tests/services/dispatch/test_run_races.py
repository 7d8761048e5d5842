"""Dispatchers, drivers and customers at the same moment: an order is on one run, and a driver out on one."""

from collections import Counter
from collections.abc import Callable
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, text
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderStatus, Product, Role, Run, RunStop, User
from marketplace_app.schemas.runs import NewRunForm, RunView
from marketplace_app.services import fulfilment, invariants
from marketplace_app.services.dispatch import departures, runs
from tests.builders import make_product, make_run, make_user
from tests.conftest import Cast
from tests.services.dispatch.test_runs import place
from tests.services.test_races import THREADS, at_once

pytestmark = pytest.mark.race


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=500)
    session.commit()
    return product


@pytest.fixture
def dora(session: Session) -> User:
    driver = make_user(session, "dora", role=Role.DRIVER)
    session.commit()
    return driver


def planning(staff: User, driver: User, *order_ids: str) -> Callable[[], Any]:
    form = NewRunForm(day=clock.today(get_settings().timezone), driverId=driver.id, orderIds=[*order_ids])
    return lambda: db.write(lambda s: runs.plan(s, s.get(User, staff.id), form))


def leaving(staff: User, run_id: int) -> Callable[[], Any]:
    return lambda: db.write(lambda s: departures.depart(s, s.get(User, staff.id), run_id))


def cancelling(customer: User, order_id: str) -> Callable[[], Any]:
    return lambda: db.write(lambda s: fulfilment.cancel_own(s, s.get(User, customer.id), order_id))


def broken(engine: Engine) -> list[str]:
    with Session(engine) as session:
        return [result.name for result in invariants.check(session) if not result.holds]


def count_of(session: Session, *conditions: Any) -> int:
    return int(session.execute(select(func.count()).select_from(RunStop).where(*conditions)).scalar_one())


def test_an_order_that_ten_dispatchers_plan_at_once_is_on_one_run(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    acts = [planning(cast.ada, dora, one, two), planning(cast.ada, dora, two, one)] * 5
    answers = Counter(type(answer) for answer in at_once(acts))
    assert answers == {RunView: 1, runs.AlreadyPlanned: 9}
    assert broken(engine) == []
    assert count_of(session) == 2


def test_control_looking_first_and_planning_later_puts_it_on_ten_runs(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    order_id = place(cast.alice, fern)
    session.execute(text("DROP INDEX uq_run_stops_open_order"))
    session.commit()
    all_have_looked = Barrier(THREADS)

    def naive() -> None:
        is_free = db.read(lambda s: count_of(s, col(RunStop.ended_at).is_(None))) == 0
        all_have_looked.wait()
        if is_free:
            db.write(lambda s: make_run(s, dora, s.get_one(Order, order_id)) and None)

    at_once([naive] * THREADS)
    assert count_of(session) == THREADS


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
    expected = {RunView, departures.StopsChanged, fulfilment.NotPending}
    assert {type(answer) for answer in answers[::2]} <= expected
    assert broken(engine) == []
    out = {run.id for run in session.execute(select(Run).where(col(Run.departed_at).is_not(None))).scalars()}
    assert {answer.id for answer in answers[::2] if isinstance(answer, RunView)} == out
