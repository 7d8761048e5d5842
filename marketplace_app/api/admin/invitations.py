"""Invitations, for the staff who send them."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.admin.upload_body import ContentDep, accepts
from marketplace_app.api.deps import CallerDep, refuse_without
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.models import Permission
from marketplace_app.schemas.account.invitations import (
    InvitationForm,
    InvitationImportRefusedAnswer,
    InvitationImportReport,
    InvitationQuery,
    InvitationRow,
    SentInvitation,
)
from marketplace_app.services.account import invitations
from marketplace_app.services.admin import invitation_file

router = APIRouter(prefix="/invitations")
DryRun = Annotated[bool, Query(alias="dryRun")]
PROBLEMS = problem(401, 403, 404, 409)


@router.get("", response_model=list[InvitationRow], responses=problem(401, 403, 422))
def list_invitations(query: Annotated[InvitationQuery, Query()], caller: CallerDep) -> Response:
    """All matching invitations, newest first, at most 1,000, or one page of them.

    The total count is in `X-Total-Count`. Codes are not stored, so they are not shown.
    """
    total, listed = caller.read(invitations.list_all, query)
    return Json([invitation.wire() for invitation in listed], headers={"X-Total-Count": str(total)})


@router.post("/send", response_model=SentInvitation, status_code=201, responses=problem(401, 403, 409, 422))
def send(form: InvitationForm, caller: CallerDep) -> Response:
    """Sends an invitation by email. `inviteUrl` contains the code, which cannot be shown again."""
    return Json(caller.write(invitations.send, form).wire(), 201)


@router.post(
    "/import",
    response_model=InvitationImportReport,
    responses=problem(401, 403, 413, 422, on_422=InvitationImportRefusedAnswer),
    dependencies=[refuse_without(Permission.SEND_INVITATIONS)],
    openapi_extra=accepts("text/csv"),
)
def import_file(content: ContentDep, caller: CallerDep, dry_run: DryRun = False) -> Response:
    """Invite up to 500 people from a file with the columns `email, firstName, lastName, notes`: all of them, or none.

    A file with mistakes is 422 with the same report, which names `line` and `column` of each. With `dryRun=true`
    nothing is sent, and the answer is 200 with a report that lists the mistakes. A file that
    cannot be read at all is 422 without a report, in a dry run too.
    """
    report = caller.write(invitation_file.import_file, content, dry_run=dry_run)
    return Json(report.refusal(), 422) if report.errors and not dry_run else Json(report.wire())


@router.post("/{invitation_id}/resend", response_model=SentInvitation, responses=PROBLEMS)
def resend(invitation_id: RowIdPath, caller: CallerDep) -> Response:
    """Sends a new code, valid for as long as the settings say. The old code stops working."""
    return Json(caller.write(invitations.resend, invitation_id).wire())


@router.post("/{invitation_id}/revoke", response_model=InvitationRow, responses=PROBLEMS)
def revoke(invitation_id: RowIdPath, caller: CallerDep) -> Response:
    """The invitation's code stops working."""
    return Json(caller.write(invitations.revoke, invitation_id).wire())
