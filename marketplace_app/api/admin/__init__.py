"""The API of staff. This router refuses everyone else; the services check what a role may do."""

from fastapi import APIRouter, Depends

from marketplace_app.api.admin import (
    audit,
    batches,
    cash,
    health,
    invitations,
    legal_texts,
    orders,
    product_csv,
    products,
    recalls,
    rules,
    runs,
    searches,
    settings,
    statistics,
    stops,
    taxes,
    tickets,
    users,
    windows,
    zones,
)
from marketplace_app.api.deps import CallerDep
from marketplace_app.services import accounts


def _require_staff(caller: CallerDep) -> None:
    caller.read(lambda _session, actor: accounts.require_staff(actor))


router = APIRouter(prefix="/admin", tags=["Admin"], dependencies=[Depends(_require_staff)])
for module in (
    statistics,
    taxes,
    orders,
    tickets,
    users,
    invitations,
    product_csv,
    products,
    batches,
    recalls,
    searches,
    settings,
    zones,
    windows,
    rules,
    runs,
    stops,
    cash,
    legal_texts,
    audit,
    health,
):
    router.include_router(module.router)
