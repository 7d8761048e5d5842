"""Delivery windows, and days without deliveries."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.delivery.windows import ClosureForm, ClosureView, WindowForm, WindowView
from marketplace_app.services.delivery import closures, windows

router = APIRouter()


@router.get("/windows", response_model=list[WindowView], responses=problem(401, 403))
def list_windows(caller: CallerDep) -> Response:
    """The windows of all zones, by zone, weekday and time."""
    return Json([window.wire() for window in caller.read(windows.list_all)])


@router.post("/windows", response_model=WindowView, status_code=201, responses=problem(401, 403, 409, 422))
def add_window(form: WindowForm, caller: CallerDep) -> Response:
    """422 if the zone is unknown or has this window already; 409 if there are already 1,000."""
    return Json(caller.write(windows.add, form).wire(), 201)


@router.put("/windows/{window_id}", response_model=WindowView, responses=problem(401, 403, 404, 422))
def change_window(window_id: RowIdPath, form: WindowForm, caller: CallerDep) -> Response:
    """Replaces the window as a whole. Days on which it has orders keep their times and capacity."""
    return Json(caller.write(windows.change, window_id, form).wire())


@router.delete("/windows/{window_id}", status_code=204, responses=problem(401, 403, 404))
def remove_window(window_id: RowIdPath, caller: CallerDep) -> Response:
    """Orders in it keep their time."""
    caller.write(windows.remove, window_id)
    return Response(status_code=204)


@router.get("/closures", response_model=list[ClosureView], responses=problem(401, 403))
def list_closures(caller: CallerDep) -> Response:
    """Days on which nothing is delivered, the earliest first."""
    return Json([closure.wire() for closure in caller.read(closures.list_all)])


@router.post("/closures", response_model=ClosureView, status_code=201, responses=problem(401, 403, 409, 422))
def add_closure(form: ClosureForm, caller: CallerDep) -> Response:
    """Closes a day, or gives a closed one another reason. Orders for that day keep their time."""
    return Json(caller.write(closures.add, form).wire(), 201)


@router.delete("/closures/{day}", status_code=204, responses=problem(401, 403, 404))
def remove_closure(day: str, caller: CallerDep) -> Response:
    """Opens a day such as `2026-12-25` again."""
    caller.write(closures.remove, day)
    return Response(status_code=204)
