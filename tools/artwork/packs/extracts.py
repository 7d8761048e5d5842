"""Concentrates: a flat tin with its dish, or a glass jar with its box. The description decides what is in them."""

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import (
    circle,
    d,
    ellipse,
    frame,
    linear_gradient,
    opaque,
    path,
    polygon,
    radial_gradient,
    rect,
    stroke,
    tag,
)

from ..catalogue import Product
from ..labels import draw_label, is_printed_in_reverse
from ..lettering import SANS, set_name, text
from ..motifs import motif
from .stage import FLOOR, STEEL_RIM, can, lid, shadow

LOOKS = {
    "pressed hash": ("#7a5a38", "#4a3018", "#271507"),
    "whipped": ("#fff3cf", "#ecd08c", "#b8914a"),
    "crystals": ("#fff6da", "#efcf86", "#b98a3a"),
    "budder": ("#ffe7a8", "#e3b252", "#9a6a1c"),
    "": ("#ffe09a", "#e09a2c", "#8a4a0d"),
}
"""By a word of the description: the light, middle and dark colour of the filling. The last one is for all others."""


def look(product: Product) -> str:
    """The key of the product in LOOKS."""
    return next((word for word in LOOKS if word and product.mentions(word)), "")


def filling_gradient(product: Product) -> str:
    light, mid, dark = LOOKS[look(product)]
    return radial_gradient("goo", opaque((0, light), (0.45, mid), (1, dark)), 0.38, 0.3, 0.8)


def filling(product: Product, x: float, y: float, rx: float, ry: float) -> str:
    """What lies in a dish or jar: a pool of oil, a pressed cake, shards or crystals."""
    art, dice = ellipse(x, y, rx, ry, "url(#goo)"), product.seeded_random("filling")
    if product.mentions("shatter", "glass, with a snap", "crystals"):
        for _ in range(26):
            reach, s = dice.uniform(-0.72, 0.72), dice.uniform(0.1, 0.2) * rx
            at = x + reach * rx, y + dice.uniform(-0.5, 0.5) * ry
            corners = [(at[0] + s * a, at[1] + s * b * 0.5) for a, b in ((-1, 0.2), (-0.2, -1), (1, -0.3), (0.5, 0.9))]
            art += path(polygon(corners), "#ffdf8f", opacity=0.72, stroke="#fff6d8", stroke_width=1.5)
        return art
    if look(product) in ("pressed hash", "whipped", "budder"):
        for _ in range(40):
            at = x + dice.uniform(-0.7, 0.7) * rx, y + dice.uniform(-0.6, 0.6) * ry
            art += ellipse(*at, dice.uniform(4, 15), dice.uniform(2, 5), dice.choice(("#fff", "#000")), opacity=0.1)
        return art
    highlight = d(
        "M",
        x - rx * 0.62,
        y - ry * 0.25,
        "q",
        rx * 0.24,
        -ry * 0.55,
        rx * 0.6,
        -ry * 0.42,
        "q",
        -rx * 0.3,
        ry * 0.2,
        -rx * 0.46,
        ry * 0.7,
        "Z",
    )
    art += path(highlight, "#fff", opacity=0.7, filter="url(#b2)")
    return art + stroke(
        d("M", x + rx * 0.1, y + ry * 0.6, "q", rx * 0.34, 0, rx * 0.56, -ry * 0.55),
        "#ffe9b8",
        5,
        opacity=0.5,
        filter="url(#b2)",
    )


def tin_face(product: Product, p: Palette, cx: float, cy: float, r: float) -> str:
    """The printed lid: the flavor's pattern in the upper half, words in the lower."""
    q = p.night() if is_printed_in_reverse(product) else p
    art = rect(cx - r, cy - r, 2 * r, 2 * r, q.paper)
    art += frame(motif(product, p, 2 * r, r * 0.92), cx - r, cy - r, 2 * r, r * 0.92)
    art += rect(cx - r, cy - r * 0.08 - 4, 2 * r, 6, q.ink)
    art += text(cx, cy + 16, 20, product.brand.upper(), q.ink, SANS, 600, 0.3, max_width=r * 1.2)
    name = set_name(product.name, cx, cy + 36, r * 1.34, r * 0.42, q.ink, 80, max_lines=2)
    rule = cy + r * 0.585
    art += name + stroke(d("M", cx - r * 0.46, rule, "H", cx + r * 0.46), q.ink, 2)
    art += text(cx, rule + 33, 23, f"{product.kind}  {product.strength}", q.ink, SANS, 600, 0.05, max_width=r * 1.0)
    return art + text(cx, rule + 62, 22, product.weight, q.ink)


