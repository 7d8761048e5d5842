"""Loose sweets that lie in front of their pack."""

import random

from marketplace_app.packaging.svg import (
    circle,
    d,
    decimal,
    ellipse,
    group,
    linear_gradient,
    opaque,
    path,
    radial_gradient,
    rect,
    shade,
)

SWEETS = (
    radial_gradient("jelly", [(0, "#fff", 0.45), (1, "#000", 0.28)], 0.3, 0.25, 0.9)
    + radial_gradient("toffee", opaque((0, "#e0a866"), (0.6, "#b87333"), (1, "#7d4718")), 0.3, 0.25, 0.95)
    + radial_gradient("cocoa", opaque((0, "#7a4d33"), (0.6, "#4f2d1c"), (1, "#331a0f")), 0.3, 0.2, 0.95)
    + radial_gradient("mint", opaque((0, "#ffffff"), (0.7, "#ece8dc"), (1, "#c4bda9")), 0.35, 0.25, 0.9)
    + linear_gradient("bevel", [(0, "#fff", 0.3), (1, "#000", 0.3)], down=True)
)


def lying(x: float, y: float, size: float, turn: float, body: str) -> str:
    ground = ellipse(8, size * 0.52, size * 0.62, size * 0.13, "#1b130a", opacity=0.45, filter="url(#b4)")
    return group(ground + group(body, transform=f"rotate({decimal(turn)})"), transform=f"translate({x} {y})")


def gummy(x: float, y: float, size: float, turn: float, tone: str) -> str:
    """A sugared cube of fruit jelly."""
    dice, half = random.Random(turn), size / 2
    square = {"x": -half, "y": -half, "width": size, "height": size, "rx": size * 0.2}
    body = rect(fill=tone, **square) + rect(fill="url(#jelly)", **square)
    for _ in range(150):
        at = dice.uniform(-0.46, 0.46) * size, dice.uniform(-0.46, 0.46) * size
        body += circle(*at, dice.uniform(0.8, 2.2), "#fff", opacity=0.6)
    shine = (-size * 0.4, -size * 0.4, size * 0.52, size * 0.16)
    body += rect(*shine, "#fff", rx=size * 0.08, opacity=0.5, filter="url(#b2)")
    return lying(x, y, size, turn, body)


def caramel(x: float, y: float, size: float, turn: float) -> str:
    """A cut caramel with flakes of salt."""
    dice, half = random.Random(turn), size / 2
    body = rect(-half, -half, size, size, "url(#toffee)", rx=size * 0.1)
    body += rect(-half, -half, size, size * 0.2, "#fff", rx=size * 0.08, opacity=0.22)
    for _ in range(13):
        a, b, s = dice.uniform(-0.4, 0.4) * size, dice.uniform(-0.42, 0.1) * size, dice.uniform(4, 8)
        body += path(
            d("M", a, b, "l", s, -s * 0.4, "l", s * 0.5, s * 0.8, "l", -s, s * 0.4, "Z"), "#fffaf0", opacity=0.85
        )
    return lying(x, y, size, turn, body)


def chocolate(x: float, y: float, size: float, turn: float, inlay: str | None = None) -> str:
    """A broken piece of a bar: four squares with bevelled edges. `inlay` colours what was stirred in."""
    dice, body = random.Random(turn), ""
    for row in range(2):
        for col in range(2):
            at = (col - 1) * size * 0.5, (row - 1) * size * 0.5
            body += rect(*at, size * 0.49, size * 0.49, "url(#cocoa)", rx=4)
            inner = (at[0] + size * 0.06, at[1] + size * 0.06, size * 0.37, size * 0.37)
            body += rect(*inner, "#6a4029", rx=3) + rect(*inner, "url(#bevel)", rx=3, opacity=0.55)
    for _ in range(12 if inlay else 0):
        a, b, s = dice.uniform(-0.42, 0.38) * size, dice.uniform(-0.42, 0.38) * size, dice.uniform(6, 12)
        body += path(d("M", a, b, "l", s, -s * 0.5, "l", s * 0.4, s * 0.7, "l", -s * 0.8, s * 0.5, "Z"), inlay or "")
    return lying(x, y, size, turn, body)


def drop(x: float, y: float, rx: float, tone: str | None = None) -> str:
    """A pressed mint or pastille, seen from the side; `tone` tints it."""
    ry = rx * 0.46
    art = ellipse(x + 5, y + ry * 1.3, rx * 1.05, ry * 0.5, "#1b130a", opacity=0.4, filter="url(#b4)")
    edge = d("M", x - rx, y, "v", ry * 0.55, "a", rx, ry, "0 0 0", rx * 2, 0, "v", -ry * 0.55, "Z")
    art += path(edge, shade(tone or "#d5cfbf", -0.25 if tone else -0.12)) + ellipse(x, y, rx, ry, tone or "url(#mint)")
    return art + ellipse(x - rx * 0.2, y - ry * 0.15, rx * 0.5, ry * 0.4, "#fff", opacity=0.4, filter="url(#b2)")
