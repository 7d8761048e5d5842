"""Times every request, by the template of its route."""

from functools import lru_cache
from time import perf_counter

from prometheus_client import Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.adapters.metrics import REQUESTS
from marketplace_app.api import access
from marketplace_app.web.request_filter import METHODS, is_api

FIXED_PATHS = frozenset(
    {"/api/login", "/api/logout", "/api/callback", "/api/openapi.json", "/api/docs", "/healthz", "/readyz"}
)
"""Paths without parameters, each its own template. Most of them are not in the table of `api/access.py`."""
MAX_PATH = 200
"""Characters of a path that are looked at. No valid path of the API is longer."""


class RequestMetrics:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            _timer(scope["method"], scope["path"][:MAX_PATH], status).observe(perf_counter() - began)


@lru_cache(maxsize=4096)
def _timer(method: str, path: str, status: int) -> Histogram:
    """Cached by path: finding the template of a path takes longer than everything else here."""
    return REQUESTS.labels(method_of(method), route_of(method, path), status)


def method_of(method: str) -> str:
    """The method as a label; `OTHER` for one that the store does not accept: callers may send any word."""
    return method if method in METHODS else "OTHER"


def route_of(method: str, path: str) -> str:
    """The template of the route, such as `/api/cart/{line_id}`; `pages` for all pages and their files."""
    return _route(method_of(method), path[:MAX_PATH])


@lru_cache(maxsize=4096)
def _route(method: str, path: str) -> str:
    if path in FIXED_PATHS:
        return path
    if is_api(path):
        return access.template_of(method, path) or "/api/*"
    return "pages"
