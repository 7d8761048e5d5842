"""Flower in glass: a wide jar for an eighth, a taller apothecary jar for a quarter."""

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import d, linear_gradient, opaque, path, shade, stroke

from ..catalogue import Product
from .stage import FLOOR, lid, shadow, wrapped

GLASS = {
    "amber": ("#3a1c08", "#8a4a12", "#c4761f"),
    "green": ("#0b2015", "#1b4029", "#376b48"),
    "smoke": ("#14161a", "#2c2f35", "#555a63"),
    "blue": ("#0d1a33", "#1d3763", "#3f67a3"),
}


def glass_defs(kind: str) -> str:
    dark, mid, lit = GLASS[kind]
    edge = shade(dark, -0.35)
    stops = [(0, edge), (0.05, mid), (0.12, lit), (0.22, mid), (0.5, dark), (0.8, mid), (0.93, lit), (0.97, mid)]
    return linear_gradient("glass", opaque(*stops, (1, shade(dark, -0.3))))


def body(cx: float, r: float, top: float, base: float, lit: str) -> str:
    """Shoulders, sides and foot of the glass, with its lights."""
    shoulder = ("C", cx - r * 0.8, top + 4, cx - r, top + 8, cx - r, top + 66, "V", base - 34)
    foot_left = ("C", cx - r, base, cx - r * 0.9, base + 16, cx - r * 0.7, base + 20)
    foot_right = ("Q", cx, base + 34, cx + r * 0.7, base + 20, "C", cx + r * 0.9, base + 16, cx + r, base)
    back = (cx + r, base - 34, "V", top + 66, "C", cx + r, top + 8, cx + r * 0.8, top + 4, cx + r * 0.78, top - 36)
    shell = d("M", cx - r * 0.78, top - 36, *shoulder, *foot_left, *foot_right, *back, "Z")
    art = path(shell, "url(#glass)")
    art += path(shell, lit, opacity=0.28, filter="url(#b26)", transform="translate(0 16) scale(1 .99)")
    foot = d("M", cx - r * 0.88, base - 4, "Q", cx, base + 30, cx + r * 0.88, base - 4)
    art += stroke(foot, shade(lit, 0.45), 7, opacity=0.75, filter="url(#b4)")
    left = d("M", cx - r * 0.95, top + 62, "Q", cx - r * 0.9, top + 20, cx - r * 0.7, top + 6)
    art += stroke(left, "#fff", 9, opacity=0.5, filter="url(#b4)", stroke_linecap="round")
    right = d("M", cx + r * 0.72, top + 12, "Q", cx + r * 0.92, top + 24, cx + r * 0.94, top + 70)
    return art + stroke(right, "#fff", 4, opacity=0.35, filter="url(#b2)")


def glass_jar(
    product: Product,
    p: Palette,
    label: str,
    r: float,
    top: float,
    strip: tuple[float, float],
    cap: tuple[str, float, bool],
) -> tuple[str, str]:
    """A jar with a label and a lid.

    `strip`: how far below the top the label begins, and its height. `cap`: the lid's material, its height, and whether
    it has ribs.
    """
    cx, base, sag = 480, FLOOR - 20, round(r * 0.1)
    kind = product.seeded_random("glass").choice(("amber", "amber", "amber", "green", "smoke", "blue"))
    lit = GLASS[kind][2]
    drop, height = strip
    material, lid_height, ribs = cap
    art = shadow(cx, base + 18, r, 520, p) + body(cx, r, top, base, lit)
    art += wrapped(label, cx, top + drop, r, height, sag, 0.72)
    shine = d("M", cx - r * 0.83, top + 60, "V", base - 30)
    art += stroke(shine, "#fff", 17, opacity=0.38, filter="url(#b4)", stroke_linecap="round")
    art += lid(cx, top - 30 - lid_height, r * 0.86, lid_height, 20, material, ribs)
    return glass_defs(kind), art


def jar(product: Product, p: Palette, label: str) -> tuple[str, str]:
    return glass_jar(product, p, label, 262, 430, (72, 436), ("black", 116, True))


def tall_jar(product: Product, p: Palette, label: str) -> tuple[str, str]:
    material = product.seeded_random("lid").choice(("wood", "brass", "black"))
    return glass_jar(product, p, label, 204, 372, (88, 462), (material, 96, material != "wood"))
