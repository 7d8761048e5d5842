"""Bags: a stand-up pouch for gummies and half ounces, a folded bag with a tin tie for full ounces."""

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import circle, d, frame, linear_gradient, opaque, path, rect, shade, stroke, tag

from ..catalogue import Product
from ..labels import draw_label, is_printed_in_reverse
from ..lettering import SANS, set_name, text
from ..motifs import motif
from .stage import FLOOR, shadow
from .sweets import SWEETS, caramel, gummy

KRAFT = "#b8956a"


def film(color: str, x: float, w: float, top: float, base: float) -> tuple[str, str]:
    """A bag of soft film: definitions, among them its outline as the clip path `bag`, and the light and shade on it."""
    cx = x + w / 2
    right = ("Q", x + w - 2, top + 90, x + w - 10, top + 150, "C", x + w + 14, top + 380, x + w + 20, base - 180)
    foot = (x + w - 6, base - 26, "Q", cx, base + 44, x + 6, base - 26)
    left = ("C", x - 20, base - 180, x - 14, top + 380, x + 10, top + 150, "Q", x + 2, top + 90, x + 8, top, "Z")
    outline = d("M", x + 8, top, "H", x + w - 8, *right, *foot, *left)
    fold = [
        (0, "#000", 0.42),
        (0.06, "#000", 0.1),
        (0.16, "#fff", 0.2),
        (0.26, "#fff", 0.04),
        (0.5, "#000", 0.04),
        (0.7, "#fff", 0.1),
        (0.84, "#000", 0.08),
        (0.95, "#000", 0.34),
        (1, "#000", 0.5),
    ]
    fall = [(0, "#fff", 0.1), (0.3, "#fff", 0.0), (0.72, "#000", 0.0), (1, "#000", 0.36)]
    defs = (
        tag("clipPath", path(outline, color), id="bag")
        + linear_gradient("fold", fold)
        + linear_gradient("fall", fall, down=True)
    )
    lights = "".join(rect(x - 30, top, w + 60, base - top + 60, f"url(#{name})") for name in ("fold", "fall"))
    crease = d("M", x, base - 120, "Q", cx, base - 66, x + w, base - 120)
    lights += stroke(crease, "#fff", 5, stroke_opacity=0.16, filter="url(#b2)")
    gleam = d("M", x + 60, top + 160, "Q", x + 40, top + 420, x + 76, base - 130)
    lights += stroke(gleam, "#fff", 26, stroke_opacity=0.22, filter="url(#b10)")
    return defs, lights


def crimps(x: float, w: float, top: float) -> str:
    art = ""
    for k in range(8):
        art += stroke(d("M", x, top + 6 + k * 7, "H", x + w), "#000", 2, stroke_opacity=0.2)
        art += stroke(d("M", x, top + 9 + k * 7, "H", x + w), "#fff", 1.5, stroke_opacity=0.12)
    return art


def notches(p: Palette, x: float, w: float, top: float) -> str:
    """The hole to hang it by and the two cuts to tear it open."""
    art = circle(x + w / 2, top + 34, 15, shade(p.wall, -0.1))
    art += path(d("M", x + 8, top + 72, "l 12 7 l -12 7 Z"), p.wall)
    return art + path(d("M", x + w - 6, top + 72, "l -12 7 l 12 7 Z"), p.wall)


def has_pale_film(product: Product) -> bool:
    """Brands that print light on dark elsewhere always use pale film; a quarter of the other products have it too."""
    return is_printed_in_reverse(product) or product.seeded_random("pale").random() < 0.25


def sweets_print(product: Product, p: Palette, x: float, w: float, top: float) -> str:
    """Printed straight on the film: brand, a band of the flavor's pattern, name and facts."""
    cx, light = x + w / 2, has_pale_film(product)
    ink = p.ink if light else p.paper
    art = text(cx, top + 118, 25, product.brand.upper(), ink, SANS, 600, 0.36, max_width=w * 0.8)
    band = motif(product, p.night() if light else p, w + 40, 286)
    art += frame(band, x - 20, top + 150, w + 40, 286)
    name = set_name(product.name, cx, top + 456, w * 0.76, 212, ink, 100, max_lines=2)
    left, right, rule = x + 72, x + w - 72, top + 690
    art += name + stroke(d("M", left, rule, "H", right), ink, 1.6, stroke_opacity=0.7)
    art += text(left, rule + 40, 25, product.flavor.upper(), ink, SANS, 600, 0.1, "start")
    art += text(right, rule + 40, 25, product.strength, ink, SANS, 600, 0, "end")
    art += text(left, rule + 74, 23, product.weight, ink, SANS, 500, 0, "start")
    return art + text(right, rule + 74, 23, product.kind.capitalize(), ink, SANS, 500, 0, "end")


