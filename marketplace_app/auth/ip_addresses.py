"""Which IP address a request came from, and whom a rate limit counts."""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from starlette.datastructures import Headers

from marketplace_app.config import get_settings

UNKNOWN = "unknown"


def rate_key(user_id: int | None, address: str) -> str:
    """The user if the store knows them, else the IP address: over REST and the socket alike.

    Never the cookie: a caller may make up a new one for every request, and has a valid one in each browser.
    """
    return f"person:{user_id}" if user_id is not None else f"address:{address}"


def client_address(scope: Mapping[str, Any]) -> str:
    """The caller's IP address; for IPv6, its /64 network.

    Each trusted proxy adds the address that connected to it at the end of `X-Forwarded-For`, some in a header line of
    their own. So the caller's address is as far from the end as there are trusted proxies, and the caller may have made
    up whatever is before it.
    """
    client = scope.get("client")
    hops = get_settings().trusted_proxies
    forwarded = _forwarded_for(scope, hops) if hops else ""
    return _network(forwarded) or _network(client[0] if client else "") or UNKNOWN


def _forwarded_for(scope: Mapping[str, Any], hops: int) -> str:
    lines = Headers(raw=list(scope.get("headers", ()))).getlist("x-forwarded-for")
    chain = ",".join(lines).split(",")
    return chain[-hops].strip() if len(chain) >= hops else ""


@lru_cache(maxsize=4096)
def _network(text: str) -> str:
    """An address as rate limits count it, without the port; empty if the text is not an address.

    Cached, since it is called several times for each request, and parsing an address is slow in comparison.
    """
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
