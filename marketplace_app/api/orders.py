"""Quotes and orders."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header
from pydantic import Field
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, limit_orders, problem
from marketplace_app.api.failures import Json
from marketplace_app.schemas.orders import OrderAnswer, OrderForm, QuoteAnswer, QuoteForm
from marketplace_app.services import orders, quotes

router = APIRouter(prefix="/orders", tags=["Orders"])

KeyHeader = Annotated[str | None, Header(alias="Idempotency-Key"), Field(min_length=1, max_length=200)]


@router.get("", response_model=list[OrderAnswer], responses=problem(401))
def list_orders(caller: CallerDep) -> Response:
    """The caller's orders, newest first."""
    return Json([order.wire() for order in caller.read(orders.list_own)])


@router.post(
    "",
    response_model=OrderAnswer,
    status_code=201,
    responses=problem(401, 403, 409, 422, 429),
    dependencies=[Depends(limit_orders)],
)
def place(form: OrderForm, caller: CallerDep, idempotency_key: KeyHeader = None) -> Response:
    """Sell, or sell nothing. The server prices; amounts in the draft are only compared with its quote."""
    return Json(caller.write(orders.place, form, key=idempotency_key), 201)


@router.post(
    "/quote",
    response_model=QuoteAnswer,
    responses=problem(401, 403, 422, 429),
    dependencies=[Depends(limit_orders)],
)
def quote(form: QuoteForm, caller: CallerDep) -> Response:
    """What these items would cost the caller now, and all that keeps them from being ordered."""
    return Json(caller.read(quotes.make, form).wire())
