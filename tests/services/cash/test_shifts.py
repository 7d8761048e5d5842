"""A driver's shift: opened with a float, counted without seeing what is expected, closed (RULE shifts)."""

from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col

from marketplace_app import errors
from marketplace_app.limits import MAX_COUNTS_A_SHIFT
from marketplace_app.models import AuditEntry, CashAccount, DriverShift, OrderStatus, Product, Role, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import (
    CloseShiftForm,
    CorrectCashForm,
    CountForm,
    OpenShiftForm,
    ShiftState,
    ShiftView,
)
from marketplace_app.schemas.dispatch.runs import RunQuery
from marketplace_app.services import privacy, run_stops
from marketplace_app.services.cash import ledger, shifts, transfers
from marketplace_app.services.dispatch import departures, runs
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.cash.test_ledger import TOTAL, accounts, by_door
from tests.services.dispatch.test_paper import a_run, by_phone
from tests.services.dispatch.test_runs import call, place, plan
from tests.services.test_races import at_once

EXACT = {"10000": 1, "1000": 1, "500": 1}
FIVE_SHORT = {"10000": 1, "1000": 1}


@pytest.fixture
def shift_and_order(session: Session, cast: Cast, dora: User, fern: Product, zone: None) -> tuple[int, str]:
    """The ids of an open shift and of the order that its driver delivered; the delivery of a second order failed."""
    _, ((one, order_id, pin), (two, _, _)) = a_run(session, cast, dora, fern)
    by_door(dora, one, pin)
    by_phone(dora, two, ("arrived", {}), ("failed", {"reason": "not_home"}))
    return call(cast.ada, transfers.show).open_shifts[0].id, order_id


def count(actor: User, shift_id: int, pieces: dict[str, int]) -> ShiftView:
    view: ShiftView = call(actor, shifts.count, shift_id, parse(CountForm, {"pieces": pieces}))
    return view


def close(actor: User, shift_id: int, **given: Any) -> ShiftView:
    view: ShiftView = call(actor, shifts.close, shift_id, parse(CloseShiftForm, given))
    return view


def open_for(actor: User, driver: User, **given: Any) -> ShiftView:
    view: ShiftView = call(actor, shifts.open_shift, parse(OpenShiftForm, {"driverId": driver.id} | given))
    return view


def test_a_shift_whose_count_agrees_is_closed_without_a_reason_or_witness(
    engine: Engine, cast: Cast, shift_and_order: tuple[int, str]
) -> None:
    shift_id, _ = shift_and_order
    counted = count(cast.ada, shift_id, EXACT)
    assert (counted.state, counted.expected_cents, counted.difference_cents) == (ShiftState.AGREES, TOTAL, 0)
    closed = close(cast.ada, shift_id)
    assert (closed.state, closed.difference_cents, closed.witness) == (ShiftState.CLOSED, 0, "")
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DESK: TOTAL}


def test_a_shift_that_is_five_dollars_short_does_not_close_silently(
    engine: Engine, session: Session, cast: Cast, dora: User, shift_and_order: tuple[int, str]
) -> None:
    shift_id, _ = shift_and_order
    with pytest.raises(shifts.CountNeeded, match="Count the cash first"):
        close(cast.ada, shift_id)
    count(cast.ada, shift_id, FIVE_SHORT)
    with pytest.raises(shifts.CountNeeded, match="Please count again"):
        close(cast.ada, shift_id, reason="A bill is missing", witnessId=dora.id)
    count(cast.ada, shift_id, FIVE_SHORT)
    for given in ({}, {"reason": "A bill is missing"}, {"witnessId": dora.id}):
        with pytest.raises(errors.InvalidInput):
            close(cast.ada, shift_id, **given)
    customer = make_user(session, "carla")
    session.commit()
    for person in (cast.ada, cast.charlie, customer):
        with pytest.raises(errors.InvalidInput, match="someone other than you"):
            close(cast.ada, shift_id, reason="A bill is missing", witnessId=person.id)
    closed = close(cast.ada, shift_id, reason="A bill is missing", witnessId=dora.id)
    assert (closed.difference_cents, closed.reason, closed.witness) == (-5_00, "A bill is missing", "Dora")
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DESK: 110_00, CashAccount.VARIANCE: 5_00}


