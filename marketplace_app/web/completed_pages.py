"""Pages are built once, without data. Some of them are completed when they are served."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(frozen=True)
class CompletedPage:
    is_requested: Callable[[Scope], bool]
    complete: Callable[[Scope], Response | None]
    """Runs in a worker thread. None if the page can be served as built."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Added in either case."""


class PageCompleter:
    """The layer that completes `pages`."""

    def __init__(self, app: ASGIApp, pages: tuple[CompletedPage, ...]) -> None:
        self.app, self.pages = app, pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = next((page for page in self.pages if _is_http_read(scope) and page.is_requested(scope)), None)
        if page is None:
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(page.headers)
            await send(message)

        response = await run_in_threadpool(page.complete, scope)
        if response is not None and response.status_code == 200:
            response = _with_etag(response, scope)
        app = self.app if response is None else GZipMiddleware(response, compresslevel=5)
        await app(scope, receive, send_with_headers)


def _with_etag(response: Response, scope: Scope) -> Response:
    """The response with an ETag, or an empty 304 if the browser already has the same page."""
    tag = f'W/"{hashlib.blake2b(response.body, digest_size=12).hexdigest()}"'
    if tag in Headers(scope=scope).get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return response


def _is_http_read(scope: Scope) -> bool:
    return bool(scope["type"] == "http" and scope["method"] in ("GET", "HEAD"))
