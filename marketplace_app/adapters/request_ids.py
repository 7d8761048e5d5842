"""The id under which one request, or one event of a page, is found in every log: the proxy's, ours, the database's.

It is in a context variable, which worker threads and the tasks that handle an event inherit.
"""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from typing import Any

from marketplace_app.config import get_settings

HEADER = "X-Request-Id"
_NAME = HEADER.lower().encode()
_SAFE = re.compile(rb"[A-Za-z0-9_-]{8,64}")
"""No character that means anything in a log line, a header or an SQL comment."""
_PROCESS = secrets.token_hex(4)
_numbers = count()
"""Counted, since asking the system for random digits takes longer than all the rest here."""
_current: ContextVar[str] = ContextVar("request_id", default="")


def current() -> str:
    """Empty outside requests and events: in the outbox worker, for example."""
    return _current.get()


def begin(request_id: str) -> None:
    """From here on, the current task and all that it starts work for this request."""
    _current.set(request_id)


@contextmanager
def during(request_id: str) -> Iterator[None]:
    """Use this id only inside the `with` block, in a task that works for other requests afterwards."""
    before = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(before)


def of_request(scope: Mapping[str, Any]) -> str:
    """The id in the request's header, if the store has trusted proxies and exactly one safe id came; else a new id."""
    if get_settings().trusted_proxies:
        given = [value for name, value in scope.get("headers", ()) if name == _NAME]
        if len(given) == 1 and _SAFE.fullmatch(given[0]):
            return str(given[0], "ascii")
    return f"{_PROCESS}{next(_numbers) & 0xFFFFFFFF:08x}"
