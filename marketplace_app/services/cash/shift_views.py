"""Shifts as staff see them. What is expected is left out while it could guide a count (RULE shifts)."""

from collections.abc import Mapping, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import selectinload
from sqlmodel import Session, col

from marketplace_app.limits import MAX_COUNTS_A_SHIFT
from marketplace_app.models import CashMovement, CashReason, DriverShift, ShiftCount
from marketplace_app.models.base import related
from marketplace_app.schemas.cash import ShiftCountView, ShiftState, ShiftView
from marketplace_app.schemas.dispatch.runs import PersonRef
from marketplace_app.services.cash import colleagues, ledger


def make_one(session: Session, shift: DriverShift) -> ShiftView:
    return make(session, [shift])[0]


def make(session: Session, shifts: Sequence[DriverShift]) -> tuple[ShiftView, ...]:
    """Three statements, however many shifts there are."""
    ids = [shift.id for shift in shifts]
    booked = ledger.shift_balances(session, ids)
    floats = _floats(session, ids)
    involved = [
        user_id
        for shift in shifts
        for user_id in (shift.driver_id, shift.opened_by_id, shift.closed_by_id, shift.witness_id)
    ]
    names = colleagues.names(session, [*involved, *(each.counted_by_id for shift in shifts for each in shift.counts)])
    return tuple(_view(shift, booked.get(shift.id, 0), floats.get(shift.id, 0), names) for shift in shifts)


def list_open(session: Session) -> Sequence[DriverShift]:
    statement = select(DriverShift).where(col(DriverShift.closed_at).is_(None)).order_by(col(DriverShift.id))
    return session.execute(statement.options(selectinload(related(DriverShift.counts)))).scalars().all()


def list_closed(session: Session, limit: int) -> Sequence[DriverShift]:
    """The latest ones."""
    statement = select(DriverShift).where(col(DriverShift.closed_at).is_not(None))
    latest = statement.order_by(col(DriverShift.closed_at).desc(), col(DriverShift.id).desc()).limit(limit)
    return session.execute(latest.options(selectinload(related(DriverShift.counts)))).scalars().all()


def _view(shift: DriverShift, booked_cents: int, float_cents: int, names: Mapping[int, str]) -> ShiftView:
    counted = shift.counts[-1].counted_cents if shift.counts else 0
    difference: int | None = counted - booked_cents
    state = _state_of(shift, counted - booked_cents)
    if state in (ShiftState.OPEN, ShiftState.RECOUNT):
        difference = None
    elif state is ShiftState.CLOSED:
        difference = shift.difference_cents  # the cash was handed in: nothing is booked on the driver any more
    return ShiftView(
        id=shift.id,
        driver=PersonRef(id=shift.driver_id, name=names[shift.driver_id]),
        state=state,
        opened_at=shift.opened_at,
        opened_by=names[shift.opened_by_id],
        float_cents=float_cents,
        counts=tuple(_count_view(each, names[each.counted_by_id]) for each in shift.counts),
        expected_cents=None if difference is None else counted - difference,
        difference_cents=difference,
        reason=shift.reason,
        closed_at=shift.closed_at,
        closed_by=names[shift.closed_by_id] if shift.closed_by_id else "",
        witness=names[shift.witness_id] if shift.witness_id else "",
    )


def _state_of(shift: DriverShift, difference: int) -> ShiftState:
    if shift.closed_at is not None:
        return ShiftState.CLOSED
    if not shift.counts:
        return ShiftState.OPEN
    if not difference:
        return ShiftState.AGREES
    return ShiftState.RECOUNT if len(shift.counts) < MAX_COUNTS_A_SHIFT else ShiftState.DIFFERS


def _count_view(count: ShiftCount, counted_by: str) -> ShiftCountView:
    return ShiftCountView(
        number=count.number,
        pieces=count.pieces,
        counted_cents=count.counted_cents,
        counted_by=counted_by,
        counted_at=count.counted_at,
    )


def _floats(session: Session, shift_ids: Sequence[int]) -> dict[int, int]:
    if not shift_ids:
        return {}
    statement = select(col(CashMovement.shift_id), func.sum(col(CashMovement.cents))).where(
        col(CashMovement.shift_id).in_(shift_ids), col(CashMovement.reason) == CashReason.FLOAT
    )
    return {row[0]: int(row[1]) for row in session.execute(statement.group_by(col(CashMovement.shift_id)))}
