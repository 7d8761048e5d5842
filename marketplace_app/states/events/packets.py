"""What a browser may send over the event socket. Anything else is dropped before Reflex reads it.

Reflex parses packets before any handler or middleware of the store runs, and fails on shapes that no page sends. It
would handle such a failure with another event, which gets the same invalid route. So the shape is checked first.
"""

import math
from collections.abc import Mapping
from typing import Any

from marketplace_app.framework.socket import NAME, PATHS, PAYLOAD, QUERY, ROUTE

MAX_NAME = 250
MAX_PATH = 2_048
MAX_QUERY_PARAMETERS = 60
MAX_PARAMETER = 512
MAX_DEPTH = 6
MAX_VALUES = 2_000
"""How many values one payload may have, nested ones included. Its size in bytes is limited by the socket."""
MAX_DIGITS = 18
_TOO_LARGE: int = 10**MAX_DIGITS


def validate(packet: object) -> dict[str, Any] | None:
    """The event with only the keys that Reflex knows, or None if the packet is not a valid event."""
    if not isinstance(packet, dict) or not packet.get(NAME) or not _is_text(packet[NAME], MAX_NAME):
        return None
    payload, given_route = packet.get(PAYLOAD, {}), packet.get(ROUTE, {})
    if not (_is_payload(payload) and isinstance(given_route, dict)):
        return None
    route = _route(given_route)
    return None if route is None else {NAME: packet[NAME], PAYLOAD: payload, ROUTE: route}


def is_tab_token(token: object) -> bool:
    """Browsers make the tokens, as UUIDs; other short texts of letters and digits are harmless."""
    return isinstance(token, str) and 0 < len(token) <= 64 and token.isascii() and token.replace("-", "").isalnum()


def _route(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where the tab is. The server itself knows the rest: address, headers, connection."""
    route: dict[str, Any] = {}
    for key in PATHS:
        if key in given:
            if not _is_text(given[key], MAX_PATH):
                return None
            route[key] = given[key]
    if QUERY in given:
        query = given[QUERY]
        if not (isinstance(query, dict) and len(query) <= MAX_QUERY_PARAMETERS):
            return None
        # Users may have mangled their URL: an invalid parameter is left out, and the others are used.
        route[QUERY] = {name: value for name, value in query.items() if _is_parameter(name) and _is_parameter(value)}
    return route


def _is_parameter(value: object) -> bool:
    values = value if isinstance(value, list) else [value]
    return len(values) <= MAX_QUERY_PARAMETERS and all(_is_text(each, MAX_PARAMETER) for each in values)


def _is_payload(payload: object) -> bool:
    if not isinstance(payload, dict):
        return False
    values: list[tuple[object, int]] = [(payload, 0)]
    count = 0
    while values:
        value, depth = values.pop()
        count += 1
        if count > MAX_VALUES or depth > MAX_DEPTH:
            return False
        if isinstance(value, dict):
            if not all(_is_text(key, MAX_NAME) for key in value):
                return False
            values += [(each, depth + 1) for each in value.values()]
        elif isinstance(value, list):
            values += [(each, depth + 1) for each in value]
        elif not _is_scalar(value):
            return False
    return True


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return _is_unicode(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < _TOO_LARGE
    if isinstance(value, float):
        return math.isfinite(value) and abs(value) < _TOO_LARGE
    # A file that was chosen in a form arrives as bytes. They may pass, since no form of the store reads them.
    return value is None or isinstance(value, bool | bytes)


def _is_text(value: object, max_length: int) -> bool:
    return isinstance(value, str) and len(value) <= max_length and "\x00" not in value and _is_unicode(value)


def _is_unicode(value: str) -> bool:
    """Lone surrogates can be sent as JSON, but neither stored nor sent on."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
