"""All support tickets, for staff."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.tickets import TicketDetailView, TicketEditForm, TicketQuery, TicketView
from marketplace_app.services.support import tickets

router = APIRouter(prefix="/tickets")


@router.get("", response_model=list[TicketView], responses=problem(401, 403, 422))
def list_tickets(query: Annotated[TicketQuery, Query()], caller: CallerDep) -> Response:
    """All tickets, newest first, at most 100 per request. The total count is in `X-Total-Count`."""
    total, listed = caller.read(tickets.list_all, query)
    return Json([ticket.wire() for ticket in listed], headers={"X-Total-Count": str(total)})


@router.put("/{ticket_id}", response_model=TicketDetailView, responses=problem(401, 403, 404, 409, 422))
def edit_ticket(ticket_id: str, form: TicketEditForm, caller: CallerDep) -> Response:
    """Sets status, priority and category. A closed ticket stays closed."""
    return Json(caller.write(tickets.edit, ticket_id, form).wire())