def test_a_colleague_who_made_the_last_count_is_not_its_witness(
    session: Session, cast: Cast, dora: User, shift_and_order: tuple[int, str]
) -> None:
    shift_id, _ = shift_and_order
    mia = make_user(session, "mia", role=Role.MANAGER)
    session.commit()
    count(cast.ada, shift_id, FIVE_SHORT)
    count(mia, shift_id, FIVE_SHORT)
    with pytest.raises(errors.InvalidInput, match="has counted the cash"):
        close(cast.ada, shift_id, reason="A bill is missing", witnessId=mia.id)
    assert close(cast.ada, shift_id, reason="A bill is missing", witnessId=dora.id).witness == "Dora"


def test_a_surplus_is_booked_too(engine: Engine, cast: Cast, dora: User, shift_and_order: tuple[int, str]) -> None:
    shift_id, _ = shift_and_order
    for _ in range(2):
        count(cast.ada, shift_id, EXACT | {"100": 2})
    assert close(cast.ada, shift_id, reason="A tip, perhaps", witnessId=dora.id).difference_cents == 2_00
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DESK: 117_00, CashAccount.VARIANCE: -2_00}


@pytest.mark.parametrize("counts", [[EXACT], [FIVE_SHORT, EXACT]], ids=["at first", "when repeated"])
def test_a_shift_whose_count_agrees_is_not_counted_again(
    cast: Cast, shift_and_order: tuple[int, str], counts: list[dict[str, int]]
) -> None:
    shift_id, _ = shift_and_order
    for pieces in counts:
        count(cast.ada, shift_id, pieces)
    with pytest.raises(shifts.CountIsFinal, match="the count agrees"):
        count(cast.ada, shift_id, FIVE_SHORT)
    assert close(cast.ada, shift_id).difference_cents == 0


def test_a_shift_is_not_counted_a_third_time_and_not_touched_after_it_was_closed(
    cast: Cast, dora: User, shift_and_order: tuple[int, str]
) -> None:
    shift_id, _ = shift_and_order
    for _ in range(2):
        count(cast.ada, shift_id, FIVE_SHORT)
    with pytest.raises(shifts.CountIsFinal, match="has been counted twice"):
        count(cast.ada, shift_id, EXACT)
    close(cast.ada, shift_id, reason="A bill is missing", witnessId=dora.id)
    for act in (lambda: close(cast.ada, shift_id), lambda: count(cast.ada, shift_id, EXACT)):
        with pytest.raises(shifts.ShiftClosed):
            act()


def test_a_shift_is_neither_counted_nor_closed_while_stops_are_open(
    session: Session, cast: Cast, dora: User, fern: Product, zone: None
) -> None:
    _, ((one, _, pin), _) = a_run(session, cast, dora, fern)
    by_door(dora, one, pin)
    shift_id = call(cast.ada, transfers.show).open_shifts[0].id
    for act in (lambda: count(cast.ada, shift_id, EXACT), lambda: close(cast.ada, shift_id)):
        with pytest.raises(run_stops.StopsOpen, match="The shift cannot be counted or closed: it is not"):
            act()


def test_a_shift_begins_with_a_float_that_the_desk_has(engine: Engine, cast: Cast, dora: User) -> None:
    with pytest.raises(transfers.NotEnoughCash, match=r"The desk has \$0.00 by the ledger"):
        open_for(cast.ada, dora, float="50.00")
    form = parse(CorrectCashForm, {"account": "desk", "counted": "80.00", "note": "Opening balance"})
    call(cast.ada, transfers.correct, form)
    opened = open_for(cast.ada, dora, float="50.00")
    assert (opened.state, opened.float_cents) == (ShiftState.OPEN, 50_00)
    with pytest.raises(shifts.ShiftOpen):
        open_for(cast.ada, dora)
    assert count(cast.ada, opened.id, {"5000": 1}).state is ShiftState.AGREES
    close(cast.ada, opened.id)
    assert accounts(engine) == {CashAccount.DESK: 80_00, CashAccount.BEFORE_LEDGER: -80_00}
    assert open_for(cast.ada, dora).id != opened.id


