"""Synonyms, and searches that found nothing."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.search.searches import MissView, SynonymForm, SynonymView
from marketplace_app.services.search import search_log, synonyms

router = APIRouter(prefix="/search")


@router.get("/synonyms", response_model=list[SynonymView], responses=problem(401, 403))
def list_synonyms(caller: CallerDep) -> Response:
    """All synonyms, by term. A search for `term` also finds what a search for `replacement` finds."""
    return Json([synonym.wire() for synonym in caller.read(synonyms.list_all)])


@router.post("/synonyms", response_model=SynonymView, status_code=201, responses=problem(401, 403, 409, 422))
def add_synonym(form: SynonymForm, caller: CallerDep) -> Response:
    """422 if it already exists, refers to itself or forms a loop; 409 if there are already 500."""
    return Json(caller.write(synonyms.add, form).wire(), 201)


@router.put("/synonyms/{synonym_id}", response_model=SynonymView, responses=problem(401, 403, 404, 422))
def change_synonym(synonym_id: RowIdPath, form: SynonymForm, caller: CallerDep) -> Response:
    return Json(caller.write(synonyms.change, synonym_id, form).wire())


@router.delete("/synonyms/{synonym_id}", status_code=204, responses=problem(401, 403, 404))
def remove_synonym(synonym_id: RowIdPath, caller: CallerDep) -> Response:
    caller.write(synonyms.remove, synonym_id)
    return Response(status_code=204)


@router.get("/misses", response_model=list[MissView], responses=problem(401, 403))
def list_misses(caller: CallerDep) -> Response:
    """Words without a synonym that found nothing on two days or more in the last 90 days, at most 100.

    The most searched come first.
    """
    return Json([miss.wire() for miss in caller.read(search_log.list_misses)])
