"""Draws the package of a product without a photograph. The category decides what kind of package it is."""

import hashlib
import random

from marketplace_app.packaging import colours, label, motifs, packs
from marketplace_app.packaging.lettering import GlyphSheet
from marketplace_app.packaging.packs import FLOOR, HEIGHT, WIDTH, Pack
from marketplace_app.packaging.svg import d, document, linear_gradient, opaque, path, radial_gradient, rect, shade, tag

KINDS: tuple[tuple[tuple[str, ...], Pack], ...] = (
    (("pre-roll", "preroll", "pre roll", "joint", "blunt"), packs.tube),
    (("flower", "bud"), packs.jar),
    (("edible", "gumm", "chocolate", "candy", "beverage", "drink", "shake", "snack"), packs.pouch),
    (("vape", "vapor", "cart", "pen"), packs.blister),
    (("concentrate", "extract", "hash", "resin", "rosin", "wax", "kief", "dab"), packs.tin),
    (("tincture", "oil", "cbd", "topical", "balm", "lotion", "sublingual"), packs.bottle),
)
"""The package for a category whose name contains one of the words; for all others it is a carton."""
MAX_BYTES = 15_000
"""Per drawing. Names with too many different letters for this size are set in the browser's fonts."""


def draw(name: str, category: str) -> str:
    """An SVG document of 960 x 1200, the same for the same name and category on every machine."""
    drawn = _drawn(name, category, GlyphSheet(has_outlines=True))
    return drawn if len(drawn.encode()) <= MAX_BYTES else _drawn(name, category, GlyphSheet(has_outlines=False))


def _drawn(name: str, category: str, sheet: GlyphSheet) -> str:
    rng = random.Random(hashlib.sha256(f"{name}\n{category}".encode()).digest())
    palette = rng.choice(colours.ALL)
    printed = label.Print(
        name=" ".join(name.split()),
        category=category,
        palette=palette,
        motif=rng.choice(motifs.MOTIFS),
        layout=rng.choice(label.LAYOUTS),
        sheet=sheet,
    )
    background = _background(palette, has_niche=rng.random() < 0.5)
    package = _pack_of(category)(printed)
    return document(tag("defs", sheet.definitions()) + background + package, WIDTH, HEIGHT)


def _pack_of(category: str) -> Pack:
    lowered = category.lower()
    return next((pack for words, pack in KINDS if any(word in lowered for word in words)), packs.carton)


def _background(palette: colours.Palette, *, has_niche: bool) -> str:
    """Wall and floor, lit from the upper left."""
    wall = opaque((0, shade(palette.wall, 0.12)), (1, shade(palette.wall, -0.1)))
    floor = opaque((0, shade(palette.floor, -0.06)), (1, shade(palette.floor, 0.12)))
    art = linear_gradient("wall", wall, down=True) + linear_gradient("floor", floor, down=True)
    art += radial_gradient("sun", [(0, "#fff", 0.45), (1, "#fff", 0)], 0.28, 0.2, 0.75)
    dark = shade(palette.ink, -0.2)
    art += radial_gradient("shadow", [(0, dark, 0.75), (0.55, dark, 0.35), (1, dark, 0)], 0.5, 0.5, 0.5)
    art += rect(0, 0, WIDTH, HEIGHT, "url(#wall)") + rect(0, 0, WIDTH, HEIGHT, "url(#sun)")
    if has_niche:
        arch = d("M 150 900 V 520 C 150 300 290 190 480 190 C 670 190 810 300 810 520 V 900 Z")
        art += path(arch, shade(palette.wall, -0.12), opacity=0.5)
    return art + rect(0, FLOOR - 110, WIDTH, HEIGHT - FLOOR + 110, "url(#floor)")
