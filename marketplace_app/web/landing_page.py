"""The landing page as served to guests: with a preload of the hero image, and texts with the current settings.

It is built once, with the default settings, and its code may not run before the first input
(`web/before_hydration.py`). So texts that depend on settings are replaced when the page is served.
"""

import logging
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app import db
from marketplace_app.auth import cookies
from marketplace_app.errors import StoreError
from marketplace_app.faq import SettingsTexts, settings_texts
from marketplace_app.framework import built_pages
from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import settings
from marketplace_app.web.headers import page_file

HERO_PRELOAD = '</hero/hero-poster.avif>; rel="preload"; as="image"; type="image/avif"; fetchpriority="high"'
_BUILT = settings_texts(ShopSettings())
logger = logging.getLogger(__name__)
# Marked by `components.settings_text.py`.
_SETTINGS_TEXT, _HIDDEN_IF_EMPTY = "data-settings-text", "data-hidden-if-empty"


class LandingPage:
    """Members do not see the landing page: they get the page as built, without the preload."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_for_guests(scope):
            await self.app(scope, receive, send)
            return

        async def send_with_preload(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Link", HERO_PRELOAD)
            await send(message)

        page = await run_in_threadpool(_page_with_current_settings)
        app = self.app if page is None else GZipMiddleware(HTMLResponse(page))
        await app(scope, receive, send_with_preload)


def _is_for_guests(scope: Scope) -> bool:
    """Decided by an unsigned cookie: with a forged value, the wrong page is shown for a moment."""
    if scope["type"] != "http" or scope["path"] != "/" or scope["method"] not in ("GET", "HEAD"):
        return False
    return cookies.read(Headers(scope=scope).get("cookie"), cookies.SIGNED_IN_HINT) is None


def _page_with_current_settings() -> str | None:
    """None if the built page already has the current settings, or if they cannot be read."""
    try:
        words = settings_texts(db.read(lambda session: settings.published(session, None)))
    except StoreError:
        return None
    page = page_file("/")
    if words == _BUILT or page is None:
        return None
    try:
        return _page_with(words, page, page.stat().st_mtime_ns)
    except NothingToPatch:
        logger.exception("the current settings could not be written into the landing page")
        return None


@lru_cache(maxsize=8)
def _page_with(words: SettingsTexts, page: Path, _changed_ns: int) -> str:
    return with_settings_texts(page.read_text(), words)


def with_settings_texts(page: str, words: SettingsTexts) -> str:
    """Elements without a text are hidden, not removed, because React hydrates them."""
    texts = asdict(words)
    return built_pages.with_hidden(built_pages.with_texts(page, _SETTINGS_TEXT, texts), _HIDDEN_IF_EMPTY, texts)
