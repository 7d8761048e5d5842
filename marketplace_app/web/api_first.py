"""Sends requests of the REST API straight to it."""

from starlette.types import ASGIApp, Receive, Scope, Send

from marketplace_app.web.request_filter import is_api


class ApiFirst:
    """The API does without what Reflex wraps the application in: its context, CORS and a router."""

    def __init__(self, api: ASGIApp, store: ASGIApp) -> None:
        self.api, self.store = api, store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self.api if scope["type"] == "http" and is_api(scope["path"]) else self.store
        await app(scope, receive, send)
