"""The OpenAPI document, and a check of every JSON answer of every test against it."""

import json
from functools import cache, lru_cache
from typing import Any

from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.api import cart, orders, products
from marketplace_app.api.app import make_api
from marketplace_app.schemas.base import ProblemAnswer

EVERYWHERE = {413, 429, 500, 503}
"""What the layers before the routes answer, such as an outage. `api.app` documents 429 for all routes together."""

AHEAD_OF_ROUTES = {
    (method, f"/api{route.path}"): route
    for module in (products, cart, orders)
    for route in module.router.routes
    if isinstance(route, APIRoute)
    for method in route.methods or ()
}
"""Routes that a layer may answer ahead of the application, so that the request is never matched with its route."""


@cache
def openapi() -> dict[str, Any]:
    """The document, with the default settings. Cached: making it takes a second, and several modules read it."""
    return make_api().openapi()


class DocumentedAnswers:
    """Outermost layer of the tests' store. An answer that is not as documented fails the test."""

    def __init__(self, store: ASGIApp) -> None:
        self.store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.store(scope, receive, send)
            return
        start: Message = {}
        body = b""

        async def listen(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
            body += message.get("body", b"")
            await send(message)

        await self.store(scope, receive, listen)
        kind = dict(start.get("headers", [])).get(b"content-type", b"")
        ahead = AHEAD_OF_ROUTES.get((scope["method"], scope["path"])) if start["status"] < 300 else None
        route = scope.get("route") or ahead
        if isinstance(route, APIRoute) and route.include_in_schema and kind.startswith(b"application/json") and body:
            check(route, start["status"], json.loads(body))


def check(route: APIRoute, status: int, answer: Any) -> None:
    """Raises AssertionError unless the route documents this answer."""
    where = f"{sorted(route.methods or ())} {route.path} answered {status}"
    if status < 400:
        assert route.response_model is not None, f"{where} with JSON, but documents none"
        model = route.response_model
    else:
        assert status in route.responses or status in EVERYWHERE, f"{where}, which it does not document"
        model = route.responses.get(status, {}).get("model", ProblemAnswer)
    adapter = _adapter(model)
    documented = adapter.dump_python(adapter.validate_python(answer), mode="json", by_alias=True, exclude_unset=True)
    extra = sorted(_fields(answer) - _fields(documented))
    assert not extra, f"{where} with fields that {model} does not document: {', '.join(extra)}"


@lru_cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _fields(value: Any, path: str = "") -> set[str]:
    """The paths of all fields, such as `items[].quantity`, without their values."""
    if isinstance(value, list):
        return {found for each in value for found in _fields(each, f"{path}[]")}
    if not isinstance(value, dict):
        return set()
    paths = {name: f"{path}.{name}".lstrip(".") for name in value}
    return set(paths.values()).union(*(_fields(each, paths[name]) for name, each in value.items()))
