"""The audit trail."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.admin.audit import AuditQuery, ChainAnswer, EntryView
from marketplace_app.services.admin import audit

router = APIRouter(prefix="/audit")


@router.get("", response_model=list[EntryView], responses=problem(401, 403, 422))
def list_entries(query: Annotated[AuditQuery, Query()], caller: CallerDep) -> Response:
    """The audit trail, newest first, at most 100 per request. The total count is in `X-Total-Count`.

    `subject` is for example `order:1036`, `user:12` or `product:7`; `actor=0` is the store itself: its command
    line and its timetable.
    """
    total, listed = caller.read(audit.list_entries, query)
    return Json([entry.wire() for entry in listed], headers={"X-Total-Count": str(total)})


@router.get("/chain", response_model=ChainAnswer, responses=problem(401, 403))
def verify_chain(caller: CallerDep) -> Response:
    """Verifies that every entry of the chain is present, in order and unchanged, and says where it is broken."""
    return Json(caller.read(audit.check_all).wire())
