"""The dispatch board shows what waits for a decision, and takes few statements (RULE dispatch-board)."""

import re
from typing import Any

from sqlalchemy import Engine, event, insert, select, text
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.limits import MAX_WRONG_PINS
from marketplace_app.models import (
    FailureReason,
    Order,
    OrderStatus,
    Role,
    RunStop,
    StopFlag,
    StopOutcome,
    User,
)
from marketplace_app.schemas.dispatch.runs import DispatchBoard
from marketplace_app.services.dispatch import board
from tests.builders import make_order, make_run, make_user
from tests.conftest import Cast
from tests.counting import count_statements


def look(actor: User) -> DispatchBoard:
    return db.read(lambda s: board.show(s, s.get(User, actor.id)))


def change_stop(session: Session, order: Order, **changes: Any) -> RunStop:
    """Change the newest stop of an order, and return it."""
    newest = select(RunStop).where(col(RunStop.order_id) == order.id).order_by(col(RunStop.id).desc())
    stop: RunStop = session.execute(newest).scalars().first()  # type: ignore[assignment]
    for name, value in changes.items():
        setattr(stop, name, value)
    session.add(stop)
    session.flush()
    return stop


def fail(session: Session, order: Order, reason: FailureReason) -> RunStop:
    order.status = OrderStatus.CONFIRMED
    session.add(order)
    return change_stop(session, order, ended_at=clock.now(), outcome=StopOutcome.FAILED, failure=reason)


def problems(actor: User) -> list[tuple[int, str, bool]]:
    """Which stop, the first words of its message, and whether it needs a release."""
    return [(each.stop_id, re.split("[,.]", each.message)[0], each.needs_release) for each in look(actor).problems]


def test_an_order_that_failed_twice_is_one_problem_until_it_is_planned_again(
    session: Session, cast: Cast, dora: User
) -> None:
    order = make_order(session, cast.alice, 50_00)
    make_run(session, dora, order, is_out=True).closed_at = clock.now()
    fail(session, order, FailureReason.NOT_HOME)
    make_run(session, dora, order, is_out=True)
    second = fail(session, order, FailureReason.NO_ID)
    session.commit()
    assert problems(cast.ada) == [(second.id, "No ID", False)]
    assert look(cast.ada).unplanned == ()
    make_run(session, cast.ada, order)
    session.commit()
    assert problems(cast.ada) == []


def test_a_locked_stop_is_a_problem_until_it_has_ended(session: Session, cast: Cast, dora: User) -> None:
    order = make_order(session, cast.alice, 50_00)
    make_run(session, dora, order, is_out=True)
    stop = change_stop(session, order, wrong_pins=MAX_WRONG_PINS)
    session.commit()
    assert problems(cast.ada) == [(stop.id, "Locked after too many wrong PINs", True)]
    change_stop(session, order, ended_at=clock.now(), outcome=StopOutcome.DELIVERED)
    session.commit()
    assert problems(cast.ada) == []


def test_a_flag_is_a_problem_after_its_run_is_closed(session: Session, cast: Cast, dora: User) -> None:
    order = make_order(session, cast.alice, 50_00)
    run = make_run(session, dora, order, is_out=True)
    stop = change_stop(session, order, flag=StopFlag.NO_PIN, ended_at=clock.now(), outcome=StopOutcome.DELIVERED)
    order.status, run.closed_at = OrderStatus.DELIVERED, clock.now()
    session.commit()
    assert problems(cast.ada) == [(stop.id, "Entered from paper without a PIN", True)]
    order.deleted_at = clock.now()
    session.commit()
    assert problems(cast.ada) == []


def test_a_wrong_pin_is_told_with_what_became_of_the_stop(session: Session, cast: Cast, dora: User) -> None:
    order = make_order(session, cast.alice, 50_00)
    make_run(session, dora, order, is_out=True)
    change_stop(session, order, flag=StopFlag.WRONG_PIN)

    def told() -> str:
        session.commit()
        [problem] = look(cast.ada).problems
        return problem.message

    assert told().startswith("The PIN was wrong. Ask the driver and the customer")
    failed = fail(session, order, FailureReason.NOT_HOME)
    assert re.match(r"Not home, .+ [AP]M\. The PIN was wrong\. Ask the driver and the customer", told())
    failed.failure, failed.outcome = None, StopOutcome.DELIVERED
    assert told().startswith("Delivered, but the PIN was wrong. Ask the driver and the customer")


