"""What all packs share: the room they stand in, materials, shadows, and labels bent round a cylinder."""

import base64
import io
import math

import numpy as np
from PIL import Image

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import (
    d,
    ellipse,
    linear_gradient,
    opaque,
    path,
    radial_gradient,
    rect,
    shade,
    stroke,
    tag,
)

from ..catalogue import Product

W, H, FLOOR = 960, 1200, 1000

BLURS = "".join(
    tag("filter", tag("feGaussianBlur", stdDeviation=n), id=f"b{n}", x="-60%", y="-60%", width="220%", height="220%")
    for n in (2, 4, 10, 26)
)
CYLINDER = linear_gradient(
    "cyl",
    [
        (0, "#000", 0.62),
        (0.07, "#000", 0.34),
        (0.2, "#fff", 0.1),
        (0.3, "#fff", 0.2),
        (0.42, "#fff", 0),
        (0.66, "#000", 0.1),
        (0.88, "#000", 0.42),
        (0.96, "#000", 0.5),
        (1, "#000", 0.34),
    ],
)
METAL = linear_gradient(
    "metal",
    opaque(
        (0, "#77736a"),
        (0.1, "#b9b4a6"),
        (0.26, "#f6f2e6"),
        (0.4, "#c9c3b4"),
        (0.62, "#8d887b"),
        (0.86, "#5d594f"),
        (1, "#8b8678"),
    ),
)
BRASS = linear_gradient(
    "brass",
    opaque(
        (0, "#6d5423"),
        (0.1, "#b08f4a"),
        (0.26, "#f2dfa8"),
        (0.4, "#cfae66"),
        (0.62, "#94743a"),
        (0.86, "#5f4820"),
        (1, "#8a6d36"),
    ),
)
BLACK = linear_gradient(
    "black",
    opaque((0, "#0c0c0b"), (0.12, "#2c2c29"), (0.26, "#5a5852"), (0.36, "#2e2d2a"), (0.7, "#191917"), (1, "#0b0b0a")),
)
WOOD = linear_gradient(
    "wood",
    opaque((0, "#6b4726"), (0.14, "#9a6d40"), (0.3, "#d0a26c"), (0.5, "#b98853"), (0.8, "#80562f"), (1, "#5a3b1e")),
)
TOPS = (
    radial_gradient("black-top", opaque((0, "#4c4a45"), (1, "#1d1c1a")))
    + radial_gradient("wood-top", opaque((0, "#d8ae7a"), (1, "#96683a")))
    + radial_gradient("metal-top", opaque((0, "#f4f0e4"), (1, "#a09a8c")))
    + radial_gradient("brass-top", opaque((0, "#f0dca6"), (1, "#a98a4b")))
)
PAPER = linear_gradient(
    "paper", opaque((0, "#b9b09a"), (0.2, "#f6f1e2"), (0.42, "#fffdf4"), (0.72, "#d9d0ba"), (1, "#9c927b"))
)
MATERIALS = BLURS + CYLINDER + METAL + BRASS + BLACK + WOOD + TOPS + PAPER
STEEL_RIM = linear_gradient(
    "rim", opaque((0, "#f7f3e8"), (0.3, "#bdb7a8"), (0.55, "#efe9db"), (0.8, "#857f71"), (1, "#cfc8b8"))
)
"""Not part of `MATERIALS`: only tins use it, and add it to their definitions."""
RIMS = {"black": "#34322e", "wood": "#a87b4c", "metal": "#d8d2c4", "brass": "#d9bd7c"}


def draw_backdrop(product: Product, p: Palette) -> tuple[str, str]:
    """Definitions and picture of the wall and floor. Some walls have a niche or a stripe of window light."""
    wall = opaque((0, shade(p.wall, 0.1)), (0.75, p.wall), (1, shade(p.wall, -0.12)))
    floor = opaque((0, shade(p.floor, -0.08)), (0.25, p.floor), (1, shade(p.floor, 0.12)))
    defs = linear_gradient("wall", wall, down=True) + linear_gradient("floor", floor, down=True)
    defs += radial_gradient("sun", [(0, "#fff", 0.5), (1, "#fff", 0)], 0.28, 0.2, 0.75)
    art = rect(0, 0, W, H, "url(#wall)") + rect(0, 0, W, H, "url(#sun)")
    kind = product.seeded_random("room").choice(("plain", "niche", "light"))
    if kind == "niche":
        arch = d("M 150 900 V 520 C 150 300 290 190 480 190 C 670 190 810 300 810 520 V 900 Z")
        art += path(arch, shade(p.wall, -0.1), opacity=0.55)
        art += stroke(arch, shade(p.wall, -0.3), 10, opacity=0.25, filter="url(#b10)")
    elif kind == "light":
        beam = d("M 60 0 L 420 0 L 900 892 L 470 892 Z")
        bar = d("M 232 0 L 252 0 L 700 892 L 676 892 Z")
        art += path(beam, "#fff", opacity=0.2, filter="url(#b4)") + path(bar, p.wall, opacity=0.75, filter="url(#b4)")
    art += rect(0, 890, W, 400, "url(#floor)")
    art += rect(0, 886, W, 7, shade(p.wall, -0.22), opacity=0.35, filter="url(#b4)")
    return defs, art


