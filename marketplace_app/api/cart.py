"""The signed-in shopper's cart."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.buying.cart import AddForm, CartLineAnswer, QuantityForm
from marketplace_app.services.buying import cart

router = APIRouter(prefix="/cart", tags=["Cart"])


@router.get("", response_model=list[CartLineAnswer], responses=problem(401, 403))
def list_lines(caller: CallerDep) -> Response:
    return Json([line.wire() for line in caller.read(cart.list_lines)])


@router.post("", response_model=CartLineAnswer, status_code=201, responses=problem(401, 403, 404, 409, 422))
async def add(form: AddForm, caller: CallerDep) -> Response:
    """Adds a product, or raises its quantity if it is already in the cart."""
    line = await caller.write_async(cart.add, form)
    return Json(line.wire(), 201)


@router.put(
    "/{line_id}",
    response_model=CartLineAnswer,
    responses=problem(401, 403, 404, 409, 422) | {204: {"description": "The line is gone"}},
)
def set_quantity(line_id: RowIdPath, form: QuantityForm, caller: CallerDep) -> Response:
    """A quantity of 0 removes the line and answers 204."""
    line = caller.write(cart.set_quantity, line_id, quantity=form.quantity)
    return Json(line.wire()) if line else Response(status_code=204)


@router.delete("/{line_id}", status_code=204, responses=problem(401, 403, 404))
def remove(line_id: RowIdPath, caller: CallerDep) -> Response:
    caller.write(cart.remove, line_id)
    return Response(status_code=204)