def tin(product: Product, p: Palette, label: str) -> tuple[str, str]:
    cx, cy, r, base = 430, 612, 318, FLOOR - 30
    defs = STEEL_RIM + tag("clipPath", circle(cx, cy, r - 26, "#000"), id="face") + filling_gradient(product)
    defs += linear_gradient("sheen", [(0, "#fff", 0.34), (0.45, "#fff", 0.02), (1, "#000", 0.2)], down=True)
    art = shadow(cx, cy + r, r * 0.55, 420, p)
    art += circle(cx + 13, cy + 6, r, "#59554b") + circle(cx, cy, r, "url(#rim)") + circle(cx, cy, r - 15, "#8d8778")
    face = tin_face(product, p, cx, cy, r) + rect(cx - r, cy - r, 2 * r, 2 * r, "url(#sheen)")
    art += tag("g", face, clip_path="url(#face)")
    art += circle(cx, cy, r - 26, "none", stroke="#fff", stroke_width=2, stroke_opacity=0.45)
    art += circle(cx, cy, r - 20, "none", stroke="#000", stroke_width=10, stroke_opacity=0.25)
    bx, by, br = 700, base + 6, 186
    art += shadow(bx, by + 78, br, 120, p) + can(bx, by - 6, br, 66, 46, "url(#metal)")
    art += ellipse(bx, by - 6, br, 46, "url(#rim)") + ellipse(bx, by - 4, br - 12, 38, "#4c483f")
    return defs, art + filling(product, bx, by + 4, br - 18, 31)


def glass_pot(product: Product, cx: float, top: float, r: float, h: float) -> str:
    """A thick-walled open jar; the filling shows through the glass."""
    sag = r * 0.26
    art = can(cx, top, r, h, sag, "#f4f1e6", opacity=0.5)
    art += can(cx, top + h * 0.42, r * 0.82, h * 0.44, sag * 0.8, "url(#goo)") + can(cx, top, r, h, sag, "url(#pane)")
    art += ellipse(cx, top, r, sag, "#fffdf6", opacity=0.75) + ellipse(
        cx, top, r * 0.84, sag * 0.78, "#5a4a30", opacity=0.5
    )
    art += filling(product, cx, top + sag * 0.24, r * 0.78, sag * 0.6)
    art += stroke(
        d("M", cx - r * 0.8, top + 26, "v", h - 44), "#fff", 9, opacity=0.7, filter="url(#b2)", stroke_linecap="round"
    )
    return art + stroke(
        d("M", cx - r * 0.7, top + h + sag * 0.62, "Q", cx, top + h + sag, cx + r * 0.7, top + h + sag * 0.62),
        "#fff",
        4,
        opacity=0.7,
    )


def pot_and_box(product: Product, p: Palette, label: str) -> tuple[str, str]:
    x, w, top, base, depth = 156, 432, 360, FLOOR - 26, 110
    h, right = base - top, x + w
    pane = [
        (0, "#000", 0.36),
        (0.06, "#fff", 0.5),
        (0.2, "#fff", 0.06),
        (0.8, "#000", 0.04),
        (0.94, "#fff", 0.4),
        (1, "#000", 0.3),
    ]
    defs = (
        linear_gradient("front", [(0, "#fff", 0.16), (0.5, "#fff", 0), (1, "#000", 0.1)])
        + linear_gradient("pane", pane)
        + filling_gradient(product)
    )
    defs += linear_gradient("side", [(0, "#000", 0.3), (1, "#000", 0.5)])
    art = shadow(x + w / 2 + 44, base - 4, w * 0.64, 460, p)
    art += path(d("M", x, top, "L", x + depth, top - 30, "H", right + depth, "L", right, top, "Z"), p.second_accent)
    side = d("M", right, top, "L", right + depth, top - 30, "V", base - 34, "L", right, base, "Z")
    art += path(side, p.accent) + path(side, "url(#side)")
    art += frame(draw_label(product, w, h), x, top, w, h) + rect(x, top, w, h, "url(#front)")
    art += stroke(d("M", right, top, "V", base), "#fff", 2, stroke_opacity=0.5)
    cx, pot_top, r = 716, FLOOR - 126, 122
    art += shadow(cx, pot_top + 176, r * 0.94, 150, p) + glass_pot(product, cx, pot_top, r, 140)
    lx, ly = 488, FLOOR + 40
    return defs, art + shadow(lx, ly + 42, 96, 80, p) + lid(lx, ly, 104, 38, 25, "black")
