"""The caller's saved products, and those they wait for."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.buying.saved import SavedAnswer, SaveForm
from marketplace_app.services.buying import saved, stock_alerts

router = APIRouter(prefix="/saved", tags=["Saved products"])


@router.get("", response_model=list[SavedAnswer], responses=problem(401))
def list_own(caller: CallerDep) -> Response:
    """The newest first. Products that are no longer sold stay in the list, with `noLongerSold`."""
    return Json([each.wire() for each in caller.read(saved.list_own)])


@router.post("", response_model=SavedAnswer, status_code=201, responses=problem(401, 403, 404, 409, 422))
def save(form: SaveForm, caller: CallerDep) -> Response:
    """Saving a product that is already saved changes nothing. 409 `too_many_saved` for more than 200."""
    return Json(caller.write(saved.save, form).wire(), 201)


@router.delete("/{product_id}", status_code=204, responses=problem(401, 404))
def remove(product_id: RowIdPath, caller: CallerDep) -> Response:
    """By the product's number. 204 also when it was not saved."""
    caller.write(saved.remove, product_id)
    return Response(status_code=204)


alerts = APIRouter(prefix="/products", tags=["Saved products"])


@alerts.put("/{product_id}/alert", status_code=204, responses=problem(401, 403, 404, 409))
def ask(product_id: RowIdPath, caller: CallerDep) -> Response:
    """Ask for an email when a sold-out product is back. 409 `in_stock` if it is not sold out.

    Emails are sent in the order of the requests, one for each: to at most two people per unit in stock, counting those
    notified in the last two days.
    """
    caller.write(stock_alerts.ask, product_id)
    return Response(status_code=204)


@alerts.delete("/{product_id}/alert", status_code=204, responses=problem(401, 404))
def cancel(product_id: RowIdPath, caller: CallerDep) -> Response:
    """204 also when there was nothing to cancel."""
    caller.write(stock_alerts.cancel, product_id)
    return Response(status_code=204)
