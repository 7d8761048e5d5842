"""The packages themselves, one for each kind of product, on a canvas of 960 x 1200."""

from collections.abc import Callable

from marketplace_app.packaging import label
from marketplace_app.packaging.label import Print
from marketplace_app.packaging.svg import (
    circle,
    d,
    ellipse,
    frame,
    linear_gradient,
    opaque,
    path,
    rect,
    shade,
    stroke,
    tag,
)

WIDTH, HEIGHT, FLOOR = 960, 1200, 1000
CX = WIDTH / 2

ROUNDED = linear_gradient(
    "round",
    [
        (0, "#000", 0.6),
        (0.08, "#000", 0.3),
        (0.24, "#fff", 0.2),
        (0.4, "#fff", 0),
        (0.66, "#000", 0.1),
        (1, "#000", 0.5),
    ],
)
"""Light and shade on a cylinder, drawn over its label."""
METAL = linear_gradient(
    "metal", opaque((0, "#77736a"), (0.14, "#c4bfb1"), (0.28, "#f6f2e6"), (0.6, "#97927f"), (1, "#7b7769"))
)
BLACK = linear_gradient(
    "black", opaque((0, "#0c0c0b"), (0.14, "#33322f"), (0.27, "#5a5852"), (0.4, "#2a2926"), (1, "#0b0b0a"))
)
CORK = linear_gradient("cork", opaque((0, "#6b4726"), (0.3, "#d0a26c"), (0.55, "#b07f4d"), (1, "#5a3b1e")))
AMBER = linear_gradient(
    "glass", opaque((0, "#2c1506"), (0.08, "#8a4a12"), (0.14, "#c4761f"), (0.3, "#6d370d"), (1, "#34190a"))
)
PAPER = linear_gradient("paper", opaque((0, "#b9b09a"), (0.3, "#fffdf4"), (0.7, "#dcd3be"), (1, "#a0967e")))

Pack = Callable[[Print], str]


def _shadow(half_width: float) -> str:
    return ellipse(CX + 26, FLOOR + 8, half_width * 1.22, half_width * 0.13 + 10, "url(#shadow)")


def _cylinder(x: float, top: float, r: float, height: float, sag: float) -> str:
    """The outline of a cylinder seen from slightly above, so that the front of its edges sags by so much."""
    lower = ("A", r, sag, "0 0 0", x + r, top + height)
    return d("M", x - r, top, "V", top + height, *lower, "V", top, "A", r, sag, "0 0 1", x - r, top, "Z")


def _label(p: Print, top: float, r: float, height: float, sag: float) -> str:
    return _wrapped_label(p.draw_label(r * 2, height + sag, r * 1.72), CX, top, r, height, sag)


def _wrapped_label(drawn: str, cx: float, top: float, r: float, height: float, sag: float) -> str:
    """The visible part of a label around a cylinder, with light and shade over it.

    `drawn` is the label laid flat, `r * 2` wide and `height + sag` high.
    """
    outline = _cylinder(cx, top, r, height, sag)
    front = tag("g", drawn, transform=f"translate({cx - r:.0f} {top:.0f})")
    clip = tag("clipPath", path(outline, "#000"), id="label")
    return clip + tag("g", front, clip_path="url(#label)") + path(outline, "url(#round)")


def _larger(art: str, times: float) -> str:
    """Scaled from the point where it stands on the floor."""
    return tag("g", art, transform=f"translate({CX:.0f} {FLOOR}) scale({times}) translate({-CX:.0f} {-FLOOR})")


def _lid(top: float, r: float, height: float, material: str, rim: str) -> str:
    return path(_cylinder(CX, top, r, height, r * 0.08), f"url(#{material})") + ellipse(CX, top, r, r * 0.08, rim)


def jar(p: Print) -> str:
    r, top, base = 262, 440, FLOOR - 14
    glass = d(
        *("M", CX - r * 0.8, top - 40, "C", CX - r * 0.8, top, CX - r, top, CX - r, top + 66, "V", base - 44),
        *("Q", CX - r, base + 10, CX - r * 0.7, base + 14, "Q", CX, base + 26, CX + r * 0.7, base + 14),
        *("Q", CX + r, base + 10, CX + r, base - 44, "V", top + 66),
        *("C", CX + r, top, CX + r * 0.8, top, CX + r * 0.8, top - 40, "Z"),
    )
    art = AMBER + BLACK + ROUNDED + _shadow(r) + path(glass, "url(#glass)") + _label(p, top + 76, r, 400, 26)
    shine = stroke(d("M", CX - r * 0.86, top + 40, "V", base - 60), "#fff", 12, opacity=0.3, stroke_linecap="round")
    return _larger(art + shine + _lid(top - 140, r * 0.88, 116, "black", "#3a3833"), 1.1)


def bottle(p: Print) -> str:
    r, top, base = 204, 470, FLOOR - 10
    glass = d(
        *("M", CX - 66, top - 70, "V", top - 30, "C", CX - 66, top + 10, CX - r, top + 10, CX - r, top + 84),
        *("V", base - 30, "Q", CX - r, base + 8, CX - r * 0.7, base + 10, "Q", CX, base + 22, CX + r * 0.7, base + 10),
        *("Q", CX + r, base + 8, CX + r, base - 30, "V", top + 84, "C", CX + r, top + 10, CX + 66, top + 10, CX + 66),
        *(top - 30, "V", top - 70, "Z"),
    )
    bulb = d("M", CX - 38, 330, "V", 240, "C", CX - 38, 170, CX + 38, 170, CX + 38, 240, "V", 330, "Z")
    art = AMBER + BLACK + ROUNDED + _shadow(r) + path(glass, "url(#glass)") + _label(p, top + 104, r, 370, 18)
    return _larger(art + path(bulb, "url(#black)") + _lid(322, 84, 88, "black", "#3a3833"), 1.16)


