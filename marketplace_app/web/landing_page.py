"""The landing page as served to guests: with a preload of the hero image, and texts with the current settings.

The page is built once, with the default settings. Served like that, it would show them until the current ones arrive
over the socket.
"""

import logging
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from marketplace_app import db
from marketplace_app.errors import StoreError
from marketplace_app.faq import SettingsTexts, settings_texts
from marketplace_app.framework import built_pages
from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import settings
from marketplace_app.web.completed_pages import CompletedPage
from marketplace_app.web.first_pictures import is_member
from marketplace_app.web.headers import page_file

HERO_PRELOAD = '</hero/hero-poster.avif>; rel="preload"; as="image"; type="image/avif"; fetchpriority="high"'
_BUILT_TEXTS = settings_texts(ShopSettings())
logger = logging.getLogger(__name__)
# Marked by `components/shell/settings_text.py`.
_SETTINGS_TEXT, _HIDDEN_IF_EMPTY = "data-settings-text", "data-hidden-if-empty"


def _is_requested(scope: Scope) -> bool:
    """Whether a guest asks for the landing page. Members get their catalogue, without the preload."""
    return scope["path"] == "/" and not is_member(scope)


def _complete(_scope: Scope) -> Response | None:
    """None if the built page already has the current settings, or if they cannot be read."""
    try:
        shop, has_zones = db.read(settings.current_with_zones)
        texts = settings_texts(shop, has_zones=has_zones)
    except StoreError:
        return None
    page = page_file("/")
    if texts == _BUILT_TEXTS or page is None:
        return None
    try:
        return HTMLResponse(_page_with(texts, page, page.stat().st_mtime_ns))
    except NothingToPatch:
        logger.exception("the current settings could not be written into the landing page")
        return None


@lru_cache(maxsize=8)
def _page_with(texts: SettingsTexts, page: Path, _changed_ns: int) -> str:
    """Cached until the file changes, which its modification time shows."""
    return with_settings_texts(page.read_text(), texts)


def with_settings_texts(page: str, texts: SettingsTexts) -> str:
    """Elements without a text are hidden, not removed, because React hydrates them."""
    by_name = asdict(texts)
    return built_pages.with_hidden(built_pages.with_texts(page, _SETTINGS_TEXT, by_name), _HIDDEN_IF_EMPTY, by_name)


LANDING_PAGE = CompletedPage(_is_requested, _complete, {"Link": HERO_PRELOAD})
