"""The mark, a sprig in a stillroom window; the logo with the store's name; icons for browsers and home screens."""

import io
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from PIL import Image

from marketplace_app.packaging.svg import decimal, document, group, leaf, path, rect, stroke, tag

from .catalogue import ASSETS
from .lettering import SERIF, face
from .renderer import Renderer

NAME = "Stillroom"
GREEN, PAPER, INK, DEEP = "#1f4a35", "#f6f4ee", "#16211a", "#11251a"
ARCH = "M32 3C47 3 57 13.6 57 28V61H7V28C7 13.6 17 3 32 3Z"
ICONS = (
    ("icon-192", 192, 0.62),
    ("icon-512", 512, 0.62),
    ("icon-maskable-512", 512, 0.5),
    ("apple-touch-icon", 180, 0.62),
)
"""Name, size in pixels, and the share of the icon's width that the mark takes."""


def sprig(fill: str) -> str:
    pairs = ((50, 15.5, 7.6, 64), (40, 16, 8, 54), (30.5, 14, 7.4, 44))
    art = "".join(leaf(32, y, size, width, side * turn, fill) for y, size, width, turn in pairs for side in (-1, 1))
    return art + leaf(32, 27, 16, 7.6, 0, fill) + stroke("M32 61V24", fill, 1.9)


def mark(arch: str = GREEN, fill: str = PAPER) -> str:
    return path(ARCH, arch) + sprig(fill)


def wordmark(
    words: str, x: float, baseline: float, size: float, fill: str, tracking: float = -0.015
) -> tuple[str, float]:
    """The words as outlines, because the logo must need no font; and the x coordinate of their end."""
    font, cmap, em = face(SERIF, 560)
    glyphs, scale = font.getGlyphSet(), size / em
    pen = SVGPathPen(glyphs, decimal)
    for letter in words:
        glyph = glyphs[cmap[ord(letter)]]
        glyph.draw(TransformPen(pen, Transform(scale, 0, 0, -scale, x, baseline)))
        x += glyph.width * scale + size * tracking
    return path(pen.getCommands(), fill), x


def logo(arch: str, fill: str, ink: str) -> str:
    """The mark, and the name in the colour `ink`."""
    name, end = wordmark(NAME, 76, 47, 48, ink)
    return document(mark(arch, fill) + name, round(end + 2), 64)


def favicon() -> str:
    """Light where the browser's theme is dark, and dark where it is light."""
    rules = f".a{{fill:{GREEN}}}.b path{{fill:{PAPER}}}.s{{stroke:{PAPER}}}"
    dark = f".a{{fill:{PAPER}}}.b path{{fill:{GREEN}}}.s{{stroke:{GREEN}}}"
    style = tag("style", f"{rules}@media(prefers-color-scheme:dark){{{dark}}}")
    # The style sheet sets the colours, so the shapes have none of their own.
    leaves = sprig("X").replace(' fill="X"', "").replace(' stroke="X"', ' class="s"').replace(' fill="none"', "")
    return document(style + tag("path", class_="a", d=ARCH) + group(leaves, class_="b"), 64, 64)


def icon(size: int, share: float) -> str:
    """The mark on green, with room for the mask that a phone lays over it."""
    inner = size * share
    at = decimal((size - inner) / 2)
    place = f"translate({at} {at}) scale({inner / 64:.4f})"
    return document(rect(0, 0, size, size, GREEN) + group(mark(PAPER, GREEN), transform=place), size, size)


def write(renderer: Renderer, folder: Path = ASSETS) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    drawings = {
        "mark": document(mark(), 64, 64),
        "favicon": favicon(),
        "logo": logo(GREEN, PAPER, INK),
        "logo-on-deep": logo(PAPER, DEEP, PAPER),
    }
    for name, drawing in drawings.items():
        (folder / f"{name}.svg").write_text(drawing + "\n", encoding="utf-8")
    for name, size, share in ICONS:
        image = renderer.render(icon(size, share), size, size).convert("RGB").quantize(64)
        image.save(folder / f"{name}.png", optimize=True)
    small = []
    for size in (16, 32, 48):
        plain = document(mark(), size, size, "0 0 64 64")
        small.append(renderer.render(plain, size, size, transparent=True).convert("RGBA"))
    data = io.BytesIO()
    small[-1].save(data, "ICO", sizes=[image.size for image in small], append_images=small[:-1])
    (folder / "favicon.ico").write_bytes(data.getvalue())


def logo_on_dark(renderer: Renderer, height: int) -> Image.Image:
    """The logo for dark backgrounds, as a bitmap to place on other pictures."""
    name, end = wordmark(NAME, 76, 47, 48, PAPER)
    width = round((end + 2) * height / 64)
    art = document(mark(PAPER, DEEP) + name, width, height, f"0 0 {decimal(end + 2)} 64")
    return renderer.render(art, width, height, transparent=True).convert("RGBA")
