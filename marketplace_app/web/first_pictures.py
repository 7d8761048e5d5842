"""The first pictures of the catalogue and of a product, in the page as served.

They are the largest part of the screen. They are fetched together with the page's style and stand in its skeleton; the
products themselves come once the socket has connected. The catalogue is public (RULE public-catalogue).
"""

import logging
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from marketplace_app import db
from marketplace_app.auth import cookies
from marketplace_app.components.controls.pictures import CARD_SIZES, FIRST_PICTURES, picture_html, picture_preload
from marketplace_app.errors import StoreError
from marketplace_app.framework import built_pages
from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.services.products import products
from marketplace_app.web.completed_pages import CompletedPage
from marketplace_app.web.headers import page_file

# Marked by `components/controls/skeletons.py`.
_FIRST_PICTURE = "data-first-picture"
logger = logging.getLogger(__name__)


def is_member(scope: Scope) -> bool:
    """Decided by an unsigned cookie: a forged one only shows the wrong page for a moment."""
    return cookies.read(Headers(scope=scope).get("cookie"), cookies.SIGNED_IN_HINT) is not None


def with_pictures(page: str, pictures: Sequence[str], sizes: str) -> str:
    contents = {
        str(index): picture_html(each, sizes, is_first=index == 0) for index, each in enumerate(pictures) if each
    }
    try:
        return built_pages.with_content(page, _FIRST_PICTURE, contents)
    except NothingToPatch:
        logger.exception("the first pictures could not be written into the page")
        return page


def preload(pictures: Sequence[str], sizes: str) -> dict[str, str]:
    """Headers that make a browser request the first picture before anything else on the page.

    Over HTTP/1.1 it then has the connection that the page came over. A font, asked for in the head of the page, would
    take it otherwise, and the picture would wait for a connection of its own.
    """
    return {"Link": picture_preload(pictures[0], sizes)} if pictures and pictures[0] else {}


def _is_requested(scope: Scope) -> bool:
    """Whether a member asks for the catalogue without filters."""
    return scope["path"] == "/" and not scope["query_string"] and is_member(scope)


def _complete(_scope: Scope) -> Response | None:
    page = page_file("/")
    if page is None:
        return None
    try:
        found = db.read(lambda session: products.list_products(session, None, ProductQuery(limit=FIRST_PICTURES)))
    except StoreError:
        return None
    pictures = tuple(product.image for product in found.items)
    return HTMLResponse(_page_with(pictures, page, page.stat().st_mtime_ns), headers=preload(pictures, CARD_SIZES))


@lru_cache(maxsize=8)
def _page_with(pictures: tuple[str, ...], page: Path, _changed_ns: int) -> str:
    """Cached until the file changes, which its modification time shows."""
    return with_pictures(page.read_text(), pictures, CARD_SIZES)


CATALOGUE_PAGE = CompletedPage(_is_requested, _complete)
