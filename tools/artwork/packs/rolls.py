"""Pre-rolls: a corked tube or a clear vial for one, a flat tin or a slide box for a set."""

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import (
    d,
    decimal,
    ellipse,
    frame,
    group,
    linear_gradient,
    path,
    rect,
    shade,
    stroke,
    tag,
)

from ..catalogue import Product
from ..labels import draw_label
from .stage import FLOOR, STEEL_RIM, can, lid, shadow, wrapped


def cone(x: float, y: float, length: float, angle: float, tip: str, width: float = 1.0) -> str:
    """A pre-roll standing on its filter, with a twisted crown. `tip` is the filter's colour."""
    n = -length
    crown = d(
        "M -30",
        n,
        "Q -20",
        n - 34,
        -5,
        n - 46,
        "Q 2",
        n - 82,
        7,
        n - 46,
        "Q 22",
        n - 34,
        30,
        n,
        "Q 0",
        n - 10,
        -30,
        n,
        "Z",
    )
    body = path(d("M -19 0 L -30", n, "Q 0", n - 10, 30, n, "L 19 0 Z"), "url(#paper)") + path(crown, "url(#paper)")
    twist = d("M -22", n + 2, "Q -4", n - 24, 2, n - 54, "M 12", n - 2, "Q 8", n - 24, 4, n - 50)
    body += stroke(twist, "#8b7f66", 2, opacity=0.6)
    filter_ = d("M -19 0 L -22.4 -120 Q 0 -113 22.4 -120 L 19 0 Q 0 8 -19 0 Z")
    body += path(filter_, tip) + path(filter_, "url(#cyl)", opacity=0.6)
    body += stroke(d("M -21 -132 Q 0 -125 21.5 -132"), tip, 5)
    place = f"translate({decimal(x)} {decimal(y)}) rotate({decimal(angle)}) scale({decimal(width)} 1)"
    return group(body, transform=place)


def leaning(p: Palette, x: float, y: float, length: float, angle: float) -> str:
    """A roll that leans on its pack, with the shadow it throws on the floor."""
    cast = d("M", x - 8, y + 2, "L", x + 72, y, "L", x + 252, y - 78, "L", x + 12, y - 64, "Z")
    dark = path(cast, p.ink, filter="url(#b26)") + ellipse(x + 4, y + 2, 42, 9, p.ink, filter="url(#b4)")
    return group(dark, opacity=0.55) + cone(x, y, length, angle, p.accent)


def cork(product: Product, cx: float, top: float, r: float, bottom: float) -> str:
    dice = product.seeded_random("cork")
    art = can(cx, top, r, bottom - top, 10, "url(#wood)")
    for k in range(46):
        at = cx + dice.uniform(-0.88, 0.88) * r, top + dice.uniform(12, bottom - top - 4)
        art += ellipse(*at, 2 + k % 3, 1.6, "#5c3d1d", opacity=0.5)
    return art + ellipse(cx, top, r, 11, "url(#wood-top)")


def tube(product: Product, p: Palette, label: str) -> tuple[str, str]:
    cx, r, top, base, sag = 372, 108, 330, FLOOR - 6, 13
    h = base - top
    art = shadow(cx, base, r, 560, p) + wrapped(label, cx, top, r, h, sag, 0.8)
    front, back = ("A", r, sag, "0 0 0", cx + r, top), ("A", r, sag, "0 0 0", cx - r, top)
    art += path(d("M", cx - r, top, *front, *back, "Z"), "#000", opacity=0.28)
    art += stroke(d("M", cx - r, top, *front), "#fff", 3, stroke_opacity=0.4)
    art += cork(product, cx, top - 96, r * 0.8, top + 4)
    return "", art + leaning(p, 628, base + 34, 452, -17)


