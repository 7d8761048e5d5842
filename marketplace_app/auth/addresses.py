"""Where a request came from, and whom a limit counts."""

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers

from marketplace_app.config import get_settings


def counted_as(user_id: int | None, address: str = "") -> str:
    """The person if signed in, else the address: over REST and the socket alike.

    Never the cookie itself: a made-up one would be somebody new in each request, and two browsers two people.
    """
    return f"person:{user_id}" if user_id is not None else f"address:{address}"


def client_address(scope: Mapping[str, Any]) -> str:
    """The caller's address; `X-Forwarded-For` counts only through the exact number of trusted proxies.

    A proxy may add a line of its own beside the caller's: all lines are one chain, in their order.
    """
    hops = get_settings().trusted_proxies
    if hops:
        lines = Headers(scope=dict(scope)).getlist("x-forwarded-for")
        chain = [part.strip() for line in lines for part in line.split(",") if part.strip()]
        if len(chain) >= hops:
            return chain[-hops]
    client = scope.get("client")
    return client[0] if client else "unknown"
