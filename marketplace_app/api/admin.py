"""The owner's calls. Nobody but an admin gets past this router; the services ask again."""

from fastapi import APIRouter, Depends
from sqlmodel import Session
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, problem
from marketplace_app.api.failures import Json
from marketplace_app.models import User
from marketplace_app.schemas.orders import OrderAnswer, OrderEditForm
from marketplace_app.services import accounts, fulfilment


def _require_admin(caller: CallerDep) -> None:
    caller.read(_admin)


def _admin(_session: Session, actor: User | None) -> User:
    return accounts.require_admin(actor)


router = APIRouter(prefix="/admin", tags=["Admin"], dependencies=[Depends(_require_admin)])


@router.put("/orders/{order_id}", response_model=OrderAnswer, responses=problem(401, 403, 404, 409, 422))
def edit_order(order_id: str, form: OrderEditForm, caller: CallerDep) -> Response:
    """Change an order. A cancelled one gives its stock and credit back once; one that comes back takes them again."""
    return Json(caller.write(fulfilment.edit, order_id, form).wire())