def test_a_cancelled_order_is_a_problem_until_its_run_is_closed_also_when_it_is_reopened(
    session: Session, cast: Cast, dora: User
) -> None:
    order = make_order(session, cast.alice, 50_00)
    make_run(session, dora, order, is_out=True).closed_at = clock.now()
    failed = fail(session, order, FailureReason.NOT_HOME)
    run = make_run(session, dora, order, is_out=True)
    carried = change_stop(session, order, ended_at=clock.now(), outcome=StopOutcome.CANCELLED)
    order.status = OrderStatus.CONFIRMED
    session.commit()
    assert problems(cast.ada) == [
        (failed.id, "Not home", False),
        (carried.id, "Cancelled while it was out", False),
    ]
    run.closed_at = clock.now()
    session.commit()
    assert problems(cast.ada) == [(failed.id, "Not home", False)]


def fill(session: Session, shopper: User, drivers: list[User], orders_a_list: int) -> None:
    """For each driver: a run, which is out for every second one, an unplanned order, and stops with problems."""
    for number, driver in enumerate(drivers):
        again, carried, _unplanned = (make_order(session, shopper, 50_00) for _ in range(3))
        make_run(session, driver, again, is_out=True).closed_at = clock.now()
        fail(session, again, FailureReason.NOT_HOME)
        made = [make_order(session, shopper, 50_00) for _ in range(orders_a_list)]
        make_run(session, driver, *made, is_out=number % 2 == 0)
        change_stop(session, made[0], wrong_pins=MAX_WRONG_PINS)
        if number % 2:
            make_run(session, driver, carried, is_out=True)
            carried.status = OrderStatus.CANCELLED
            change_stop(session, carried, ended_at=clock.now(), outcome=StopOutcome.CANCELLED)
    session.commit()


def test_the_board_takes_the_same_six_statements_for_few_orders_and_for_many(
    engine: Engine, session: Session, cast: Cast
) -> None:
    def statements() -> int:
        with count_statements(engine) as seen:
            look(cast.ada)
        return len(seen) - 1  # looking up who is acting

    fill(session, cast.alice, [make_user(session, f"few{number}", role=Role.DRIVER) for number in range(2)], 1)
    few = statements()
    fill(session, cast.alice, [make_user(session, f"many{number}", role=Role.DRIVER) for number in range(6)], 12)
    assert statements() == few == 6


def test_the_board_reads_no_stop_of_the_past(engine: Engine, session: Session, cast: Cast, dora: User) -> None:
    """However long a shop has been delivering, each part of the board is found by an index."""
    order = make_order(session, cast.alice, 50_00, status=OrderStatus.DELIVERED)
    run = make_run(session, dora, is_out=True)
    run.closed_at = at = clock.now()
    session.flush()
    past = {"run_id": run.id, "order_id": order.id, "added_at": at, "ended_at": at, "outcome": StopOutcome.DELIVERED}
    session.execute(insert(RunStop), [past | {"position": number} for number in range(1, 5_001)])
    fill(session, cast.alice, [make_user(session, f"few{number}", role=Role.DRIVER) for number in range(2)], 5)
    session.execute(text("ANALYZE"))
    session.commit()
    sent: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, sql: str, given: Any, *_: Any) -> None:
        sent.append((sql, given))

    event.listen(engine, "before_cursor_execute", note)
    look(cast.ada)
    event.remove(engine, "before_cursor_execute", note)
    reading = [each for each in sent if "run_stops" in each[0]]
    assert len(reading) == 4
    is_sqlite = engine.dialect.name == "sqlite"
    explain, scan = ("EXPLAIN QUERY PLAN", "SCAN run_stops") if is_sqlite else ("EXPLAIN", "Seq Scan on run_stops")
    with engine.connect() as connection:
        for sql, given in reading:
            plan = [str(line) for line in connection.exec_driver_sql(f"{explain} {sql}", given)]
            assert not [line for line in plan if scan in line], plan
