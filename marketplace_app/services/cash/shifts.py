"""The shifts of drivers: opened with a float, counted without seeing what is expected, and closed (RULE shifts)."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import cash_messages, clock
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, InvalidInput, NotAllowed, NotFound
from marketplace_app.limits import MAX_COUNTS_A_SHIFT
from marketplace_app.models import (
    CashAccount,
    CashMovement,
    CashReason,
    DriverShift,
    Order,
    Permission,
    Role,
    Run,
    RunStop,
    ShiftCount,
    User,
)
from marketplace_app.schemas.cash import CloseShiftForm, CountForm, OpenShiftForm, ShiftView
from marketplace_app.services.accounts import may_drive, require
from marketplace_app.services.cash import colleagues, ledger, shift_views, transfers
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.run_stops import StopsOpen


class ShiftOpen(Conflict):
    code = "shift_open"
    message = cash_messages.SHIFT_ALREADY_OPEN


class ShiftClosed(Conflict):
    code = "shift_closed"
    message = cash_messages.SHIFT_ALREADY_CLOSED


class CountNeeded(Conflict):
    code = "count_needed"
    message = cash_messages.NOT_COUNTED


class CountIsFinal(Conflict):
    """The last count agrees, or was the second."""

    code = "counted_twice"
    message = cash_messages.COUNTED_TWICE


class OwnShift(NotAllowed):
    code = "own_shift"
    message = cash_messages.OWN_SHIFT


def open_shift(session: Session, actor: User | None, form: OpenShiftForm) -> ShiftView:
    """Raises InvalidInput, OwnShift, ShiftOpen, and NotEnoughCash for a float that is not there."""
    staff = require(actor, Permission.HANDLE_CASH)
    driver = session.get(User, form.driver_id)
    if driver is None or not may_drive(driver):
        raise InvalidInput({"driverId": cash_messages.NOT_A_DRIVER})
    _require_not_own(staff, driver.id)
    shift = ledger.open_shift(session, staff, driver.id)
    if shift is None:
        raise ShiftOpen()
    if form.float_cents:
        transfers.require_enough(session, form.source, form.float_cents)
        session.add(
            CashMovement(
                from_account=form.source,
                to_account=CashAccount.DRIVER,
                cents=form.float_cents,
                reason=CashReason.FLOAT,
                shift_id=shift.id,
                actor_id=staff.id,
            )
        )
    audit_log.append(session, staff, "shift.opened", f"user:{driver.id}", shift=shift.id, cents=form.float_cents)
    announcements.publish(session, live.STAFF)
    session.flush()
    return shift_views.make_one(session, shift)


def get(session: Session, actor: User | None, shift_id: int) -> ShiftView:
    """Raises NotFound."""
    require(actor, Permission.HANDLE_CASH)
    return shift_views.make_one(session, _find(session, shift_id))


def count(session: Session, actor: User | None, shift_id: int, form: CountForm) -> ShiftView:
    """Record what was counted; at most twice, and not while stops of the driver are open.

    Raises NotFound, OwnShift, ShiftClosed, StopsOpen and CountIsFinal. A second count after one that agrees is refused
    too: there is nothing to find.
    """
    staff = require(actor, Permission.HANDLE_CASH)
    shift = _lock_open(session, staff, shift_id)
    counts = len(shift.counts)
    if counts and shift.counts[-1].counted_cents == _expected(session, shift):
        raise CountIsFinal(cash_messages.COUNT_AGREES)
    if counts >= MAX_COUNTS_A_SHIFT:
        raise CountIsFinal()
    counted = ShiftCount(
        shift_id=shift.id,
        number=counts + 1,
        pieces={value: pieces for value, pieces in form.pieces.items() if pieces},
        counted_cents=form.cents,
        counted_by_id=staff.id,
    )
    session.add(counted)
    audit_log.append(
        session, staff, "shift.counted", f"user:{shift.driver_id}", shift=shift.id, number=counts + 1, cents=form.cents
    )
    announcements.publish(session, live.STAFF)
    session.flush()
    session.expire(shift, ["counts"])
    return shift_views.make_one(session, shift)


def close(session: Session, actor: User | None, shift_id: int, form: CloseShiftForm) -> ShiftView:
    """The driver hands in what was counted. A difference needs two counts, a reason and a witness.

    Raises NotFound, OwnShift, ShiftClosed, StopsOpen, CountNeeded and InvalidInput.
    """
    staff = require(actor, Permission.HANDLE_CASH)
    shift = _lock_open(session, staff, shift_id)
    if not shift.counts:
        raise CountNeeded()
    counted = shift.counts[-1].counted_cents
    difference = counted - _expected(session, shift)
    if difference and len(shift.counts) < MAX_COUNTS_A_SHIFT:
        raise CountNeeded(cash_messages.RECOUNT_NEEDED)
    if difference:
        _require_explained(session, staff, shift, form)
    _hand_in(session, staff, shift, counted, difference, form)
    shift.closed_at, shift.closed_by_id, shift.difference_cents = clock.now(), staff.id, difference
    shift.reason, shift.witness_id = (form.reason, form.witness_id) if difference else ("", None)
    session.add(shift)
    details: dict[str, int | None] = {"shift": shift.id, "cents": counted, "difference": difference}
    if difference:
        details["witness"] = shift.witness_id
    audit_log.append(session, staff, "shift.closed", f"user:{shift.driver_id}", **details)
    announcements.publish(session, live.STAFF)
    session.flush()
    return shift_views.make_one(session, shift)


def _find(session: Session, shift_id: int) -> DriverShift:
    found = session.get(DriverShift, shift_id)
    if found is None:
        raise NotFound(cash_messages.SHIFT_NOT_FOUND)
    return found


def _lock_open(session: Session, staff: User, shift_id: int) -> DriverShift:
    """A shift that can be counted or closed. A delivery that is reported at the same moment waits, or is waited for."""
    _find(session, shift_id)
    statement = select(DriverShift).where(col(DriverShift.id) == shift_id).with_for_update()
    shift: DriverShift = session.execute(statement.execution_options(populate_existing=True)).scalar_one()
    _require_not_own(staff, shift.driver_id)
    if shift.closed_at is not None:
        raise ShiftClosed()
    _require_no_open_stops(session, shift.driver_id)
    return shift


def _require_not_own(staff: User, driver_id: int) -> None:
    """Nobody handles the cash of their own shift. Raises OwnShift.

    Owners may: otherwise a shop with one person could not close its day.
    """
    if staff.id == driver_id and staff.role is not Role.OWNER:
        raise OwnShift()


def _require_no_open_stops(session: Session, driver_id: int) -> None:
    statement = (
        select(col(Order.number))
        .join(RunStop, col(RunStop.order_id) == col(Order.id))
        .join(Run, col(Run.id) == col(RunStop.run_id))
        .where(
            col(Run.driver_id) == driver_id,
            col(Run.departed_at).is_not(None),
            col(Run.closed_at).is_(None),
            col(RunStop.ended_at).is_(None),
        )
    )
    if numbers := session.execute(statement).scalars().all():
        raise StopsOpen(numbers, "The shift cannot be counted or closed")


def _expected(session: Session, shift: DriverShift) -> int:
    return ledger.shift_balances(session, [shift.id]).get(shift.id, 0)


def _require_explained(session: Session, staff: User, shift: DriverShift, form: CloseShiftForm) -> None:
    """The witness is neither the one who closes the shift nor the one who made the last count. Raises InvalidInput."""
    wrong = {}
    if not form.reason:
        wrong["reason"] = cash_messages.REASON_EXPECTED
    if form.witness_id is None:
        wrong["witnessId"] = cash_messages.WITNESS_EXPECTED
    if wrong:
        raise InvalidInput(wrong)
    colleagues.check_witness(session, staff, form.witness_id)
    if form.witness_id == shift.counts[-1].counted_by_id:
        raise InvalidInput({"witnessId": cash_messages.WITNESS_COUNTED})


def _hand_in(
    session: Session, staff: User, shift: DriverShift, counted: int, difference: int, form: CloseShiftForm
) -> None:
    """The difference is booked first. By the ledger, the driver then has what was counted, and hands all of it in."""
    moves = (
        (CashReason.SURPLUS, CashAccount.VARIANCE, CashAccount.DRIVER, difference),
        (CashReason.SHORTAGE, CashAccount.DRIVER, CashAccount.VARIANCE, -difference),
        (CashReason.HANDED_IN, CashAccount.DRIVER, CashAccount.DESK, counted),
    )
    for reason, source, destination, cents in moves:
        if cents > 0:
            is_difference = reason is not CashReason.HANDED_IN
            session.add(
                CashMovement(
                    from_account=source,
                    to_account=destination,
                    cents=cents,
                    reason=reason,
                    shift_id=shift.id,
                    actor_id=staff.id,
                    witness_id=form.witness_id if is_difference else None,
                    note=form.reason if is_difference else "",
                )
            )
