"""Invitations, from the invited person's side."""

from fastapi import APIRouter, Depends
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, limit_attempts
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.account.invitations import AcceptedAnswer, InvalidInvitationAnswer, InvitationView
from marketplace_app.services.account import invitations

router = APIRouter(prefix="/invite", tags=["Invitations"], dependencies=[Depends(limit_attempts)])


@router.get("/{code}", response_model=InvitationView, responses=problem(404, on_404=InvalidInvitationAnswer))
def look_up(code: str, caller: CallerDep) -> Response:
    """Who a code invites. Unknown, used and expired codes are the same 404."""
    return Json(caller.read(invitations.look_up, code).wire())


@router.post(
    "/{code}/accept", response_model=AcceptedAnswer, responses=problem(401, 404, on_404=InvalidInvitationAnswer)
)
def accept(code: str, caller: CallerDep) -> Response:
    """Accepts an invitation. A code works once, for anyone who has it."""
    return Json({"redirectTo": caller.write(invitations.accept, code)})
