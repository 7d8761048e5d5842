"""Packages of printed cardboard: a carton with its pen beside it, a blister card with a cartridge."""

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import (
    circle,
    d,
    frame,
    group,
    leaf,
    linear_gradient,
    opaque,
    path,
    rect,
    shade,
    stroke,
)

from ..catalogue import Product
from ..labels import draw_label
from ..lettering import SANS, text
from .stage import FLOOR, shadow

OIL = linear_gradient("oil", opaque((0, "#8a4a0d"), (0.3, "#f0bb52"), (0.5, "#e09a2c"), (1, "#7b400a")))


def sprig(cx: float, cy: float, size: float, fill: str) -> str:
    turns = ((0, 1, 0.3), (-38, 0.86, 0.27), (38, 0.86, 0.27), (-74, 0.6, 0.27), (74, 0.6, 0.27))
    art = "".join(leaf(cx, cy, size * long, size * wide, turn, fill) for turn, long, wide in turns)
    return art + stroke(d("M", cx, cy - 2, "V", cy + size * 0.34), fill, size * 0.07, stroke_linecap="round")


def pen_gradient(color: str) -> str:
    stops = [(0, -0.5), (0.16, 0.1), (0.3, 0.5), (0.42, 0.12), (0.8, -0.3), (1, -0.55)]
    return linear_gradient("pen", opaque(*[(at, shade(color, amount)) for at, amount in stops]))


def pen(p: Palette, x: float, top: float, w: float, base: float) -> str:
    """A slim pen: mouthpiece, a window of oil, a body with the sprig."""
    art = shadow(x + w / 2, base, w * 0.62, 440, p) + rect(x, top + 120, w, base - top - 120, "url(#pen)", rx=13)
    art += rect(x + 6, top + 52, w - 12, 84, "#d9d3c4") + rect(x + 6, top + 52, w - 12, 84, "url(#oil)", opacity=0.9)
    art += rect(x + 6, top + 52, w - 12, 26, "#fff", opacity=0.42)
    art += rect(x + 15, top + 54, 6, 80, "#fff", opacity=0.6, filter="url(#b2)")
    left = ("V", top + 14, "Q", x + 12, top, x + w / 2, top)
    mouth = d("M", x + 10, top + 54, *left, "Q", x + w - 12, top, x + w - 10, top + 14, "V", top + 54, "Z")
    art += path(mouth, "url(#pen)") + rect(x, top + 132, w, 8, "url(#metal)")
    return art + sprig(x + w / 2, top + 360, 34, p.second_accent) + circle(x + w / 2, base - 52, 5, p.second_accent)


def carton(product: Product, p: Palette, label: str) -> tuple[str, str]:
    x, w, top, base, depth = 200, 366, 264, FLOOR - 4, 92
    h, right = base - top, x + w
    defs = linear_gradient("front", [(0, "#fff", 0.16), (0.5, "#fff", 0), (1, "#000", 0.1)]) + OIL
    defs += linear_gradient("side", [(0, "#000", 0.34), (1, "#000", 0.52)])
    defs += pen_gradient(product.seeded_random("pen").choice((p.ink, p.accent)))
    art = shadow(x + w / 2 + 40, base - 4, w * 0.62, 560, p)
    art += path(d("M", x, top, "L", x + depth, top - 26, "H", right + depth, "L", right, top, "Z"), shade(p.paper, 0.3))
    side = d("M", right, top, "L", right + depth, top - 26, "V", base - 30, "L", right, base, "Z")
    spine = text(0, 0, 29, f"{product.flavor.upper()}   {product.weight}", p.paper, SANS, 600, 0.16, max_width=h * 0.8)
    place = f"translate({right + depth * 0.5 + 9} {(top + base) / 2 - 10}) rotate(-90) skewX(-15)"
    art += path(side, p.accent) + group(spine, transform=place) + path(side, "url(#side)")
    art += frame(draw_label(product, w, h), x, top, w, h) + rect(x, top, w, h, "url(#front)")
    art += stroke(d("M", right, top, "V", base), "#fff", 2, stroke_opacity=0.5)
    return defs, art + pen(p, 742, 402, 62, base + 42)


