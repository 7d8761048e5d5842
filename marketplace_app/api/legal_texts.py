"""Terms, privacy, compliance and returns, as the shop's owners wrote them."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.models import LegalPage
from marketplace_app.schemas.legal_texts import LegalTextAnswer
from marketplace_app.services import legal_texts

router = APIRouter(prefix="/legal", tags=["Legal texts"])


@router.get("/{page}", response_model=LegalTextAnswer, responses=problem(404))
def get_legal_text(page: LegalPage, caller: CallerDep) -> Response:
    """The current text, or 404 until an owner has written it. `# ` starts a heading, `- ` a list item."""
    return Json(caller.read(legal_texts.get, page).wire())
