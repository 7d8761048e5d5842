"""Security headers on every answer, and how long each kind of file may be cached."""

import base64
import hashlib
import logging
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.api.failures import answer
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.framework import built_pages
from marketplace_app.packaging import PACKAGES_PREFIX

YEAR, DAY = 31_536_000, 86_400
FILE_STATUSES = (200, 206, 304)
"""A file, a part of one, and 'not modified', whose headers replace those stored with the browser's copy."""
MAX_FILE_NAME_BYTES = 200
"""File systems answer a name of more than 255 bytes with an error. The difference is for suffixes such as `.html`."""
FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"
"""The content security policy of a file: opened by itself, it may do nothing at all."""
_MADE_WHILE_RUNNING = ("/uploads/", PACKAGES_PREFIX)
"""Where uploaded files and drawn packages are."""
_SHIPPED = (built_pages.ASSETS_PATH, "/fonts/", "/hero/", "/pictures/")
"""Where the files are that the store comes with."""

logger = logging.getLogger(__name__)


class SecurityHeaders:
    """Outside every layer that can answer a request, so that no answer lacks the headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        has_begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                headers.update(_fixed_headers())
                headers["Content-Security-Policy"] = content_security_policy(path, message["status"])
                headers.setdefault("Cache-Control", _cache_control(path, message["status"]))
            await _send_if_open(send, message)

        try:
            await self.app(scope, receive, send_with_headers)
        except Exception as error:
            if has_begun:
                raise
            logger.error("unexpected failure in %s %.200r", scope["method"], path, exc_info=error)
            await answer(StoreError())(scope, receive, send_with_headers)


async def _send_if_open(send: Send, message: Message) -> None:
    """Drop what is sent on a closed connection: the server closes it if the bytes after a request are not HTTP."""
    try:
        await send(message)
    except RuntimeError as error:
        if "the handler is closed" not in str(error):
            raise
        logger.warning("an answer was not sent: the connection is closed")


def content_security_policy(path: str, status: int) -> str:
    """Inline scripts only from the build, by hash; no eval; nothing from other hosts.

    Files get a short one: that of a page has 700 bytes or more, and a first visit fetches thirty files.
    """
    if path.startswith(_MADE_WHILE_RUNNING) or (status in FILE_STATUSES and path.startswith(_SHIPPED)):
        return FILE_POLICY
    frames = " ".join(("'self'", *get_settings().preview_origins))
    return (
        f"default-src 'none'; script-src 'self'{_page_hashes(path)}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
        f"worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {frames}"
    )


def _page_hashes(path: str) -> str:
    if path.startswith("/api/"):
        return ""
    try:
        page = page_file(path)
        return _script_hashes(page, page.stat().st_mtime_ns) if page else ""
    except OSError:  # then the page cannot be served either
        return ""


def may_be_file(path: str) -> bool:
    """Whether a file of this path may be looked for. A name that is too long would be an error, not a missing file."""
    is_short = all(len(part.encode(errors="replace")) <= MAX_FILE_NAME_BYTES for part in path.split("/"))
    return is_short and ".." not in path and "\x00" not in path


def page_file(path: str) -> Path | None:
    """As `built_pages.page_file`; None if a file of this path may not be looked for."""
    return built_pages.page_file(path) if may_be_file(path.strip("/")) else None


@lru_cache(maxsize=256)
def _script_hashes(page: Path, _changed_ns: int) -> str:
    """Computed again when the file changes: after a rebuild, a running server must allow the new scripts."""
    scripts = built_pages.inline_scripts(page.read_text())
    hashes = {base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts}
    return "".join(f" 'sha256-{digest}'" for digest in sorted(hashes))


@lru_cache(maxsize=1)
def _fixed_headers() -> dict[str, str]:
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    if get_settings().is_https:
        headers["Strict-Transport-Security"] = f"max-age={2 * YEAR}; includeSubDomains"
    return headers


def _cache_control(path: str, status: int) -> str:
    if path.startswith("/api/"):
        return "no-store"
    is_file = status in FILE_STATUSES
    if is_file and path.startswith((built_pages.ASSETS_PATH, *_MADE_WHILE_RUNNING)):
        return f"public, max-age={YEAR}, immutable"
    if is_file and path.startswith(_SHIPPED):
        return f"public, max-age={DAY}"
    return "no-cache"
