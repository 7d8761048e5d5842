"""An OpenTelemetry span for every HTTP request, with those of its SQL statements inside it."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.adapters import traces
from marketplace_app.web.request_filter import HEALTH_PATHS
from marketplace_app.web.request_metrics import method_of, route_of


class RequestTraces:
    """No span for probes, which a proxy sends every second."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in HEALTH_PATHS:
            await self.app(scope, receive, send)
            return
        status = 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        method = method_of(scope["method"])
        with traces.request(scope, method, route_of(scope["method"], scope["path"])) as span:
            try:
                await self.app(scope, receive, send_and_note)
            finally:
                traces.end_request(span, status)
