"""Products picked for the caller."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.products.recommendations import RecommendationAnswer, RecommendationQuery
from marketplace_app.services.products import recommendations

router = APIRouter(prefix="/recommendations", tags=["Preferences"])


@router.get("", response_model=list[RecommendationAnswer], responses=problem(401, 403, 422))
def pick(query: Annotated[RecommendationQuery, Query()], caller: CallerDep) -> Response:
    """Products that match the saved preferences, best first, with reasons. Never uses medical needs.

    Empty without preferences.
    """
    return Json([each.wire() for each in caller.read(recommendations.pick, limit=query.limit)])
