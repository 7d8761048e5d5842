"""Drawn packages for products that have no photograph, and their URLs.

A URL contains what is drawn, so nothing is stored: an order shows the same package after the product was renamed, and
an import of thousands draws none. It is signed, so that nobody can have the store draw other words.
"""

import base64
import hmac
from functools import lru_cache

from marketplace_app.codes import keyed_hash
from marketplace_app.config import get_settings
from marketplace_app.packaging.drawing import draw

PACKAGES_PREFIX = "/packages/"
"""How the path of each drawn package begins."""
SUFFIX = ".svg"
SIGNATURE_LENGTH = 16
CACHED_URLS, CACHED_DRAWINGS = 16_384, 256


def picture_of(image: str, name: str, category: str) -> str:
    """The picture of a product: the stem of its photograph's URL or, without one, the URL of its drawn package."""
    return image or package_url(name, category)


def picture_url(picture: str) -> str:
    """The URL of the picture itself: a photograph in its middle width, or the drawing."""
    return picture if is_drawn(picture) else f"{picture}-640.webp"


def is_drawn(picture: str) -> bool:
    return picture.startswith(PACKAGES_PREFIX)


@lru_cache(CACHED_URLS)
def package_url(name: str, category: str) -> str:
    text = f"{category}\n{name}"
    encoded = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return f"{PACKAGES_PREFIX}{encoded}.{_signature(text)}{SUFFIX}"


def drawing_at(path: str) -> str | None:
    """The drawing for a path with a valid signature; None for any other."""
    encoded, _, signature = path.removeprefix(PACKAGES_PREFIX).removesuffix(SUFFIX).partition(".")
    try:
        text = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:
        return None
    if not hmac.compare_digest(signature.encode(), _signature(text).encode()):
        return None
    category, _, name = text.partition("\n")
    return _drawing(name, category)


@lru_cache(CACHED_DRAWINGS)
def _drawing(name: str, category: str) -> str:
    """Cached only after the signature was checked, so that requests for invented paths evict no drawing."""
    return draw(name, category)


def _signature(text: str) -> str:
    key = get_settings().identity_key.get_secret_value()
    return keyed_hash(f"package\n{text}", key)[:SIGNATURE_LENGTH]