def vial(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """Clear glass: the roll stands inside, the label covers the lower part."""
    cx, r, top, base, sag = 470, 112, 300, FLOOR - 6, 14
    h, ly = base - top, 560
    pane = [
        (0, "#000", 0.4),
        (0.05, "#fff", 0.5),
        (0.14, "#fff", 0.1),
        (0.5, "#fff", 0.05),
        (0.86, "#fff", 0.16),
        (0.94, "#fff", 0.5),
        (1, "#000", 0.34),
    ]
    defs = linear_gradient("pane", pane)
    art = shadow(cx, base, r, 520, p) + can(cx, top, r, h, sag, shade(p.wall, -0.3), opacity=0.3)
    art += cone(cx, base - 40, 530, 2.2, p.accent, 1.25) + can(cx, top, r, h, sag, "url(#pane)")
    art += wrapped(label, cx, ly, r, base - ly - 16, sag, 0.74)
    art += stroke(d("M", cx - r * 0.72, top + 30, "V", ly - 6), "#fff", 12, opacity=0.5, filter="url(#b2)")
    return defs, art + lid(
        cx, top - 92, r * 1.04, 104, 14, product.seeded_random("cap").choice(("black", "brass", "wood"))
    )


def flat_tin(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """A tin the size of a pocket book, upright, with two of its rolls."""
    x, w, top, base = 196, 436, 330, FLOOR - 4
    h = base - top
    defs = STEEL_RIM + linear_gradient("sheen", [(0, "#fff", 0.3), (0.4, "#fff", 0.02), (1, "#000", 0.16)], down=True)
    inset = 20
    face = (x + inset, top + inset, w - 2 * inset, h - 2 * inset)
    defs += tag("clipPath", rect(*face, "#000", rx=26), id="face")
    art = shadow(x + w / 2 + 10, base, w * 0.52, 520, p)
    art += rect(x + 16, top + 4, w, h - 6, "#59554b", rx=44) + rect(x, top, w, h, "url(#rim)", rx=44)
    art += rect(x + 11, top + 11, w - 22, h - 22, "#8d8778", rx=34)
    print_ = frame(draw_label(product, face[2], face[3]), *face) + rect(*face, "url(#sheen)")
    art += tag("g", print_, clip_path="url(#face)")
    art += rect(*face, "none", rx=26, stroke="#000", stroke_width=6, stroke_opacity=0.2)
    for y in (top + h * 0.24, top + h * 0.66):
        art += rect(x - 9, y, 16, 62, "url(#metal)", rx=4)
    return defs, art + leaning(p, 806, base + 14, 400, -14) + leaning(p, 724, base + 42, 400, -9)


def slide_box(product: Product, p: Palette, label: str) -> tuple[str, str]:
    """A sleeve with an inner tray pushed up, so that the tips of the rolls show."""
    x, w, top, base, depth = 214, 420, 424, FLOOR - 4, 76
    h, right = base - top, x + w
    defs = linear_gradient("front", [(0, "#fff", 0.16), (0.5, "#fff", 0), (1, "#000", 0.1)])
    defs += linear_gradient("side", [(0, "#000", 0.34), (1, "#000", 0.52)])
    art = shadow(x + w / 2 + 40, base - 4, w * 0.6, 520, p)
    tray = top - 96
    art += path(d("M", x + 8, top, "V", tray - 22, "H", right + depth - 8, "V", top - 20, "Z"), shade(p.paper, -0.42))
    for k in range(5):
        cx = x + 58 + k * (w - 66) / 4.4
        art += rect(cx - 31, tray - 64, 62, 190, p.accent, rx=6) + rect(
            cx - 31, tray - 64, 62, 190, "url(#cyl)", rx=6, opacity=0.75
        )
        art += ellipse(cx, tray - 62, 31, 9, shade(p.accent, -0.25)) + ellipse(cx, tray - 62, 22, 5.5, "#efe6d0")
        art += rect(cx - 31, tray + 4, 62, 7, p.second_accent, opacity=0.9)
    art += path(
        d("M", x + 8, top, "V", tray + 26, "Q", x + w / 2, tray + 66, right - 6, tray + 26, "V", top, "Z"),
        shade(p.paper, -0.08),
    )
    art += path(
        d("M", right - 6, tray + 26, "L", right + depth - 10, tray + 4, "V", top - 20, "L", right - 6, top, "Z"),
        shade(p.paper, -0.36),
    )
    edge = d("M", right, top, "L", right + depth, top - 22, "V", base - 28, "L", right, base, "Z")
    art += path(edge, p.accent) + path(edge, "url(#side)")
    art += rect(x, top - 10, w, 14, "#000", opacity=0.4, filter="url(#b4)")
    art += frame(draw_label(product, w, h), x, top, w, h) + rect(x, top, w, h, "url(#front)")
    art += stroke(d("M", right, top, "V", base), "#fff", 2, stroke_opacity=0.5)
    return defs, art
