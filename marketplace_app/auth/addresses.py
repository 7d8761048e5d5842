"""Where a request came from, and whom a limit counts."""

from collections.abc import Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from starlette.datastructures import Headers

from marketplace_app.config import get_settings

UNKNOWN = "unknown"


def counted_as(person_id: int | None, address: str) -> str:
    """The person if the store knows them, else the address: over REST and the socket alike.

    Never a cookie: a caller may make up another one for every request, and have as many real ones as browsers.
    """
    return f"person:{person_id}" if person_id is not None else f"address:{address}"


def client_address(scope: Mapping[str, Any]) -> str:
    """The caller's address, of IPv6 its /64 network.

    `X-Forwarded-For` counts only through the exact number of trusted proxies, from the right: each of them adds its
    own neighbour at the end, some on a line of its own, and what stands before that was made up by the caller.
    """
    client = scope.get("client")
    hops = get_settings().trusted_proxies
    forwarded = _hop(scope, hops) if hops else ""
    return _network(forwarded) or _network(client[0] if client else "") or UNKNOWN


def _hop(scope: Mapping[str, Any], hops: int) -> str:
    lines = Headers(raw=list(scope.get("headers", ()))).getlist("x-forwarded-for")
    chain = ",".join(lines).split(",")
    return chain[-hops].strip() if len(chain) >= hops else ""


def _network(text: str) -> str:
    """An address as limits count it; nothing when the text is none. A port behind it is left off."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Network((address, 64), strict=False))
