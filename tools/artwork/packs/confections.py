"""Edibles that do not come in a bag: a chocolate bar in its wrapper, a caddy of drops."""

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import d, frame, linear_gradient, opaque, path, rect, shade, stroke

from ..catalogue import Product
from ..labels import draw_label
from .stage import FLOOR, lid, shadow, wrapped
from .sweets import SWEETS, chocolate, drop

FOILS = {
    "gold": ("#8a6a2a", "#f4dd9c", "#c79f4e", "#fff3cb", "#9b7a34"),
    "silver": ("#7d7f80", "#f2f2ee", "#b4b6b4", "#ffffff", "#8f9190"),
}
INLAYS = {"orange": "#e08a2c", "peppermint": "#f4efe6", "walnut": "#c79a62"}


def bar(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """A paper sleeve round a foil-wrapped bar; the foil shows at the top, a broken piece lies in front."""
    x, w, top, base, depth = 208, 420, 262, FLOOR - 6, 34
    h, right = base - top, x + w
    tones = FOILS[product.seeded_random("foil").choice(tuple(FOILS))]
    foil = opaque(*[(k / 4, tone) for k, tone in enumerate(tones)])
    defs = (
        linear_gradient("foil", foil)
        + linear_gradient("front", [(0, "#fff", 0.14), (0.45, "#fff", 0), (1, "#000", 0.12)])
        + SWEETS
    )
    art = shadow(x + w / 2 + 14, base, w * 0.54, 560, p)
    peak = top - 66
    zigzag = []
    for k in range(21):
        zigzag += ["L", x + 14 + k * (w - 22) / 20, peak + (0 if k % 2 else 12)]
    art += path(
        d("M", x + 14, top + 10, *zigzag, "L", right - 2 + depth * 0.6, top, "L", right, top + 10, "Z"), "url(#foil)"
    )
    for k in range(3):
        crease = d("M", x + 14, top - 12 - k * 14, "H", right - 6)
        art += stroke(crease, "#000", 2, stroke_opacity=0.14) + stroke(
            crease, "#fff", 2, stroke_opacity=0.35, transform="translate(0 3)"
        )
    side = d("M", right, top, "L", right + depth, top - 10, "V", base - 12, "L", right, base, "Z")
    art += path(side, shade(p.accent, -0.34)) + rect(x, top - 8, w, 12, "#000", opacity=0.4, filter="url(#b4)")
    art += frame(draw_label(product, w, h), x, top, w, h) + rect(x, top, w, h, "url(#front)")
    art += stroke(d("M", right, top, "V", base), "#fff", 2, stroke_opacity=0.45)
    inlay = next((color for word, color in INLAYS.items() if product.mentions(word)), None)
    return defs, art + chocolate(726, base + 16, 146, 8, inlay)


def caddy(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """A round tin with a paper label and a few drops in front."""
    cx, r, top, base, sag = 452, 214, 452, FLOOR - 12, 30
    h = base - top
    material = product.seeded_random("lid").choice(("metal", "brass"))
    art = shadow(cx, base + 12, r, 460, p) + wrapped(label, cx, top, r, h, sag, 0.72)
    ring = ("A", r, sag, "0 0 0", cx + r, base - 7)
    art += stroke(d("M", cx - r, base - 7, *ring), "#fff", 5, stroke_opacity=0.3)
    art += lid(cx, top - 84, r * 1.02, 100, 34, material, ribs=False)
    line = ("A", r * 1.02, 34, "0 0 0", cx + r * 1.02, top + 2)
    art += stroke(d("M", cx - r * 1.02, top + 2, *line), "#000", 3, stroke_opacity=0.3)
    tone = None if product.flavor == "Mint" else shade(p.second_accent if product.flavor == "Spicy" else p.accent, 0.2)
    drops = ((742, FLOOR + 8, 50), (664, FLOOR + 46, 54), (790, FLOOR + 54, 48))
    return SWEETS, art + "".join(drop(*at, tone) for at in drops)
