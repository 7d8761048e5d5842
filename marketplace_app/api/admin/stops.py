"""Stops of runs, for dispatchers."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.dispatch.paper import PaperForm
from marketplace_app.schemas.dispatch.runs import ReleaseForm
from marketplace_app.services.dispatch import door, paper

router = APIRouter(prefix="/runs/{run_id}/stops")


@router.post("/{stop_id}/release", status_code=204, responses=problem(401, 403, 404, 409, 422))
def release(run_id: RowIdPath, stop_id: RowIdPath, form: ReleaseForm, caller: CallerDep) -> Response:
    """Unlocks a stop after too many wrong PINs, or clears its flag, such as a wrong PIN that was entered offline.

    409 `nothing_to_release` if it is neither locked nor flagged.
    """
    caller.write(door.release, run_id, stop_id, form)
    return Response(status_code=204)


@router.post("/{stop_id}/paper", status_code=204, responses=problem(401, 403, 404, 422))
def enter_from_paper(run_id: RowIdPath, stop_id: RowIdPath, form: PaperForm, caller: CallerDep) -> Response:
    """What a driver wrote on the sheet. All steps of the stop are entered, or none."""
    caller.write(paper.enter, run_id, stop_id, form)
    return Response(status_code=204)
