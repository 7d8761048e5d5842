"""Support tickets of the caller. Staff use the routes of a single ticket for other people's tickets too."""

from fastapi import APIRouter, Depends
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, PageQueryDep, limit_tickets
from marketplace_app.api.responses import Json, problem
from marketplace_app.limits import MAX_PAGE_SIZE
from marketplace_app.schemas.tickets import (
    CreatedTicketView,
    ReplyForm,
    TicketDetailView,
    TicketForm,
    TicketView,
)
from marketplace_app.services.support import tickets

router = APIRouter(prefix="/support/tickets", tags=["Support"])


@router.get("", response_model=list[TicketView], responses=problem(401, 422))
def list_tickets(caller: CallerDep, query: PageQueryDep) -> Response:
    """The caller's own tickets, newest first, at most 100 per request. The total count is in `X-Total-Count`."""
    total, listed = caller.read(tickets.list_own, limit=query.limit or MAX_PAGE_SIZE, offset=query.offset)
    return Json([ticket.wire() for ticket in listed], headers={"X-Total-Count": str(total)})


@router.get("/{ticket_id}", response_model=TicketDetailView, responses=problem(401, 404))
def get_ticket(ticket_id: str, caller: CallerDep) -> Response:
    """One of the caller's own tickets, with its conversation. Other people's are 404, except for staff."""
    return Json(caller.read(tickets.get, ticket_id).wire())


@router.post(
    "",
    response_model=CreatedTicketView,
    status_code=201,
    responses=problem(422),
    dependencies=[Depends(limit_tickets)],
)
def create_ticket(form: TicketForm, caller: CallerDep) -> Response:
    """Write to support. Guests give `customerEmail`. Signed-in callers write as themselves, whatever the body says.

    `analysis` is computed by the store itself and names the words that decided its category and priority. A `category`
    in the body overrides it.
    """
    return Json(caller.write(tickets.create, form).wire(), 201)


@router.post(
    "/{ticket_id}/messages",
    response_model=TicketDetailView,
    status_code=201,
    responses=problem(401, 403, 404, 409, 422),
)
def reply(ticket_id: str, form: ReplyForm, caller: CallerDep) -> Response:
    """Adds a message. A customer's reply reopens a resolved ticket; a closed ticket accepts none."""
    return Json(caller.write(tickets.reply, ticket_id, form).wire(), 201)
