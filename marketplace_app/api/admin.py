"""The owner's calls. Nobody but an admin gets past this router; the services ask again."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from sqlmodel import Session
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, problem
from marketplace_app.api.failures import Json
from marketplace_app.models import User
from marketplace_app.schemas.orders import OrderAnswer, OrderEditForm
from marketplace_app.schemas.tickets import TicketAnswer, TicketDetailAnswer, TicketEditForm, TicketQuery
from marketplace_app.services import accounts, fulfilment, tickets


def _require_admin(caller: CallerDep) -> None:
    caller.read(_admin)


def _admin(_session: Session, actor: User | None) -> User:
    return accounts.require_admin(actor)


router = APIRouter(prefix="/admin", tags=["Admin"], dependencies=[Depends(_require_admin)])


@router.put("/orders/{order_id}", response_model=OrderAnswer, responses=problem(401, 403, 404, 409, 422))
def edit_order(order_id: str, form: OrderEditForm, caller: CallerDep) -> Response:
    """Change an order. A cancelled one gives its stock and credit back once; one that comes back takes them again."""
    return Json(caller.write(fulfilment.edit, order_id, form).wire())


@router.get("/tickets", response_model=list[TicketAnswer], responses=problem(401, 403, 422))
def list_tickets(query: Annotated[TicketQuery, Query()], caller: CallerDep) -> Response:
    """Everybody's tickets, newest first, at most 100 at once; the full count is in `X-Total-Count`."""
    total, listed = caller.read(tickets.list_all, query)
    return Json([ticket.wire() for ticket in listed], headers={"X-Total-Count": str(total)})


@router.put("/tickets/{ticket_id}", response_model=TicketDetailAnswer, responses=problem(401, 403, 404, 409, 422))
def edit_ticket(ticket_id: str, form: TicketEditForm, caller: CallerDep) -> Response:
    """Set status, priority and category. A closed ticket stays closed."""
    return Json(caller.write(tickets.edit, ticket_id, form).wire())
