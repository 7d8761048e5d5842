"""Refuses requests that the store's pages never send: foreign hosts and origins, bodies that are too large or not
JSON. Also answers HEAD for the API, and adds the slash that is missing at the end of a page's path."""

import re
from collections.abc import Mapping
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.api import access
from marketplace_app.api.failures import answer
from marketplace_app.api.responses import Json
from marketplace_app.config import get_settings
from marketplace_app.errors import ForeignOrigin, MethodNotAllowed, NotFound, StoreError, TooLarge, UnsupportedMedia
from marketplace_app.framework import built_pages
from marketplace_app.limits import (
    MAX_IMPORT_BYTES,
    MAX_INVITATIONS_BYTES,
    MAX_PDF_BYTES,
    MAX_PICTURE_BYTES,
)
from marketplace_app.web.headers import may_be_file

UNSAFE_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
METHODS = UNSAFE_METHODS | {"GET", "HEAD"}
MAX_BODY_BYTES = 64 * 1024
MAX_DRIVER_EVENTS_BYTES = 1024 * 1024
"""All that a phone has saved while it was offline, with its signatures."""
MULTIPART_OVERHEAD = 16 * 1024
"""Boundaries and headers of the parts around an uploaded file."""
UPLOADS = (
    (re.compile(r"/api/admin/products/[0-9]+/image"), MAX_PICTURE_BYTES),
    (re.compile(r"/api/admin/products/[0-9]+/lab-report/pdf"), MAX_PDF_BYTES),
    (re.compile(r"/api/admin/products/import"), MAX_IMPORT_BYTES),
    (re.compile(r"/api/admin/invitations/import"), MAX_INVITATIONS_BYTES),
)
"""The routes that accept files, which are larger than any form and not JSON."""
LARGE_BODIES = {"/api/driver/events": MAX_DRIVER_EVENTS_BYTES}
"""The routes that accept more JSON than a form has."""
HEALTH_PATHS = frozenset({"/healthz", "/readyz"})


class UnknownHost(StoreError):
    status, code = 400, "unknown_host"
    message = "This store is not available under that host name."


class RequestFilter:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = NotFound() if "\x00" in scope["path"] else _refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, refusal)
        elif scope["type"] == "http" and scope["method"] in UNSAFE_METHODS:
            await self._with_limited_body(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "HEAD" and is_api(scope["path"]):
            await self.app({**scope, "method": "GET"}, receive, _without_body(send))
        else:
            await self.app(_with_trailing_slash(scope), receive, send)

    async def _with_limited_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Counts the bytes that arrive: a chunked body announces no length."""
        limit = _body_limit(scope["path"])
        received = 0

        async def limited_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise TooLarge()
            return message

        async def send_unless_too_large(message: Message) -> None:
            if received <= limit:
                await send(message)

        with suppress(TooLarge):
            await self.app(scope, limited_receive, send_unless_too_large)
        if received > limit:
            await _refuse(scope, receive, send, TooLarge())


def _refusal(scope: Scope, headers: Headers) -> StoreError | None:
    settings = get_settings()
    path = scope["path"]
    if path not in HEALTH_PATHS and headers.get("host", "").lower() not in settings.hosts:
        return UnknownHost()
    if scope["type"] == "websocket":
        return ForeignOrigin() if _is_foreign(headers, settings.origins) else None
    if scope["method"] not in METHODS and is_api(path):
        return MethodNotAllowed(("GET",) if path in HEALTH_PATHS else access.methods_of(path))
    if scope["method"] not in UNSAFE_METHODS:
        return None
    if _is_foreign(headers, settings.origins):
        return ForeignOrigin()
    return _refusal_of_body(path, headers)


def is_api(path: str) -> bool:
    """Whether the path belongs to the API, which answers in JSON; any other path goes to the pages."""
    return path == "/api" or path.startswith("/api/") or path in HEALTH_PATHS


def _without_body(send: Send) -> Send:
    async def send_head(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head


def _upload_limit(path: str) -> int | None:
    """The largest file that a route accepts; None if it accepts none."""
    return next((limit for pattern, limit in UPLOADS if pattern.fullmatch(path)), None)


def _body_limit(path: str) -> int:
    limit = _upload_limit(path)
    return LARGE_BODIES.get(path, MAX_BODY_BYTES) if limit is None else limit + MULTIPART_OVERHEAD


def _is_foreign(headers: Mapping[str, str], origins: tuple[str, ...]) -> bool:
    """Whether a page of another site sent the request.

    A request without an Origin header is not foreign: browsers send that header with every unsafe request, so a program
    sent it. And from another site, a browser would not send the session cookie, which is SameSite=Lax.
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    return (origin is not None and origin not in origins) or site not in (None, "same-origin", "none")


def _refusal_of_body(path: str, headers: Headers) -> StoreError | None:
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length) > _body_limit(path):
        return TooLarge()
    if _upload_limit(path) is not None:
        return None
    has_body = length != "0" or "transfer-encoding" in headers
    is_json = headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
    return UnsupportedMedia() if has_body and not is_json else None


async def _refuse(scope: Scope, receive: Receive, send: Send, error: StoreError) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403, "reason": error.code})
        return
    response: Json = answer(error)
    await response(scope, receive, send)


def _with_trailing_slash(scope: Scope) -> Scope:
    """Add the slash to a page's path if it is missing.

    A page is a folder with an index file. For a path without the slash, the file server would redirect to a URL that it
    makes from the Host header.
    """
    path = scope["path"]
    if scope["type"] != "http" or path.endswith("/") or is_api(path):
        return scope
    if may_be_file(path) and built_pages.is_page(path):
        return {**scope, "path": path + "/", "raw_path": (path + "/").encode()}
    return scope