def pouch(p: Print) -> str:
    x, y, w, h = CX - 285, 210, 570, 790
    outline = d(
        *("M", x + 8, y, "H", x + w - 8, "Q", x + w - 2, y + h * 0.3, x + w, y + h * 0.62),
        *("Q", x + w + 6, y + h - 20, x + w - 34, y + h, "Q", CX, y + h + 18, x + 34, y + h),
        *("Q", x - 6, y + h - 20, x, y + h * 0.62, "Q", x + 2, y + h * 0.3, x + 8, y, "Z"),
    )
    light = linear_gradient(
        "fold", [(0, "#000", 0.4), (0.1, "#fff", 0.25), (0.3, "#fff", 0.04), (0.8, "#000", 0.1), (1, "#000", 0.4)]
    )
    clip = tag("clipPath", path(outline, "#000"), id="bag")
    front = frame(p.draw_label(w, h - 130, w * 0.94), x, y + 112, w, h - 130)
    top = rect(x, y, w, 112, p.palette.pack) + "".join(
        stroke(d("M", x, y + line, "H", x + w), "#fff", 2, opacity=0.22) for line in (22, 34, 46, 88, 96)
    )
    foot = rect(x, y + h - 18, w, 40, p.palette.pack)
    inside = tag("g", front + top + foot, clip_path="url(#bag)")
    return light + _shadow(270) + clip + inside + path(outline, "url(#fold)") + circle(CX, y + 66, 13, "#00000066")


def tube(p: Print) -> str:
    r, top, height, sag, cx = 138, 280, 706, 18, CX - 96
    cork = path(_cylinder(cx, 180, r * 0.84, 120, 12), "url(#cork)") + ellipse(cx, 180, r * 0.84, 12, "#d9b183")
    roll = d("M", 664, 980, "L", 736, 400, "Q", 758, 384, 776, 404, "L", 726, 986, "Q", 694, 1000, 664, 980, "Z")
    tip = d("M", 664, 980, "L", 683, 830, "L", 740, 836, "L", 726, 986, "Q", 694, 1000, 664, 980, "Z")
    art = CORK + ROUNDED + PAPER + ellipse(CX + 14, FLOOR + 8, 330, 42, "url(#shadow)") + cork
    art += _wrapped_label(label.upright(p, r * 2, height + sag, r * 1.7), cx, top, r, height, sag)
    return art + path(roll, "url(#paper)") + path(tip, p.palette.accent)


def blister(p: Print) -> str:
    x, y, w, h = CX - 290, 190, 580, 810
    edge = p.palette.accent
    art = (
        METAL
        + _shadow(280)
        + rect(x, y, w, h, shade(edge, -0.1), rx=34)
        + rect(x + 12, y + 12, w - 24, h - 24, edge, rx=26)
    )
    art += rect(CX - 60, y + 34, 120, 26, shade(edge, -0.45), rx=13)
    front = frame(p.draw_label(340, h - 140, 330), x + 34, y + 96, 340, h - 140)
    window = rect(x + 396, y + 96, 150, h - 140, shade(edge, -0.35), rx=20)
    cx = x + 471
    pen = rect(cx - 22, y + 190, 44, 150, "url(#metal)", rx=14) + rect(cx - 30, y + 340, 60, 190, "#e0a33e", rx=8)
    pen += rect(cx - 18, y + 352, 12, 166, "#fff", rx=6, opacity=0.45) + rect(
        cx - 30, y + 530, 60, 90, "url(#metal)", rx=6
    )
    glare = path(d("M", x + 404, y + 110, "h", 46, "L", x + 404, y + 420, "Z"), "#fff", opacity=0.16)
    return art + front + window + pen + glare


def tin(p: Print) -> str:
    r, cy = 322, 640
    clip = tag("clipPath", circle(CX, cy, r - 26, "#000"), id="label")
    side = (r - 26) * 2
    front = frame(p.draw_label(side, side, side * 0.86), CX - r + 26, cy - r + 26, side, side)
    art = METAL + _shadow(300) + circle(CX + 12, cy + 14, r, "#6d695e") + circle(CX, cy, r, "url(#metal)")
    art += clip + tag("g", front, clip_path="url(#label)")
    return art + circle(CX, cy, r - 26, "none", stroke="#000", stroke_width=5, stroke_opacity=0.25)


def carton(p: Print) -> str:
    x, y, w, h, deep = CX - 280, 250, 450, 750, 120
    side = d("M", x + w, y, "L", x + w + deep, y - 34, "V", y + h - 60, "L", x + w, y + h, "Z")
    lid = d("M", x, y, "L", x + deep, y - 34, "H", x + w + deep, "L", x + w, y, "Z")
    art = _shadow(300) + path(side, shade(p.palette.pack, -0.2)) + path(lid, shade(p.palette.pack, 0.2))
    art += frame(p.draw_label(w, h, w), x, y, w, h)
    return art + path(side, "#000", opacity=0.12) + stroke(d("M", x + w, y, "V", y + h), "#fff", 3, opacity=0.35)
