"""Answers the calls that shoppers make most often, ahead of the REST application.

Its matching of routes, its middleware and the framework's dependencies take longer than adding a product to a cart.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.api import cart, failures, orders
from marketplace_app.api.deps import Caller, limit_orders, limit_requests
from marketplace_app.schemas.base import Form
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.buying.order_forms import OrderForm, QuoteForm

Limit = Callable[[Request], Awaitable[None]]


@dataclass(frozen=True)
class Call:
    """A route whose whole input is one form, and perhaps an idempotency key."""

    form: type[Form]
    answer: Callable[..., Awaitable[Response]]
    """The route's own function."""
    limits: tuple[Limit, ...] = (limit_requests,)
    takes_idempotency_key: bool = False


CALLS = {
    "/api/cart": Call(AddForm, cart.add),
    "/api/orders": Call(OrderForm, orders.place, (limit_requests, limit_orders), takes_idempotency_key=True),
    "/api/orders/quote": Call(QuoteForm, orders.quote, (limit_requests, limit_orders)),
}
"""By path. All are POST."""


class DirectCalls:
    """Invalid input is passed on to the route, which says what is wrong with it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = CALLS.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if call is None:
            await self.app(scope, receive, send)
            return
        messages = await _read(receive)
        request = Request(scope)
        arguments = _parse(call, request, messages)
        if arguments is None:
            await self.app(scope, _replaying(messages, receive), send)
            return
        response = await _answer(call, request, arguments)
        await response(scope, receive, send)


async def _answer(call: Call, request: Request, arguments: dict[str, Any]) -> Response:
    try:
        for limit in call.limits:
            await limit(request)
        return await call.answer(caller=Caller(request), **arguments)
    except Exception as error:
        return failures.answer_any(request.scope, error)


def _parse(call: Call, request: Request, messages: list[Message]) -> dict[str, Any] | None:
    """The arguments of the route's function; None if any is invalid, or the body did not arrive as a whole."""
    if messages[-1]["type"] != "http.request":
        return None
    try:
        form = call.form.model_validate(orjson.loads(b"".join(each.get("body", b"") for each in messages)))
    except (orjson.JSONDecodeError, ValidationError):
        return None
    if not call.takes_idempotency_key:
        return {"form": form}
    key = request.headers.get("idempotency-key")
    return {"form": form, "idempotency_key": key} if orders.is_valid_idempotency_key(key) else None


async def _read(receive: Receive) -> list[Message]:
    messages = [await receive()]
    while messages[-1]["type"] == "http.request" and messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _replaying(messages: list[Message], receive: Receive) -> Receive:
    """Receives these messages again, then those that come after them."""
    remaining = deque(messages)

    async def replay() -> Message:
        return remaining.popleft() if remaining else await receive()

    return replay
