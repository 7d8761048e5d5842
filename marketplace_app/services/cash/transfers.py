"""Cash between the desk, the safe and the bank, as staff move and count it (RULE cash-desk)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import Session, col

from marketplace_app import cash_messages
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, InvalidInput
from marketplace_app.limits import LATEST_SHIFTS, MAX_CASH_CENTS, MAX_PAGE_SIZE
from marketplace_app.models import (
    CashAccount,
    CashMovement,
    CashReason,
    DriverShift,
    Order,
    Permission,
    User,
)
from marketplace_app.schemas.cash import (
    MOVES,
    WITH_SLIP,
    CashMovementsPage,
    CashMovementView,
    CashView,
    CorrectCashForm,
    MoveCashForm,
    MovementsQuery,
)
from marketplace_app.services.accounts import require
from marketplace_app.services.cash import colleagues, ledger, shift_views
from marketplace_app.services.records import announcements, audit_log, counters


class NotEnoughCash(Conflict):
    code = "not_enough_cash"


def require_enough(session: Session, account: CashAccount, cents: int) -> None:
    """Raises NotEnoughCash. The lock keeps two people from taking the same cash."""
    counters.lock(session, counters.CASH)
    present = ledger.balances(session)[account]
    if present < cents:
        raise NotEnoughCash(cash_messages.not_enough(account.value, present))


def move(session: Session, actor: User | None, form: MoveCashForm) -> CashMovementView:
    """Raises InvalidInput and NotEnoughCash. What the bank has is not known here, so any amount may be
    withdrawn."""
    staff = require(actor, Permission.HANDLE_CASH)
    if form.kind in WITH_SLIP and not form.slip_number:
        raise InvalidInput({"slipNumber": cash_messages.SLIP_EXPECTED})
    if form.kind not in WITH_SLIP and form.slip_number:
        raise InvalidInput({"slipNumber": cash_messages.SLIP_NOT_EXPECTED})
    colleagues.check_witness(session, staff, form.witness_id)
    source, destination = MOVES[form.kind]
    if source is not CashAccount.BANK:
        require_enough(session, source, form.amount)
    movement = CashMovement(
        from_account=source,
        to_account=destination,
        cents=form.amount,
        reason=form.kind,
        actor_id=staff.id,
        witness_id=form.witness_id,
        slip_number=form.slip_number,
        note=form.note,
    )
    return _write(session, staff, "cash.moved", movement)


def correct(session: Session, actor: User | None, form: CorrectCashForm) -> CashMovementView:
    """Adjust the ledger to a count of the desk or the safe. If the first correction of an account finds more than the
    ledger says, the excess is its opening balance, even if orders have been paid into it before.

    Raises InvalidInput if the ledger says the same amount, or differs by more than can be moved at once.
    """
    staff = require(actor, Permission.HANDLE_CASH)
    colleagues.check_witness(session, staff, form.witness_id)
    counters.lock(session, counters.CASH)
    difference = form.counted - ledger.balances(session)[form.account]
    if not difference:
        raise InvalidInput({"counted": cash_messages.SAME_AMOUNT})
    if abs(difference) > MAX_CASH_CENTS:
        raise InvalidInput({"counted": cash_messages.FAR_OFF})
    is_more = difference > 0
    is_opening = is_more and not _was_corrected(session, form.account)
    other_end = CashAccount.BEFORE_LEDGER if is_opening else CashAccount.VARIANCE
    movement = CashMovement(
        from_account=other_end if is_more else form.account,
        to_account=form.account if is_more else other_end,
        cents=abs(difference),
        reason=CashReason.CORRECTION,
        actor_id=staff.id,
        witness_id=form.witness_id,
        note=form.note,
    )
    return _write(session, staff, "cash.corrected", movement)


def _was_corrected(session: Session, account: CashAccount) -> bool:
    touches = or_(col(CashMovement.from_account) == account, col(CashMovement.to_account) == account)
    corrections = select(col(CashMovement.id)).where(touches, col(CashMovement.reason) == CashReason.CORRECTION)
    return session.execute(corrections.limit(1)).first() is not None


def show(session: Session, actor: User | None) -> CashView:
    require(actor, Permission.HANDLE_CASH)
    present = ledger.balances(session)
    return CashView(
        desk_cents=present[CashAccount.DESK],
        safe_cents=present[CashAccount.SAFE],
        bank_cents=present[CashAccount.BANK],
        variance_cents=present[CashAccount.VARIANCE],
        open_shifts=shift_views.make(session, shift_views.list_open(session)),
        closed_shifts=shift_views.make(session, shift_views.list_closed(session, LATEST_SHIFTS)),
    )


def list_movements(session: Session, actor: User | None, query: MovementsQuery) -> CashMovementsPage:
    """Newest first. Movements of open shifts are left out: whoever counts a driver's cash must not be able to work out
    beforehand how much there should be."""
    require(actor, Permission.HANDLE_CASH)
    open_shifts = select(col(DriverShift.id)).where(col(DriverShift.closed_at).is_(None))
    is_listed = or_(col(CashMovement.shift_id).is_(None), col(CashMovement.shift_id).not_in(open_shifts))
    total = session.execute(select(func.count()).select_from(CashMovement).where(is_listed)).scalar_one()
    rows = session.execute(
        select(CashMovement, col(Order.number), col(DriverShift.driver_id))
        .outerjoin(Order, col(Order.id) == col(CashMovement.order_id))
        .outerjoin(DriverShift, col(DriverShift.id) == col(CashMovement.shift_id))
        .where(is_listed)
        .order_by(col(CashMovement.id).desc())
        .limit(query.limit or MAX_PAGE_SIZE)
        .offset(query.offset)
    ).all()
    return CashMovementsPage(total=total, movements=_views(session, rows))


def _write(session: Session, staff: User, action: str, movement: CashMovement) -> CashMovementView:
    session.add(movement)
    session.flush()
    details = {"cents": movement.cents, "reason": movement.reason.value}
    audit_log.append(session, staff, action, f"cash:{movement.id}", **details)
    announcements.publish(session, live.STAFF)
    return _view(movement, None, "", colleagues.names(session, [staff.id, movement.witness_id]))


def _views(session: Session, rows: Sequence[Any]) -> tuple[CashMovementView, ...]:
    """From rows that have a movement, the number of its order, and the id of its shift's driver."""
    involved = [user_id for row in rows for user_id in (row[0].actor_id, row[0].witness_id, row[2])]
    names = colleagues.names(session, involved)
    return tuple(_view(movement, number, names.get(driver_id, ""), names) for movement, number, driver_id in rows)


def _view(movement: CashMovement, number: int | None, driver: str, names: Mapping[int, str]) -> CashMovementView:
    return CashMovementView(
        id=movement.id,
        from_account=movement.from_account,
        to_account=movement.to_account,
        cents=movement.cents,
        reason=movement.reason,
        order_id=movement.order_id,
        order_number=number,
        shift_id=movement.shift_id,
        driver=driver,
        by=names[movement.actor_id] if movement.actor_id else "",
        witness=names[movement.witness_id] if movement.witness_id else "",
        slip_number=movement.slip_number,
        note=movement.note,
        created_at=movement.created_at,
    )
