"""When an order can be delivered."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.delivery.slots import OfferedSlot, OfferQuery
from marketplace_app.services.delivery import windows

router = APIRouter(prefix="/delivery", tags=["Orders"])


@router.get("/windows", response_model=list[OfferedSlot], responses=problem(401, 403, 422))
def list_windows(query: Annotated[OfferQuery, Query()], caller: CallerDep) -> Response:
    """The delivery times of the next two weeks for an order to this ZIP code, full ones included.

    Without `zip`, for the caller's default address or, without one, that of their last order. While the state's rules
    are applied, what they do not allow is left out; `state` is needed only where the table of ZIP codes does not have
    this one. Empty where the shop has no windows, since orders then come within the shop's delivery hours, and if there
    is no address to go by.
    """
    return Json([slot.wire() for slot in caller.read(windows.list_offered, query.read_place())])
