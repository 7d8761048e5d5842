"""Delivery zones."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.delivery.zones import ZoneForm, ZoneView
from marketplace_app.services.delivery import zones

router = APIRouter(prefix="/zones")


@router.get("", response_model=list[ZoneView], responses=problem(401, 403))
def list_zones(caller: CallerDep) -> Response:
    """All zones, by name. Without any, the shop delivers everywhere."""
    return Json([zone.wire() for zone in caller.read(zones.list_all)])


@router.post("", response_model=ZoneView, status_code=201, responses=problem(401, 403, 409, 422))
def add_zone(form: ZoneForm, caller: CallerDep) -> Response:
    """422 if another zone has this name or one of these ZIP codes; 409 if there are already 100."""
    return Json(caller.write(zones.add, form).wire(), 201)


@router.put("/{zone_id}", response_model=ZoneView, responses=problem(401, 403, 404, 422))
def change_zone(zone_id: RowIdPath, form: ZoneForm, caller: CallerDep) -> Response:
    """Replaces the zone as a whole. Orders already placed keep their amounts."""
    return Json(caller.write(zones.change, zone_id, form).wire())


@router.delete("/{zone_id}", status_code=204, responses=problem(401, 403, 404))
def remove_zone(zone_id: RowIdPath, caller: CallerDep) -> Response:
    caller.write(zones.remove, zone_id)
    return Response(status_code=204)
