"""Cash from the door to the bank: accounts, movements, and the shifts of drivers."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.cash import (
    CashMovementsPage,
    CashMovementView,
    CashView,
    CloseShiftForm,
    CorrectCashForm,
    CountForm,
    MoveCashForm,
    MovementsQuery,
    OpenShiftForm,
    ShiftView,
)
from marketplace_app.schemas.dispatch.runs import PersonRef
from marketplace_app.services.cash import colleagues, shifts, transfers

router = APIRouter()


@router.get("/cash", response_model=CashView, responses=problem(401, 403))
def show_cash(caller: CallerDep) -> Response:
    """What is at the desk, in the safe and in the bank, and the shifts of drivers. Cash that drivers carry is included
    only once it has been counted."""
    return Json(caller.read(transfers.show).wire())


@router.get("/cash/movements", response_model=CashMovementsPage, responses=problem(401, 403, 422))
def list_movements(query: Annotated[MovementsQuery, Query()], caller: CallerDep) -> Response:
    """Newest first, without those of open shifts."""
    return Json(caller.read(transfers.list_movements, query).wire())


@router.post("/cash/movements", response_model=CashMovementView, status_code=201, responses=problem(401, 403, 409, 422))
def move_cash(form: MoveCashForm, caller: CallerDep) -> Response:
    """From the desk to the safe, from the safe to the bank, or back. 409 `not_enough_cash`."""
    return Json(caller.write(transfers.move, form).wire(), 201)


@router.post("/cash/counts", response_model=CashMovementView, status_code=201, responses=problem(401, 403, 422))
def correct_cash(form: CorrectCashForm, caller: CallerDep) -> Response:
    """Corrects the ledger to what was counted at the desk or in the safe: the difference is a movement."""
    return Json(caller.write(transfers.correct, form).wire(), 201)


@router.get("/cash/witnesses", response_model=list[PersonRef], responses=problem(401, 403))
def list_witnesses(caller: CallerDep) -> Response:
    """Everybody who works for the shop, except the caller."""
    return Json([witness.wire() for witness in caller.read(colleagues.list_witnesses)])


@router.post("/shifts", response_model=ShiftView, status_code=201, responses=problem(401, 403, 409, 422))
def open_shift(form: OpenShiftForm, caller: CallerDep) -> Response:
    """Open a driver's shift with a float. If nobody does, the shift begins when the driver's run leaves."""
    return Json(caller.write(shifts.open_shift, form).wire(), 201)


@router.get("/shifts/{shift_id}", response_model=ShiftView, responses=problem(401, 403, 404))
def get_shift(shift_id: RowIdPath, caller: CallerDep) -> Response:
    return Json(caller.read(shifts.get, shift_id).wire())


@router.post("/shifts/{shift_id}/counts", response_model=ShiftView, responses=problem(401, 403, 404, 409, 422))
def count_shift(shift_id: RowIdPath, form: CountForm, caller: CallerDep) -> Response:
    """At most twice. 409 `stops_open` until the outcome of each of the driver's orders is recorded."""
    return Json(caller.write(shifts.count, shift_id, form).wire())


@router.post("/shifts/{shift_id}/close", response_model=ShiftView, responses=problem(401, 403, 404, 409, 422))
def close_shift(shift_id: RowIdPath, form: CloseShiftForm, caller: CallerDep) -> Response:
    """The driver hands in what was counted. A difference needs two counts, a reason and a witness."""
    return Json(caller.write(shifts.close, shift_id, form).wire())