def cartridge(x: float, top: float, w: float, h: float) -> str:
    """A glass cartridge: flat mouthpiece, tank, threaded foot."""
    cx, tank, foot = x + w / 2, top + h * 0.36, top + h * 0.84
    mouth = ("V", top + 26, "Q", cx - w * 0.3, top, cx, top, "Q", cx + w * 0.3, top, cx + w * 0.34, top + 26)
    art = path(d("M", cx - w * 0.34, tank, *mouth, "V", tank, "Z"), "url(#black)")
    art += rect(x, tank - 12, w, 22, "url(#metal)", rx=3) + rect(
        x, tank + 8, w, foot - tank - 8, "#efe9da", opacity=0.75
    )
    art += rect(x + w * 0.1, tank + h * 0.07, w * 0.8, foot - tank - h * 0.07, "url(#oil)")
    art += rect(cx - w * 0.09, tank + 8, w * 0.18, foot - tank - 8, "url(#metal)", opacity=0.75)
    art += rect(x + w * 0.12, tank + 14, w * 0.1, foot - tank - 24, "#fff", opacity=0.65, filter="url(#b2)")
    art += rect(x, foot, w, h * 0.06, "url(#metal)", rx=3)
    art += rect(cx - w * 0.3, foot + h * 0.06, w * 0.6, h * 0.1, "url(#metal)", rx=3)
    for k in range(5):
        y = foot + h * (0.072 + k * 0.018)
        art += stroke(d("M", cx - w * 0.3, y, "h", w * 0.6), "#000", 2, stroke_opacity=0.35)
    return art


def blister(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """A card with the words on the left and the cartridge under a clear dome on the right."""
    x, w, top, base = 172, 600, 216, FLOOR + 2
    h, split = base - top, 382
    defs = OIL + linear_gradient("front", [(0, "#fff", 0.14), (0.5, "#fff", 0), (1, "#000", 0.12)])
    dome = [
        (0, "#000", 0.22),
        (0.08, "#fff", 0.55),
        (0.2, "#fff", 0.08),
        (0.75, "#fff", 0.02),
        (0.92, "#fff", 0.34),
        (1, "#000", 0.26),
    ]
    defs += linear_gradient("dome", dome)
    art = shadow(x + w / 2, base, w * 0.5, 560, p) + rect(x + 9, top + 3, w, h - 3, shade(p.accent, -0.5), rx=22)
    art += rect(x, top, w, h, p.accent, rx=22)
    panel_top, inset = top + 104, 26
    size = (split - inset, h - 104 - inset)
    art += frame(draw_label(product, *size), x + inset, panel_top, *size)
    hang_hole = d(
        "M",
        x + w / 2 - 62,
        top + 54,
        "a 16 16 0 0 1 16 -16 h 30 a 16 16 0 0 1 32 0 h 30 a 16 16 0 0 1 0 32 h -92 a 16 16 0 0 1 -16 -16 Z",
    )
    art += path(hang_hole, shade(p.wall, -0.14))
    art += bubble(p, x + split + 26, panel_top, w - split - 26 - inset, h - 104 - inset)
    return defs, art + rect(x, top, w, h, "url(#front)", rx=22)


def bubble(p: Palette, x: float, top: float, w: float, h: float) -> str:
    """The clear dome, with the cartridge under it."""
    outline = (x, top, w, h)
    art = rect(*outline, shade(p.accent, -0.38), rx=40)
    art += rect(x + 6, top + 6, w - 12, h - 12, "#000", rx=36, opacity=0.14)
    cartridge_w, cartridge_h = w * 0.46, h * 0.74
    cartridge_x, cartridge_top = x + (w - cartridge_w) / 2, top + (h - cartridge_h) / 2
    art += rect(
        cartridge_x + 14,
        cartridge_top + cartridge_h * 0.34,
        cartridge_w,
        cartridge_h * 0.6,
        "#000",
        opacity=0.4,
        filter="url(#b10)",
    )
    art += cartridge(cartridge_x, cartridge_top, cartridge_w, cartridge_h) + rect(*outline, "url(#dome)", rx=40)
    art += rect(*outline, "none", rx=40, stroke="#fff", stroke_width=2.5, stroke_opacity=0.4)
    gleam = d("M", x + w * 0.17, top + 60, "v", h * 0.56)
    return art + stroke(gleam, "#fff", 10, opacity=0.45, filter="url(#b4)", stroke_linecap="round")
