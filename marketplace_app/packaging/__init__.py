"""Drawn packages for products that have no photograph, and the addresses they are fetched from.

An address says what is drawn, so nothing is stored: an order keeps the package of its day after the product was
renamed, and an import of thousands draws none. It is signed, so that nobody can have the store draw words of their own.
"""

import base64
import binascii
import hmac
from functools import lru_cache

from marketplace_app.codes import keyed_hash
from marketplace_app.config import get_settings
from marketplace_app.packaging.drawing import draw

FOLDER = "/packages/"
SUFFIX = ".svg"
MARK_LENGTH = 16
KEPT_ADDRESSES, KEPT_DRAWINGS = 16_384, 256


def picture_of(image: str, name: str, category: str) -> str:
    """What a product is shown by: the stem of its photograph or, without one, the address of its drawn package."""
    return image or address(name, category)


def picture_url(picture: str) -> str:
    """Where the picture itself is: a photograph in its middle width, or the drawing."""
    return picture if is_drawn(picture) else f"{picture}-640.webp"


def is_drawn(picture: str) -> bool:
    return picture.startswith(FOLDER)


@lru_cache(KEPT_ADDRESSES)
def address(name: str, category: str) -> str:
    text = f"{category}\n{name}"
    words = base64.urlsafe_b64encode(text.encode("utf-8", "replace")).decode().rstrip("=")
    return f"{FOLDER}{words}.{_mark(text)}{SUFFIX}"


@lru_cache(KEPT_DRAWINGS)
def drawn_at(path: str) -> str | None:
    """The drawing of an address that the store made; None for any other."""
    words, _, mark = path.removeprefix(FOLDER).removesuffix(SUFFIX).partition(".")
    try:
        text = base64.b64decode(words + "=" * (-len(words) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    if not hmac.compare_digest(mark.encode(), _mark(text).encode()):
        return None
    category, _, name = text.partition("\n")
    return draw(name, category)


def _mark(text: str) -> str:
    key = get_settings().identity_key.get_secret_value()
    return keyed_hash(f"package\n{text}", key)[:MARK_LENGTH]
