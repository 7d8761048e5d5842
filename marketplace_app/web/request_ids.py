"""Gives every request an id, and returns it in the `X-Request-Id` header."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.adapters import request_ids

_NAME = request_ids.HEADER.lower().encode()


class RequestIds:
    """ASGI middleware for HTTP requests. Only those for metrics and traces run before it. Events on the socket get
    their ids in `states/events/connections.py`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = request_ids.of_request(scope)
        request_ids.begin(request_id)
        header = (_NAME, request_id.encode())

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), header]
            await send(message)

        await self.app(scope, receive, send_with_id)
