"""The caller's saved addresses."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.account.addresses import AddressView, SavedAddressForm
from marketplace_app.services.account import addresses

router = APIRouter(prefix="/addresses", tags=["Addresses"])


@router.get("", response_model=list[AddressView], responses=problem(401))
def list_own(caller: CallerDep) -> Response:
    """The default first, then in the order they were saved."""
    return Json([address.wire() for address in caller.read(addresses.list_own)])


@router.post("", response_model=AddressView, status_code=201, responses=problem(401, 409, 422))
def add(form: SavedAddressForm, caller: CallerDep) -> Response:
    """At most ten: an eleventh is 409 `too_many_addresses`. The first one becomes the default."""
    return Json(caller.write(addresses.add, form).wire(), 201)


@router.put("/{address_id}", response_model=AddressView, responses=problem(401, 404, 422))
def change(address_id: RowIdPath, form: SavedAddressForm, caller: CallerDep) -> Response:
    """Replaces the whole address. The default stays the default until another address is made the default."""
    return Json(caller.write(addresses.change, address_id, form).wire())


@router.delete("/{address_id}", status_code=204, responses=problem(401, 404))
def remove(address_id: RowIdPath, caller: CallerDep) -> Response:
    """If it was the default, the address saved first becomes the default."""
    caller.write(addresses.remove, address_id)
    return Response(status_code=204)