def shadow(cx: float, y: float, rx: float, height: float, p: Palette) -> str:
    """A long soft shadow to the right and two close ones underneath."""
    dark = shade(p.ink, -0.2)
    cast = ("L", cx + rx * 1.2 + height * 0.5, y - 70, "L", cx + height * 0.42, y - 84, "Z")
    long = d("M", cx - rx * 0.7, y, "L", cx + rx * 0.9, y, *cast)
    art = path(long, dark, opacity=0.34, filter="url(#b26)")
    art += ellipse(cx + 12, y + 2, rx * 1.05, max(13, rx * 0.09), dark, opacity=0.5, filter="url(#b10)")
    return art + ellipse(cx + 3, y, rx * 0.97, max(6, rx * 0.045), dark, opacity=0.72, filter="url(#b4)")


def can(cx: float, top: float, r: float, h: float, sag: float, fill: str, **more: object) -> str:
    """A cylinder's silhouette: flat sides, elliptic top and bottom edge."""
    lower = ("A", r, sag, "0 0 0", cx + r, top + h)
    upper = ("A", r, sag, "0 0 1", cx - r, top)
    return path(d("M", cx - r, top, "V", top + h, *lower, "V", top, *upper, "Z"), fill, **more)


def lid(cx: float, top: float, r: float, h: float, sag: float, material: str, ribs: bool = True) -> str:
    art = can(cx, top, r, h, sag, f"url(#{material})")
    if ribs:
        for k in range(1, 40):
            turn = math.pi * (k / 40 - 0.5)
            at = d("M", cx + r * math.sin(turn), top + sag * math.cos(turn) + 5, "v", h - 7)
            art += stroke(at, "#000", max(1.1, 3.4 * math.cos(turn)), stroke_opacity=0.22)
    art += ellipse(cx, top, r, sag, RIMS[material])
    return art + ellipse(cx, top, r - 5, sag - 2.5, f"url(#{material}-top)")


def bend(flat: Image.Image, radius: int, height: int, sag: int, spread: float) -> str:
    """Wrap a flat label round a cylinder seen from slightly above.

    Returns a data URI of a picture that is two radii wide, and as high as `height` and `sag` together.

    `spread` is how much of the circumference, in radians, the flat label covers.
    """
    source = np.asarray(flat.convert("RGB"), dtype=np.float32)
    rows, columns = source.shape[:2]
    oversampling = 2
    oversampled_height = height * oversampling
    across = (np.arange(2 * radius) - radius + 0.5) / radius
    turn = np.arcsin(across)
    u = np.clip((turn / spread + 0.5) * (columns - 1), 0, columns - 2)
    below = np.arange(oversampled_height + sag * oversampling)[:, None] - (sag * oversampling * np.cos(turn))[None, :]
    inside = (below >= 0) & (below <= oversampled_height)
    v = np.clip(below / oversampled_height * (rows - 1), 0, rows - 2)
    left, upper = np.floor(u).astype(int)[None, :].repeat(len(below), 0), np.floor(v).astype(int)
    fu, fv = (u - np.floor(u))[None, :, None], (v - upper)[..., None]
    first = source[upper, left] * (1 - fu) + source[upper, left + 1] * fu
    second = source[upper + 1, left] * (1 - fu) + source[upper + 1, left + 1] * fu
    pixels = np.dstack([first * (1 - fv) + second * fv, inside * 255.0]).clip(0, 255).astype(np.uint8)
    image = Image.fromarray(pixels).resize((2 * radius, height + sag), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    image.save(data, "PNG")
    return "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()


def wrapped(label: str, cx: float, top: float, r: float, h: float, sag: float, shading: float) -> str:
    """A bent label in its place on the pack, with the light of the cylinder on it."""
    image = tag("image", href=label, x=cx - r, y=top, width=2 * r, height=h + sag)
    return image + can(cx, top, r, h, sag, "url(#cyl)", opacity=shading)
