"""What the caller likes and would rather avoid."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.account.preferences import PreferencesAnswer, PreferencesForm
from marketplace_app.services.account import preferences

router = APIRouter(prefix="/preferences", tags=["Preferences"])


@router.get("", response_model=PreferencesAnswer, responses=problem(401))
def show(caller: CallerDep) -> Response:
    """The caller's preferences, empty if none were saved."""
    return Json(caller.read(preferences.show).wire())


@router.post("", response_model=PreferencesAnswer, responses=problem(401, 422))
def save(form: PreferencesForm, caller: CallerDep) -> Response:
    """Replaces all preferences: fields left out are unset. Medical needs require `medicalConsent`; without it none
    are kept."""
    return Json(caller.write(preferences.save, form).wire())
