"""Recalls of batches."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import CSV_TYPE, Json, csv_answer, csv_headers, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.batches.recalls import DrillView, RecallForm, RecallSummary, RecallView
from marketplace_app.services.batches import recalls

router = APIRouter(prefix="/recalls")


@router.get("", response_model=list[RecallSummary], responses=problem(401, 403))
def list_recalls(caller: CallerDep) -> Response:
    """All recalled batches, the newest first."""
    return Json([recall.wire() for recall in caller.read(recalls.list_all)])


@router.post("", response_model=RecallView, status_code=201, responses=problem(401, 403, 404, 409, 422))
def recall_batch(form: RecallForm, caller: CallerDep) -> Response:
    """Sets the batch aside for good, and writes to its buyers. 409 if it was recalled before."""
    return Json(caller.write(recalls.recall, form).wire(), 201)


@router.post("/drill", response_model=DrillView, responses=problem(401, 403, 404, 409, 422))
def drill_recall(form: RecallForm, caller: CallerDep) -> Response:
    """Does all that a recall does, says what it did and how long it took, and undoes it."""
    return Json(caller.write(recalls.drill, form).wire())


@router.get("/{batch_id}", response_model=RecallView, responses=problem(401, 403, 404))
def get_recall(batch_id: RowIdPath, caller: CallerDep) -> Response:
    """With the orders that must not be handed over."""
    return Json(caller.read(recalls.get, batch_id).wire())


@router.get(
    "/{batch_id}/export",
    response_class=Response,
    responses=problem(401, 403, 404) | csv_answer("The orders as CSV"),
)
def export_recall(batch_id: RowIdPath, caller: CallerDep) -> Response:
    """For the regulator: CSV in UTF-8, a row for each order that has units of the batch."""
    text = caller.write(recalls.export, batch_id)
    return Response(text, media_type=CSV_TYPE, headers=csv_headers(f"recall-{batch_id}.csv"))
