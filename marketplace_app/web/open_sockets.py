"""Limits how many event sockets an IP address or a session may keep open in one process.

Rate limits count events per minute, but a socket that is opened once and stays silent costs memory for hours. Each
process counts only its own sockets, because they cost only its own memory. A handshake beyond a limit is answered with
429, and the page tries again, as after any failed connection.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from marketplace_app.adapters.metrics import LIMITS_HIT
from marketplace_app.api.failures import answer
from marketplace_app.auth import cookies
from marketplace_app.auth.ip_addresses import client_address
from marketplace_app.errors import TooManyRequests

MAX_SOCKETS_OF_ADDRESS = 100
"""Open tabs of one network address, in each process: an office of thirty people with three tabs each."""
MAX_SOCKETS_OF_SESSION = 40
"""Open tabs of one browser, in each process: one that reopens all tabs of its last visit."""
RETRY_SECONDS = 5


class OpenSockets:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._open: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        limits = _limits(scope)
        if any(self._open[holder] >= limit for holder, limit in limits.items()):
            LIMITS_HIT.labels("sockets").inc()
            await answer(TooManyRequests(RETRY_SECONDS))(scope, receive, send)
            return
        self._open.update(limits.keys())
        try:
            await self.app(scope, receive, send)
        finally:
            self._release(limits)

    def _release(self, holders: Iterable[tuple[str, str]]) -> None:
        for holder in holders:
            self._open[holder] -= 1
            if not self._open[holder]:
                del self._open[holder]


def _limits(scope: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """The address and the session that open this socket, and how many each may have.

    The address counts even if there is a session cookie, because callers can make one up.
    """
    limits = {("address", client_address(scope)): MAX_SOCKETS_OF_ADDRESS}
    if token := cookies.session_token(Headers(raw=list(scope["headers"])).get("cookie")):
        limits["session", token] = MAX_SOCKETS_OF_SESSION
    return limits
