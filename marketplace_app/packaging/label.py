"""The printed front of a package: a pattern, the product's name, and its category."""

from collections.abc import Callable
from dataclasses import dataclass

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.lettering import GlyphSheet
from marketplace_app.packaging.motifs import Motif
from marketplace_app.packaging.svg import frame, rect, tag


@dataclass(frozen=True)
class Print:
    """What is printed, and how: everything that follows from a product's name and category."""

    name: str
    category: str
    palette: Palette
    motif: Motif
    layout: "Layout"
    sheet: GlyphSheet

    def draw_label(self, w: float, h: float, front: float) -> str:
        return self.layout(self, w, h, front)


Layout = Callable[[Print, float, float, float], str]
"""Draws a label of the given width and height. The last number is the visible width, which the text fits."""


def _text(p: Print, cx: float, top: float, width: float, height: float, ink: str) -> str:
    """The category in capitals at a small size, and the name below it."""
    caption_size = min(height * 0.11, width * 0.078)
    caption = p.category.upper()
    head = p.sheet.block(caption, cx, top, width, caption_size * 2, caption_size, ink)
    name_top = top + caption_size * 2.1
    return head + p.sheet.block(p.name, cx, name_top, width, height - caption_size * 2.1, height * 0.4, ink)


def pattern_above(p: Print, w: float, h: float, front: float) -> str:
    split, colours = h * 0.42, p.palette
    art = rect(0, 0, w, h, colours.paper) + frame(p.motif(w, split, colours), 0, 0, w, split)
    art += rect(0, split, w, h * 0.012, colours.ink)
    return art + _text(p, w / 2, split + h * 0.05, front * 0.84, h * 0.49, colours.ink)


def pattern_below(p: Print, w: float, h: float, front: float) -> str:
    split, colours = h * 0.6, p.palette
    art = rect(0, 0, w, h, colours.paper) + frame(p.motif(w, h - split, colours), 0, split, w, h - split)
    art += rect(0, split - h * 0.012, w, h * 0.012, colours.ink)
    return art + _text(p, w / 2, h * 0.05, front * 0.84, split - h * 0.1, colours.ink)


def band(p: Print, w: float, h: float, front: float) -> str:
    """Light on dark, with a band of the pattern."""
    night = p.palette.night()
    top, height = h * 0.08, h * 0.3
    art = rect(0, 0, w, h, night.paper) + frame(p.motif(w, height, p.palette), 0, top, w, height)
    return art + _text(p, w / 2, h * 0.44, front * 0.84, h * 0.49, night.ink)


def plate(p: Print, w: float, h: float, front: float) -> str:
    """The pattern all over, the text on a plain plate."""
    colours = p.palette
    width, height = front * 0.82, h * 0.6
    x, y = (w - width) / 2, (h - height) / 2
    art = p.motif(w, h, colours) + rect(x, y, width, height, colours.paper)
    edge = min(width, height) * 0.03
    inner = (x + edge, y + edge, width - 2 * edge, height - 2 * edge)
    art += rect(*inner, "none", stroke=colours.ink, stroke_width=edge * 0.22)
    return art + _text(p, w / 2, y + height * 0.11, width * 0.84, height * 0.78, colours.ink)


def upright(p: Print, w: float, h: float, front: float) -> str:
    """For tall narrow packages, whatever their layout: the pattern above and the name running upward below it, without
    the category."""
    colours = p.palette.night() if p.layout is band else p.palette
    split, length = h * 0.36, h * 0.56
    art = rect(0, 0, w, h, colours.paper) + frame(p.motif(w, split, p.palette), 0, 0, w, split)
    art += rect(0, split, w, h * 0.01, colours.ink)
    name = p.sheet.block(p.name, 0, -front / 2, length, front, front * 0.5, colours.ink)
    middle = split + h * 0.02 + (h - split) / 2
    return art + tag("g", name, transform=f"translate({w / 2:.0f} {middle:.0f}) rotate(-90)")


LAYOUTS: tuple[Layout, ...] = (pattern_above, pattern_below, band, plate)
