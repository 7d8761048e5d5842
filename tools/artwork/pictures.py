"""Product pictures as WebP at three widths."""

from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from marketplace_app.limits import PICTURE_WIDTHS
from marketplace_app.packaging.svg import document

from .catalogue import ASSETS, Product
from .labels import draw_label
from .packs import pack_of, picture
from .packs.stage import bend
from .renderer import Renderer

QUALITY = 70
LABEL_SCALE = 1.6
"""Pixels of the flat label for each pixel of the picture."""
LABEL_SPREAD = 2.9
"""How much of the circumference of a round pack its label covers, in radians."""


def photograph(renderer: Renderer, product: Product, backdrop: bool = True) -> Image.Image:
    """One picture of 960 x 1200. For round packs, the flat label is rendered first, and then bent round the pack."""
    label, wrap = "", pack_of(product).wrap
    if wrap:
        width, height = round(wrap.radius * LABEL_SPREAD * LABEL_SCALE), round(wrap.height * LABEL_SCALE)
        flat = document(draw_label(product, width, height, width * wrap.front), width, height)
        label = bend(renderer.render(flat, width, height), wrap.radius, wrap.height, wrap.sag, LABEL_SPREAD)
    return renderer.render(picture(product, label, backdrop), 960, 1200, transparent=not backdrop)


def write(renderer: Renderer, products: Iterable[Product], folder: Path = ASSETS / "pictures") -> int:
    """Draw these products. Returns the number of bytes written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for product in products:
        full = photograph(renderer, product).convert("RGB")
        for width in PICTURE_WIDTHS:
            path = folder / f"{product.slug}-{width}.webp"
            small = full.resize((width, width * 5 // 4), Image.Resampling.LANCZOS)
            small.save(path, quality=QUALITY, method=6)
            written += path.stat().st_size
    return written
