"""The API of staff. This router refuses everyone else; the services check what a role may do."""

from typing import Any

from fastapi import APIRouter, Depends
from sqlmodel import Session

from marketplace_app.api.admin import (
    audit,
    health,
    invitations,
    legal_texts,
    orders,
    product_csv,
    products,
    searches,
    settings,
    statistics,
    tickets,
    users,
)
from marketplace_app.api.deps import CallerDep
from marketplace_app.models import User
from marketplace_app.services import accounts


def _require_staff(caller: CallerDep) -> None:
    caller.read(_staff)


def _staff(_session: Session, actor: User | None) -> Any:
    return accounts.require_staff(actor)


router = APIRouter(prefix="/admin", tags=["Admin"], dependencies=[Depends(_require_staff)])
for module in (
    statistics,
    orders,
    tickets,
    users,
    invitations,
    product_csv,
    products,
    searches,
    settings,
    legal_texts,
    audit,
    health,
):
    router.include_router(module.router)