def pouch(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """Gummies or caramels, with two of them in front."""
    x, w, top, base = 190, 560, 210, FLOOR + 6
    color = p.paper if has_pale_film(product) else p.pack
    defs, lights = film(color, x, w, top, base)
    inside = rect(x - 30, top, w + 60, base - top + 60, color) + sweets_print(product, p, x, w, top)
    art = shadow(x + w / 2, base + 8, w * 0.49, 560, p)
    art += tag("g", inside + crimps(x, w, top) + lights, clip_path="url(#bag)") + notches(p, x, w, top)
    if product.mentions("caramel"):
        art += caramel(756, base + 34, 112, -6) + caramel(634, base + 62, 106, 8)
    else:
        art += gummy(752, base + 36, 112, -7, p.accent) + gummy(632, base + 66, 104, 9, p.second_accent)
    return defs + SWEETS, art


def flower_bag(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """Half an ounce: plain film with a pasted label."""
    x, w, top, base = 200, 560, 196, FLOOR + 6
    color = (
        p.accent if is_printed_in_reverse(product) else product.seeded_random("film").choice((p.pack, p.accent, KRAFT))
    )
    defs, lights = film(color, x, w, top, base)
    inside = rect(x - 30, top, w + 60, base - top + 60, color)
    zip_line = stroke(d("M", x, top + 112, "H", x + w), "#000", 3, stroke_opacity=0.3)
    zip_line += stroke(d("M", x, top + 117, "H", x + w), "#fff", 3, stroke_opacity=0.22)
    lw, lh = 410, 560
    lx, ly = x + (w - lw) / 2, top + 164
    pasted = rect(lx + 3, ly + 5, lw, lh, "#000", rx=4, opacity=0.3, filter="url(#b4)")
    pasted += frame(draw_label(product, lw, lh), lx, ly, lw, lh)
    art = shadow(x + w / 2, base + 8, w * 0.49, 560, p)
    art += tag("g", inside + crimps(x, w, top) + zip_line + pasted + lights, clip_path="url(#bag)")
    return defs, art + notches(p, x, w, top)


def folded_bag(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """A full ounce: a paper bag with side folds, rolled down and held by a tin tie."""
    x, w, top, base, depth = 196, 470, 250, FLOOR + 4, 96
    color = product.seeded_random("bag").choice((KRAFT, p.pack, p.accent, "#e9e2d2"))
    side_color, height = shade(color, -0.34), base - top
    light = [(0, "#fff", 0.14), (0.4, "#fff", 0.02), (0.75, "#000", 0.06), (1, "#000", 0.2)]
    defs = linear_gradient("front", light) + linear_gradient(
        "side", [(0, "#000", 0.12), (0.5, "#000", 0.42), (0.52, "#000", 0.1), (1, "#000", 0.4)]
    )
    defs += linear_gradient(
        "press", [(0, "#000", 0.34), (0.2, "#000", 0.0), (0.8, "#000", 0.0), (1, "#000", 0.26)], down=True
    )
    right = x + w
    right_edge = ("Q", right + 8, top + height / 2, right, base)
    left_edge = ("Q", x - 8, top + height / 2, x, top)
    front = d("M", x, top, "H", right, *right_edge, "H", x, *left_edge, "Z")
    side = d("M", right, top, "L", right + depth, top - 8, "L", right + depth + 4, base - 34, "L", right, base, "Z")
    art = shadow(x + w / 2 + 40, base, w * 0.56, 540, p) + path(side, side_color) + path(side, "url(#side)")
    art += path(front, color) + path(front, "url(#press)")
    lw, lh = w * 0.82, height * 0.7
    lx, ly = x + (w - lw) / 2, top + 116
    art += rect(lx + 2, ly + 4, lw, lh, "#000", opacity=0.3, filter="url(#b4)")
    art += frame(draw_label(product, lw, lh), lx, ly, lw, lh) + path(front, "url(#front)")
    roll_side = ("L", right + depth, top - 58, "V", top + 26, "L", right + 4, top + 36)
    roll = d("M", x - 6, top - 52, "H", right + 4, *roll_side, "H", x - 6, "Z")
    art += rect(x - 6, top + 34, w + 14, 16, "#000", opacity=0.35, filter="url(#b4)") + path(roll, shade(color, 0.06))
    art += path(d("M", right + 4, top - 52, *roll_side, "Z"), "#000", opacity=0.32)
    art += stroke(d("M", x - 6, top - 20, "H", right + 4), "#000", 2, stroke_opacity=0.25)
    for at in (x - 16, right - 14):
        art += rect(at, top - 14, 40, 30, "url(#tie)", rx=3)
    art += rect(x - 6, top - 10, w + 10, 22, "url(#tie)", opacity=0.9)
    defs += linear_gradient("tie", opaque((0, "#fbf7ec"), (0.5, "#cfc7b4"), (1, "#8f8775")), down=True)
    return defs, art
