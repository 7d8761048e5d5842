"""Fourteen patterns, one for each flavor.

Each fills a field of `w` x `h`. All sizes are multiples of `u`, so that a pattern suits both a narrow strip and a whole
front: `u` is usually the height of the field, and less on tall fronts. `p` is the palette, and `r` the random generator
of what varies from product to product.
"""

import math
import random
from collections.abc import Callable, Iterator

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import circle, d, decimal, ellipse, group, leaf, path, polygon, rect, stroke

from .catalogue import Product

Draw = Callable[[float, float, float, Palette, random.Random], str]


def lattice(w: float, h: float, dx: float, dy: float, shift: float = 0.5) -> Iterator[tuple[int, int, float, float]]:
    """Points that cover the field with a margin; odd rows are shifted. Centred, so that labels look composed."""
    columns, rows = math.ceil(w / dx / 2) + 1, math.ceil(h / dy / 2) + 1
    for row in range(-rows, rows + 1):
        for col in range(-columns, columns + 1):
            yield row, col, w / 2 + (col + shift * (row % 2)) * dx, h / 2 + row * dy


def fern(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Pine: fronds side by side, in tiers where the field is tall."""
    art, step = "", u * 0.3
    tiers = max(1, round(h / u))
    columns = math.ceil(w / step) + 1
    for tier in range(tiers):
        base = h * (tier + 1) / tiers + u * 0.04
        for i in range(columns):
            x = w / 2 + (i - columns / 2 + 0.5 * (tier % 2)) * step
            top = base - (h / tiers) * r.uniform(0.84, 1.0)
            tone = (p.accent, p.ink, p.accent, p.second_accent)[(i + tier) % 4]
            bend = (-1) ** i * step * 0.2
            art += stroke(d("M", x, base, "Q", x + bend, (base + top) / 2, x, top), tone, max(1.6, u * 0.009))
            for k in range(16):
                t = k / 16
                size = step * 0.58 * (1 - t * 0.72)
                at = x + bend * 2 * t * (1 - t), base + (top - base) * t
                art += "".join(leaf(*at, size, size * 0.34, side * (58 - 14 * t), tone) for side in (-1, 1))
    return art


def contour(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Earthy: the lines of a hilly map."""
    bumps = [(r.uniform(0.1, 0.9), r.uniform(0.05, 0.12), r.uniform(0.3, 0.75)) for _ in range(7)]
    art, pitch = "", u * 0.066
    for row in range(-3, math.ceil(h / pitch) + 5):
        points = []
        for i in range(101):
            at = i / 100
            lift = sum(a * math.exp(-(((at - c + 0.012 * row * math.sin(c * 20)) / s) ** 2)) for c, s, a in bumps)
            points.append((w * at, row * pitch + u * 0.26 - u * 0.22 * lift))
        fill = p.accent if row % 5 == 0 else p.second_accent if row % 5 == 3 else p.paper
        art += path(
            polygon([*points, (w, h * 1.6), (0, h * 1.6)]), fill, stroke=p.ink, stroke_width=max(1.4, u * 0.007)
        )
    return art


def seeds(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Berry: drupelets in a spiral of the golden angle."""
    art, golden, pitch = "", math.pi * (3 - math.sqrt(5)), u * 0.046
    for k in range(1, min(4200, int((math.hypot(w, h) * 0.56 / pitch) ** 2))):
        reach, turn = math.sqrt(k) * pitch, k * golden
        x, y = w / 2 + reach * math.cos(turn), h * 0.54 + reach * math.sin(turn)
        if -u * 0.05 < x < w + u * 0.05 and -u * 0.05 < y < h + u * 0.05:
            tone = p.second_accent if k % 8 == 0 else p.accent if k % 3 else p.ink
            art += circle(x, y, u * (0.008 + min(math.sqrt(k), 22) * 0.00105), tone)
    return art


def slices(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Citrus: cut fruit."""
    art, step = "", u * 0.36
    for row, col, x, y in lattice(w, h, step, step * 0.88):
        size, tone, turn = step * 0.46, (p.accent, p.second_accent)[(row + col) % 2], r.uniform(0, 60)
        art += circle(x, y, size, tone) + circle(x, y, size * 0.86, p.paper)
        for k in range(8):
            a, b = math.radians(turn + k * 45 + 4), math.radians(turn + k * 45 + 41)
            middle = (a + b) / 2
            points = [(0.12, middle), (0.77, a), (0.8, middle), (0.77, b)]
            outline = polygon([(x + size * q * math.cos(t), y + size * q * math.sin(t)) for q, t in points])
            art += path(outline, tone, stroke=tone, stroke_width=size * 0.05, stroke_linejoin="round")
    return art


def leaves(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Mint: pairs of leaves that close into circles."""
    art, step = "", u / 4
    for row, col, x, y in lattice(w, h, step, step, shift=0):
        tone = p.second_accent if (row * 3 + col * 5) % 7 == 0 else p.ink if (row + col * 2) % 5 == 0 else p.accent
        ends = (x, y, x + step, y + step) if (row + col) % 2 else (x + step, y, x, y + step)
        bow = ("A", step, step, "0 0 1")
        art += path(d("M", *ends[:2], *bow, *ends[2:], *bow, *ends[:2], "Z"), tone)
        art += stroke(d("M", *ends[:2], "L", *ends[2:]), p.paper, max(1.4, u * 0.007))
    return art


def petals(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Floral: open flowers of seven petals."""
    art, step = "", u * 0.42
    for row, col, x, y in lattice(w, h, step, step * 0.8):
        tone, turn = (p.accent, p.second_accent, p.ink)[(row + col * 2) % 3], r.uniform(0, 50)
        for k in range(7):
            art += leaf(x, y, step * 0.48, step * 0.26, turn + k * 360 / 7, tone, fill_opacity=0.92)
        art += circle(x, y, step * 0.07, p.paper)
    return art


def scallops(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Vanilla: overlapping scales."""
    art, size = "", u * 0.2
    for row, _, x, y in lattice(w, h + size, size * 2, size * 0.5):
        middle = p.second_accent if row % 3 == 0 else p.accent
        for share, tone in (
            (1, p.paper),
            (0.93, p.accent),
            (0.74, p.paper),
            (0.66, middle),
            (0.46, p.paper),
            (0.38, p.ink),
        ):
            art += circle(x, y, size * share, tone)
    return art


def rays(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Diesel: a low sun at the end of the road."""
    art, count, far = "", 44, math.hypot(w, h)
    for k in range(count):
        a, b = math.pi * (1 + k / count), math.pi * (1 + (k + 0.56) / count)
        ends = [(w / 2 + far * math.cos(t), h + far * math.sin(t)) for t in (a, b)]
        art += path(polygon([(w / 2, h), *ends]), (p.accent, p.second_accent, p.accent, p.ink)[k % 4])
    return art + circle(w / 2, h, u * 0.42, p.paper) + circle(w / 2, h, u * 0.34, p.second_accent)


def fans(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Tropical: fan palms, the nearer ones over the farther."""
    art, step = "", u * 0.46
    for row, col, x, y in lattice(w, h + step, step, step * 0.5):
        tone = (p.accent, p.ink, p.second_accent)[(row + col * 2) % 3]
        foot = y + step * 0.42
        for k in range(-5, 6):
            size = step * (0.62 - 0.018 * k * k * 0.5)
            art += leaf(x, foot, size, step * 0.12, k * 15, tone, stroke=p.paper, stroke_width=max(1.2, u * 0.007))
        art += circle(x, foot, step * 0.045, p.paper)
    return art


def honeycomb(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Sweet: cells of a comb, some of them full."""
    art, size = "", u * 0.125
    corners = [(math.sin(math.radians(60 * k)), math.cos(math.radians(60 * k))) for k in range(6)]

    def cell(x: float, y: float, share: float, tone: str) -> str:
        return path(polygon([(x + size * share * a, y + size * share * b) for a, b in corners]), tone)

    for row, col, x, y in lattice(w, h, size * math.sqrt(3), size * 1.5):
        tone = (p.accent, p.accent, p.second_accent, p.ink, p.accent)[(row * 2 + col * 3) % 5]
        art += cell(x, y, 0.93, tone)
        if (row + col * 2) % 3 == 0:
            art += cell(x, y, 0.66, p.paper) + cell(x, y, 0.44, tone)
    return art


def orchard(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Fruity: halved pears, every other one upside down."""
    art, step = "", u * 0.33
    skin = "M0-50C13-50 15-34 19-18C25-2 39 6 39 26C39 44 22 50 0 50"
    skin += "C-22 50-39 44-39 26C-39 6-25-2-19-18C-15-34-13-50 0-50Z"
    core = "M0 2C9 10 13 18 11 26C9 34 4 36 0 36C-4 36-9 34-11 26C-13 18-9 10 0 2Z"
    for row, col, x, y in lattice(w, h, step, step * 1.12):
        tone = (p.accent, p.second_accent, p.accent, p.ink)[(col + row * 2) % 4]
        fruit = path(skin, tone) + path(skin, p.paper, transform="translate(0 1.5) scale(.84)") + path(core, tone)
        fruit += ellipse(-3.6, 26, 2.6, 5.4, p.paper) + ellipse(3.6, 26, 2.6, 5.4, p.paper)
        fruit += stroke("M0-50Q1-58 6-63", p.ink, 3.4, stroke_linecap="round")
        turn = 180 * ((row + col) % 2)
        size = step / 104
        art += group(fruit, transform=f"translate({decimal(x)} {decimal(y)}) rotate({turn}) scale({size:.4f})")
    return art


def anise(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Spicy: star anise and peppercorns."""
    art, step = "", u * 0.44
    for row, col, x, y in lattice(w, h, step, step * 0.82):
        tone, turn = (p.accent, p.ink, p.second_accent)[(row + col) % 3], r.uniform(0, 45)
        for k in range(8):
            angle = turn + k * 45
            art += leaf(x, y, step * 0.47, step * 0.17, angle, tone)
            lean = math.radians(angle)
            seed = x + step * 0.27 * math.sin(lean), y - step * 0.27 * math.cos(lean)
            spin = f"rotate({decimal(angle)} {decimal(seed[0])} {decimal(seed[1])})"
            art += ellipse(*seed, step * 0.03, step * 0.055, p.paper, transform=spin)
        art += circle(x, y, step * 0.05, p.paper)
        art += circle(
            x + step / 2, y - step * 0.04, step * 0.055, p.second_accent if tone != p.second_accent else p.accent
        )
        art += circle(x + step / 2, y + step * 0.13, step * 0.035, p.ink)
    return art


def chevrons(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Skunky: broad zigzag stripes with two thin ones between, like the animal's coat."""
    art, step, pitch = "", u * 0.24, u * 0.26
    columns = math.ceil(w / step / 2) + 1
    for row in range(-2, math.ceil(h / pitch) + 2):
        line = [(w / 2 + k * step, row * pitch + (k % 2) * step * 0.72) for k in range(-columns, columns + 1)]
        for offset, thick, tone in (
            (0, 0.3, (p.ink, p.accent)[row % 2]),
            (0.42, 0.06, p.second_accent),
            (0.56, 0.06, p.accent),
        ):
            upper = [(x, y + offset * pitch) for x, y in line]
            lower = [(x, y + (offset + thick) * pitch) for x, y in reversed(line)]
            art += path(polygon([*upper, *lower]), tone)
    return art


def rings(w: float, h: float, u: float, p: Palette, r: random.Random) -> str:
    """Woody: the growth rings of a cut trunk."""
    waves = [(k, r.uniform(0.012, 0.035), r.uniform(0, math.tau)) for k in (2, 3, 5, 7)]
    art, pitch, cx, cy = "", u * 0.062, w / 2, h * 0.58
    for ring in range(int(math.hypot(w, h) * 0.6 / pitch), 0, -1):
        reach = ring * pitch * (1 + 0.06 * math.sin(ring * 1.7))
        points = []
        for k in range(72):
            turn = math.tau * k / 72
            wobble = 1 + sum(size * math.sin(n * turn + at + ring * 0.05) for n, size, at in waves)
            points.append((cx + 1.25 * reach * wobble * math.cos(turn), cy + reach * wobble * math.sin(turn)))
        fill = p.accent if ring % 6 == 0 else p.second_accent if ring % 6 == 3 else p.paper
        art += path(polygon(points), fill, stroke=p.ink, stroke_width=max(1.3, u * (0.005 + 0.004 * (ring % 3))))
    return art


MOTIFS: dict[str, Draw] = {
    "Pine": fern,
    "Earthy": contour,
    "Berry": seeds,
    "Citrus": slices,
    "Mint": leaves,
    "Floral": petals,
    "Vanilla": scallops,
    "Diesel": rays,
    "Tropical": fans,
    "Sweet": honeycomb,
    "Fruity": orchard,
    "Spicy": anise,
    "Skunky": chevrons,
    "Woody": rings,
}


def motif(product: Product, p: Palette, w: float, h: float, u: float | None = None) -> str:
    draw = MOTIFS.get(product.flavor, leaves)
    return rect(0, 0, w, h, p.paper) + draw(w, h, u or h, p, product.seeded_random("motif"))
