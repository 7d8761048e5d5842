"""Rules of states."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.schemas.jurisdictions.jurisdictions import ReviewForm, VersionForm, VersionView
from marketplace_app.schemas.jurisdictions.rule_drafts import DraftView
from marketplace_app.services.admin import rules
from marketplace_app.services.jurisdictions import versions

router = APIRouter(prefix="/rules")


@router.get("", response_model=list[VersionView], responses=problem(401, 403))
def list_rules(caller: CallerDep) -> Response:
    """All versions, by state, the latest first."""
    return Json([version.wire() for version in caller.read(versions.list_all)])


@router.post("", response_model=VersionView, status_code=201, responses=problem(401, 403, 422))
def add_rules(form: VersionForm, caller: CallerDep) -> Response:
    """Adds a version, which counts for nothing until an owner has reviewed it. Versions never change."""
    return Json(caller.write(versions.add, form).wire(), 201)


@router.get("/drafts", response_model=list[DraftView], responses=problem(401, 403))
def list_drafts(caller: CallerDep) -> Response:
    """The drafts that ship with the store. They are not legal advice."""
    return Json([DraftView.of_form(form).wire() for form in caller.read(rules.list_drafts)])


@router.get("/{version_id}", response_model=VersionView, responses=problem(401, 403, 404))
def get_rules(version_id: RowIdPath, caller: CallerDep) -> Response:
    return Json(caller.read(versions.get, version_id).wire())


@router.post("/{version_id}/review", response_model=VersionView, responses=problem(401, 403, 404, 409, 422))
def review_rules(version_id: RowIdPath, form: ReviewForm, caller: CallerDep) -> Response:
    """Marks a version as reviewed, with the chosen value of each rule (such as `vehicleValue`) that has several.

    409 `already_reviewed` if it has been; 422 by rule for a choice that is missing or does not exist.
    """
    return Json(caller.write(versions.review, version_id, form.choices).wire())
