"""The dispatch board, and runs with their stops."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import PDF_ANSWER, Json, pdf, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.dispatch.runs import (
    DispatchBoard,
    NewRunForm,
    PersonRef,
    RunForm,
    RunQuery,
    RunView,
    StopForm,
    StopSequenceForm,
    Suggestion,
)
from marketplace_app.schemas.dispatch.stop_events import StopEventView
from marketplace_app.services.dispatch import (
    board,
    departures,
    drivers,
    labels,
    pdfs,
    run_events,
    runs,
    sheets,
    suggestions,
)

router = APIRouter()


@router.get("/dispatch", response_model=DispatchBoard, responses=problem(401, 403))
def show_board(caller: CallerDep) -> Response:
    """All orders that are still to be delivered: not planned, on runs, and those that wait for a decision."""
    return Json(caller.read(board.show).wire())


@router.get("/drivers", response_model=list[PersonRef], responses=problem(401, 403))
def list_drivers(caller: CallerDep) -> Response:
    """Everybody who may drive, by name."""
    return Json([driver.wire() for driver in caller.read(drivers.list_all)])


@router.get("/runs", response_model=list[RunView], responses=problem(401, 403, 422))
def list_runs(query: Annotated[RunQuery, Query()], caller: CallerDep) -> Response:
    """The runs of one day in the store's time zone; without `day`, of today."""
    return Json([run.wire() for run in caller.read(runs.list_runs, query)])


@router.post("/runs", response_model=RunView, status_code=201, responses=problem(401, 403, 404, 409, 422))
def plan_run(form: NewRunForm, caller: CallerDep) -> Response:
    """Plans a run with its first orders: all of them or none. 409 if one is on another run, or has ended."""
    return Json(caller.write(runs.plan, form).wire(), 201)


@router.get("/runs/{run_id}", response_model=RunView, responses=problem(401, 403, 404))
def get_run(run_id: RowIdPath, caller: CallerDep) -> Response:
    return Json(caller.read(runs.get, run_id).wire())


@router.put("/runs/{run_id}", response_model=RunView, responses=problem(401, 403, 404, 409, 422))
def change_run(run_id: RowIdPath, form: RunForm, caller: CallerDep) -> Response:
    """Replaces day, driver and vehicle of a run that has not left."""
    return Json(caller.write(runs.change, run_id, form).wire())


@router.delete("/runs/{run_id}", status_code=204, responses=problem(401, 403, 404, 409))
def discard_run(run_id: RowIdPath, caller: CallerDep) -> Response:
    """Removes a run that has not left. Its orders can be planned again."""
    caller.write(runs.discard, run_id)
    return Response(status_code=204)


@router.post("/runs/{run_id}/stops", response_model=RunView, responses=problem(401, 403, 404, 409, 422))
def add_stop(run_id: RowIdPath, form: StopForm, caller: CallerDep) -> Response:
    """Puts an order on the run, or moves it there from another one that has not left."""
    return Json(caller.write(runs.add, run_id, form).wire())


@router.delete("/runs/{run_id}/stops/{stop_id}", response_model=RunView, responses=problem(401, 403, 404, 409))
def take_off(run_id: RowIdPath, stop_id: RowIdPath, caller: CallerDep) -> Response:
    """Takes an order off a run that has not left."""
    return Json(caller.write(runs.take_off, run_id, stop_id).wire())


@router.put("/runs/{run_id}/order", response_model=RunView, responses=problem(401, 403, 404, 409, 422))
def reorder_stops(run_id: RowIdPath, form: StopSequenceForm, caller: CallerDep) -> Response:
    """Puts all stops that have not ended into a new sequence; also of a run that is out."""
    return Json(caller.write(runs.reorder, run_id, form).wire())


@router.get("/runs/{run_id}/events", response_model=list[StopEventView], responses=problem(401, 403, 404))
def list_events(run_id: RowIdPath, caller: CallerDep) -> Response:
    """What was reported at each stop, with the time that the phone says and the time it arrived. Never a door PIN."""
    return Json([event.wire() for event in caller.read(run_events.list_events, run_id)])


@router.get("/runs/{run_id}/suggestion", response_model=Suggestion, responses=problem(401, 403, 404))
def suggest_sequence(run_id: RowIdPath, caller: CallerDep) -> Response:
    """A sequence for the stops that have not ended. Nothing is changed."""
    return Json(caller.read(suggestions.suggest, run_id).wire())


@router.get(
    "/runs/{run_id}/sheet.pdf",
    response_class=Response,
    responses=problem(401, 403, 404) | PDF_ANSWER,
)
def get_sheet(run_id: RowIdPath, caller: CallerDep) -> Response:
    """What the driver needs on paper, stop by stop. Never the door PINs."""
    return pdf(caller.read(sheets.render, run_id), f"run-{run_id}.pdf")


@router.get("/runs/{run_id}/labels.pdf", response_class=Response, responses=problem(401, 403, 404, 409) | PDF_ANSWER)
def get_labels(run_id: RowIdPath, caller: CallerDep) -> Response:
    """A page of 100 x 62 mm for the bag of each stop that has not ended; its QR code opens the stop on `/drive`."""
    return pdf(pdfs.render_labels(caller.read(labels.of_run, run_id)), f"run-{run_id}-labels.pdf")


@router.post("/runs/{run_id}/depart", response_model=RunView, responses=problem(401, 403, 404, 409))
def depart(run_id: RowIdPath, caller: CallerDep) -> Response:
    """The run leaves: all its orders become out for delivery, or none."""
    # Written before, in case the process ends right after the departure, and again after, with the time of departure.
    caller.read(sheets.write_at_departure, run_id)
    run = caller.write(departures.depart, run_id)
    caller.read(sheets.write_at_departure, run_id)
    return Json(run.wire())


@router.post("/runs/{run_id}/close", response_model=RunView, responses=problem(401, 403, 404, 409))
def close_run(run_id: RowIdPath, caller: CallerDep) -> Response:
    """The run is over. 409 `stops_open` until the outcome of each of its orders is recorded."""
    closed = caller.write(departures.close, run_id)
    caller.read(sheets.remove_at_close)
    return Json(closed.wire())
