"""Batches of products."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.batches.batches import BatchForm, BatchQuery, BatchView, HoldForm, ReceiveForm, UnitsForm
from marketplace_app.services.batches import keeping

router = APIRouter(prefix="/batches")


@router.get("", response_model=list[BatchView], responses=problem(401, 403, 422))
def list_batches(query: Annotated[BatchQuery, Query()], caller: CallerDep) -> Response:
    """At most 100 per request; those that expire first come first. The total count is in `X-Total-Count`."""
    page = caller.read(keeping.list_all, query)
    return Json([batch.wire() for batch in page.batches], headers={"X-Total-Count": str(page.total)})


@router.post("", response_model=BatchView, status_code=201, responses=problem(401, 403, 404, 409, 422))
def receive_batch(form: ReceiveForm, caller: CallerDep) -> Response:
    """With its first batch, what a product has in stock goes into the batch `Unknown`."""
    return Json(caller.write(keeping.receive, form).wire(), 201)


@router.put("/{batch_id}", response_model=BatchView, responses=problem(401, 403, 404, 422))
def change_batch(batch_id: RowIdPath, form: BatchForm, caller: CallerDep) -> Response:
    """Replaces what is known of the batch; what is left out is not known any more."""
    return Json(caller.write(keeping.change, batch_id, form).wire())


@router.post("/{batch_id}/hold", response_model=BatchView, responses=problem(401, 403, 404, 409, 422))
def hold_batch(batch_id: RowIdPath, form: HoldForm, caller: CallerDep) -> Response:
    """Sets the batch's units aside. 409 if it was recalled."""
    return Json(caller.write(keeping.hold, batch_id, form).wire())


@router.post("/{batch_id}/release", response_model=BatchView, responses=problem(401, 403, 404, 409, 422))
def release_batch(batch_id: RowIdPath, form: HoldForm, caller: CallerDep) -> Response:
    """Ends the hold of the batch. 409 if it is not held, or was recalled."""
    return Json(caller.write(keeping.release, batch_id, form).wire())


@router.post("/{batch_id}/units", response_model=BatchView, responses=problem(401, 403, 404, 409, 422))
def correct_units(batch_id: RowIdPath, form: UnitsForm, caller: CallerDep) -> Response:
    """Adds to the batch's units or, with a negative number, takes from them. Below zero is 409."""
    return Json(caller.write(keeping.correct, batch_id, form).wire())
