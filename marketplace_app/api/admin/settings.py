"""The shop settings."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.settings import HistoryQuery, SettingChangeAnswer, SettingsAnswer, SettingsForm
from marketplace_app.services import settings

router = APIRouter(prefix="/settings")


@router.get("", response_model=SettingsAnswer, responses=problem(401, 403))
def get_settings(caller: CallerDep) -> Response:
    """The current settings."""
    return Json(caller.read(settings.show).wire())


@router.put("", response_model=SettingsAnswer, responses=problem(401, 403, 422))
def change_settings(form: SettingsForm, caller: CallerDep) -> Response:
    """Changes the given settings. Orders already placed keep their prices."""
    return Json(caller.write(settings.change, form).wire())


@router.get("/history", response_model=list[SettingChangeAnswer], responses=problem(401, 403, 422))
def list_history(query: Annotated[HistoryQuery, Query()], caller: CallerDep) -> Response:
    """Every change, newest first, at most 100 per request. The total count is in `X-Total-Count`."""
    total, listed = caller.read(settings.list_history, query)
    return Json([change.wire() for change in listed], headers={"X-Total-Count": str(total)})