def test_only_a_user_who_may_drive_has_a_shift(cast: Cast) -> None:
    for person in (cast.alice, cast.charlie):
        with pytest.raises(errors.InvalidInput, match="may not drive"):
            open_for(cast.ada, person)


def test_nobody_but_an_owner_handles_a_shift_of_their_own(session: Session, cast: Cast) -> None:
    mia = make_user(session, "mia", role=Role.MANAGER)
    session.commit()
    with pytest.raises(shifts.OwnShift):
        open_for(mia, mia)
    shift = open_for(cast.ada, mia)
    with pytest.raises(shifts.OwnShift):
        count(mia, shift.id, {})
    own = open_for(cast.ada, cast.ada)
    count(cast.ada, own.id, {})
    assert close(cast.ada, own.id).state is ShiftState.CLOSED


def test_cash_that_a_closed_shift_brought_is_given_back_by_the_desk(
    engine: Engine, cast: Cast, shift_and_order: tuple[int, str]
) -> None:
    shift_id, order_id = shift_and_order
    count(cast.ada, shift_id, EXACT)
    close(cast.ada, shift_id)
    set_status(cast.ada, order_id, OrderStatus.CANCELLED)
    assert accounts(engine) == {}


def test_a_shift_whose_cash_changes_after_the_count_must_be_counted_again(
    cast: Cast, shift_and_order: tuple[int, str]
) -> None:
    shift_id, order_id = shift_and_order
    count(cast.ada, shift_id, EXACT)
    set_status(cast.ada, order_id, OrderStatus.CONFIRMED)
    with pytest.raises(shifts.CountNeeded):
        close(cast.ada, shift_id)


def test_a_shift_that_was_counted_twice_is_closed_before_its_driver_leaves_again(
    cast: Cast, dora: User, fern: Product, shift_and_order: tuple[int, str]
) -> None:
    """A third count is refused: what is collected on the next run would count as missing."""
    shift_id, _ = shift_and_order
    [run] = call(cast.ada, runs.list_runs, parse(RunQuery, {}))
    call(cast.ada, departures.close, run.id)
    other = plan(cast.ada, dora, place(cast.bob, fern))
    count(cast.ada, shift_id, FIVE_SHORT)
    count(cast.ada, shift_id, EXACT)
    with pytest.raises(departures.ShiftCounted):
        call(cast.ada, departures.depart, other.id)
    close(cast.ada, shift_id)
    call(cast.ada, departures.depart, other.id)
    assert [shift.state for shift in call(cast.ada, transfers.show).open_shifts] == [ShiftState.OPEN]


def test_an_owner_without_colleagues_leaves_after_the_second_count(cast: Cast, fern: Product) -> None:
    """Nobody could be the witness with whom the shift is closed."""
    ordered = [place(cast.bob, fern) for _ in range(2)]
    first, second = (plan(cast.ada, cast.ada, order_id) for order_id in ordered)
    call(cast.ada, departures.depart, first.id)
    set_status(cast.ada, ordered[0], OrderStatus.CANCELLED)
    call(cast.ada, departures.close, first.id)
    [shift] = call(cast.ada, transfers.show).open_shifts
    for _ in range(MAX_COUNTS_A_SHIFT):
        count(cast.ada, shift.id, {"1000": 1})  # nothing is expected
    assert call(cast.ada, departures.depart, second.id).departed_at is not None


def test_whoever_may_not_handle_cash_sees_none(session: Session, cast: Cast, shift_and_order: tuple[int, str]) -> None:
    shift_id, _ = shift_and_order
    for role in (Role.VIEWER, Role.SUPPORT, Role.DRIVER):
        person = make_user(session, f"a-{role.value}", role=role)
        session.commit()
        for operation, *given in (
            (shifts.get, shift_id),
            (shifts.count, shift_id, parse(CountForm, {"pieces": {}})),
            (transfers.show,),
            (transfers.list_movements, parse(transfers.MovementsQuery, {})),
        ):
            with pytest.raises(errors.NotAllowed):
                call(person, operation, *given)


