"""Writing the shop's legal texts."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.models import LegalPage
from marketplace_app.schemas.legal_texts import LegalTextAnswer, LegalTextForm, LegalVersion
from marketplace_app.services import legal_texts

router = APIRouter(prefix="/legal")


@router.get("", response_model=list[LegalTextAnswer], responses=problem(401, 403))
def list_legal_texts(caller: CallerDep) -> Response:
    """The published pages in their current version."""
    return Json([text.wire() for text in caller.read(legal_texts.list_current)])


@router.put("/{page}", response_model=LegalTextAnswer, responses=problem(401, 403, 404, 409, 422))
def publish_legal_text(page: LegalPage, form: LegalTextForm, caller: CallerDep) -> Response:
    """Publishes a new version. `version` is the one that was edited, 0 for the first. 409 if there is a newer one."""
    return Json(caller.write(legal_texts.publish, page, form).wire())


@router.get("/{page}/versions", response_model=list[LegalVersion], responses=problem(401, 403, 404))
def list_legal_versions(page: LegalPage, caller: CallerDep) -> Response:
    """Who published what and when, newest first."""
    return Json([version.wire() for version in caller.read(legal_texts.list_versions, page)])
