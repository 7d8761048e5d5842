"""Where a request came from, and whom a limit counts."""

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers

from marketplace_app.codes import fingerprint
from marketplace_app.config import get_settings


def counted_as(token: str | None, address: str = "") -> str:
    """The person if signed in, else the address: over REST and the socket alike."""
    return f"session:{fingerprint(token)}" if token else f"address:{address}"


def client_address(scope: Mapping[str, Any]) -> str:
    """The caller's address; `X-Forwarded-For` counts only through the exact number of trusted proxies."""
    hops = get_settings().trusted_proxies
    if hops:
        chain = [part.strip() for part in Headers(scope=dict(scope)).get("x-forwarded-for", "").split(",")]
        if len(chain) >= hops and chain[-hops]:
            return chain[-hops]
    client = scope.get("client")
    return client[0] if client else "unknown"