def test_a_driver_who_carries_cash_cannot_delete_their_user_account(
    cast: Cast, dora: User, shift_and_order: tuple[int, str]
) -> None:
    shift_id, _ = shift_and_order
    run_id = call(cast.ada, runs.list_runs, parse(RunQuery, {}))[0].id
    call(cast.ada, departures.close, run_id)
    with pytest.raises(ledger.CarriesCash):
        call(dora, privacy.erase)
    count(cast.ada, shift_id, EXACT)
    close(cast.ada, shift_id)
    call(dora, privacy.erase)


@pytest.mark.race
def test_of_several_who_close_a_shift_at_once_one_does(
    engine: Engine, cast: Cast, shift_and_order: tuple[int, str]
) -> None:
    shift_id, _ = shift_and_order
    count(cast.ada, shift_id, EXACT)
    answers = at_once([lambda: close(cast.ada, shift_id)] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["ShiftClosed"] * 3 + ["ShiftView"]
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DESK: TOTAL}


@pytest.mark.race
def test_of_several_who_open_a_shift_at_once_one_does(engine: Engine, cast: Cast, dora: User) -> None:
    call(
        cast.ada,
        transfers.correct,
        parse(CorrectCashForm, {"account": "desk", "counted": "500.00", "note": "Opening balance"}),
    )
    answers = at_once([lambda: open_for(cast.ada, dora, float="50.00")] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["ShiftOpen"] * 3 + ["ShiftView"]
    assert accounts(engine) == {CashAccount.DESK: 450_00, CashAccount.DRIVER: 50_00, CashAccount.BEFORE_LEDGER: -500_00}


def test_the_trail_says_who_opened_counted_and_closed(session: Session, cast: Cast, dora: User) -> None:
    mia = make_user(session, "mia", role=Role.MANAGER)
    session.commit()
    shift = open_for(cast.ada, dora)
    count(mia, shift.id, {})
    close(cast.ada, shift.id)
    of_shifts = select(AuditEntry).where(col(AuditEntry.action).startswith("shift.")).order_by(col(AuditEntry.id))
    trail = [(entry.action, entry.actor_id, entry.subject) for entry in session.execute(of_shifts).scalars()]
    assert trail == [
        ("shift.opened", cast.ada.id, f"user:{dora.id}"),
        ("shift.counted", mia.id, f"user:{dora.id}"),
        ("shift.closed", cast.ada.id, f"user:{dora.id}"),
    ]


def test_the_trail_says_who_witnessed_a_difference(
    session: Session, cast: Cast, dora: User, shift_and_order: tuple[int, str]
) -> None:
    shift_id, _ = shift_and_order
    for _ in range(2):
        count(cast.ada, shift_id, FIVE_SHORT)
    close(cast.ada, shift_id, reason="A bill is missing", witnessId=dora.id)
    closed = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "shift.closed")).scalar_one()
    assert closed.details == {"shift": shift_id, "cents": 110_00, "difference": -5_00, "witness": dora.id}


@pytest.mark.race
def test_an_order_that_is_undone_while_its_shift_closes_leaves_the_books_in_order(
    engine: Engine, cast: Cast, shift_and_order: tuple[int, str]
) -> None:
    """The cash is taken back from the driver before the shift is closed, whose count then differs, or from the desk
    afterwards."""
    shift_id, order_id = shift_and_order
    count(cast.ada, shift_id, EXACT)
    answers = at_once(
        [lambda: close(cast.ada, shift_id), lambda: set_status(cast.ada, order_id, OrderStatus.CONFIRMED)]
    )
    assert type(answers[0]).__name__ in ("ShiftView", "CountNeeded")
    assert accounts(engine) == {}


@pytest.mark.race
def test_control_without_its_lock_only_the_database_stops_a_second_close(
    engine: Engine, cast: Cast, shift_and_order: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    shift_id, _ = shift_and_order
    count(cast.ada, shift_id, EXACT)
    monkeypatch.setattr(shifts, "_lock_open", lambda s, _staff, shift: s.get_one(DriverShift, shift))
    with pytest.raises(DBAPIError, match="append-only"):
        at_once([lambda: close(cast.ada, shift_id)] * 8)
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DESK: TOTAL}
