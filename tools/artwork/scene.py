"""The room of the hero and of the social image: a green plaster wall, a shelf, products on it, evening light."""

import math
import random
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .catalogue import Product
from .packs import stage
from .pictures import photograph
from .renderer import Renderer

Array = np.ndarray
Point = tuple[float, float]


class Stand(NamedTuple):
    """Where a product stands: the height of its picture, its left edge and the line of its foot."""

    slug: str
    height: int
    x: int
    foot: int


def soft(mask: Image.Image, blur: float) -> Array:
    return np.asarray(mask.filter(ImageFilter.GaussianBlur(blur)), np.float32) / 255


def noise(w: int, h: int, scale: int) -> Array:
    dots = np.random.default_rng(scale).random((h // scale + 2, w // scale + 2)) * 255
    large = Image.fromarray(dots.astype(np.uint8)).resize((w, h), Image.Resampling.BICUBIC)
    return np.asarray(large, dtype=np.float32) / 255 - 0.5


def plaster(w: int, h: int, shelf: int) -> Array:
    """Wall and shelf with the grain of hand-laid plaster, darker toward the edges."""
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    grain = np.zeros((h, w), np.float32)
    for scale, strength in ((2, 0.020), (5, 0.016), (24, 0.03), (120, 0.07), (320, 0.10)):
        grain += noise(w, h, scale) * strength
    falloff = 1.05 - 0.30 * ((x - w * 0.7) / w) ** 2 - 0.22 * ((y - h * 0.44) / h) ** 2
    wall = np.array([38, 66, 50], np.float32) * (falloff + grain)[..., None]
    depth = np.clip((y - shelf) / (h - shelf), 0, 1)
    board = np.array([84, 92, 76], np.float32) * (0.62 + 0.5 * depth + grain * 1.1)[..., None]
    edge = np.clip((y - shelf + 1) / 2, 0, 1)[..., None]
    contact_shadow = 1 - 0.45 * np.exp(-(((y - shelf) / 9) ** 2)) * (y <= shelf)
    return (wall * (1 - edge) + board * edge) * contact_shadow[..., None]


def still_life(renderer: Renderer, base: Array, products: Iterable[Product], stands: Iterable[Stand]) -> Array:
    """The products on the shelf, the first one farthest back."""
    scene = Image.fromarray(base.clip(0, 255).astype(np.uint8)).convert("RGBA")
    by_slug = {product.slug: product for product in products}
    for stand in stands:
        image = photograph(renderer, by_slug[stand.slug], backdrop=False)
        image = image.resize((stand.height * 4 // 5, stand.height), Image.Resampling.LANCZOS)
        scene.alpha_composite(image, (stand.x, stand.foot - round(stand.height * stage.FLOOR / stage.H)))
    return np.asarray(scene.convert("RGB"), np.float32)


def in_light(scene: Array) -> tuple[Array, Array]:
    """The same scene twice: in the ambient light of the room, and in low sun."""
    ambient = scene * np.array([0.64, 0.69, 0.66], np.float32)
    gray = scene.mean(axis=2, keepdims=True)
    sunny = (scene * 0.66 + gray * 0.34) * np.array([2.3, 1.92, 1.42], np.float32) + np.array([22, 16, 6], np.float32)
    return ambient, 255 * (1 - np.exp(-sunny / 205))


def mix(ambient: Array, sunlit: Array, mask: Array) -> Array:
    """Sun where the mask is light, with a little of it scattered into the room."""
    h, w = mask.shape
    small = Image.fromarray((mask * 255).astype(np.uint8)).resize((w // 8, h // 8))
    wide = small.filter(ImageFilter.GaussianBlur(9)).resize((w, h), Image.Resampling.BICUBIC)
    glow = np.asarray(wide, np.float32)[..., None] / 255
    lit = mask[..., None]
    return ambient * (1 + 0.22 * glow) * (1 - lit) + sunlit * lit + glow * np.array([9, 7, 2], np.float32)


def window(w: int, h: int, x: float, width: float, lean: float = 92) -> Array:
    """An arched window thrown on the wall by low sun: skewed, with a mullion and two transoms."""
    mask = Image.new("L", (w, h))
    pen = ImageDraw.Draw(mask)

    def skew(u: float, v: float) -> Point:
        return x + u * width + v * lean, h * 0.042 + v * h * 0.972 + u * h * 0.086

    turns = [math.pi * k / 40 for k in range(41)]
    arch = [(0.5 - 0.5 * math.cos(turn), 0.34 - 0.34 * math.sin(turn)) for turn in turns]
    pen.polygon([skew(u, v) for u, v in [*arch, (1, 1.2), (0, 1.2)]], fill=255)
    for (u0, v0), (u1, v1) in (
        ((0.485, -0.1), (0.515, 1.2)),
        ((-0.1, 0.36), (1.1, 0.385)),
        ((-0.1, 0.80), (1.1, 0.825)),
    ):
        pen.polygon([skew(u0, v0), skew(u1, v0), skew(u1, v1), skew(u0, v1)], fill=0)
    return soft(mask, 5)


def leaf_outline(x: float, y: float, length: float, width: float, angle: float) -> list[Point]:
    steps = (0, 0.12, 0.28, 0.45, 0.62, 0.8, 0.92, 1)
    side = [(width * 0.5 * math.sin(math.pi * t) ** 0.8 * (1 - 0.35 * t), -length * t) for t in steps]
    ring = side + [(-a, b) for a, b in reversed(side[1:-1])]
    c, s = math.cos(angle), math.sin(angle)
    return [(x + a * c - b * s, y + a * s + b * c) for a, b in ring]


class Frond:
    """A frond between sun and wall. The farther from the wall it hangs (`depth`), the softer and paler its shadow,
    and the wider it swings."""

    def __init__(self, dice: random.Random, x: float, y: float, angle: float, length: float, depth: float) -> None:
        self.x, self.y, self.angle, self.length, self.depth = x, y, angle, length, depth
        self.phase, self.swing = dice.uniform(0, math.tau), dice.uniform(0.035, 0.07) * (0.7 + depth)
        self.flutter = [(dice.uniform(0, math.tau), dice.choice((2, 3))) for _ in range(30)]
        self.count, self.leaf_length = dice.randint(9, 11), length * dice.uniform(0.22, 0.28)

    def draw(self, pen: ImageDraw.ImageDraw, t: float) -> None:
        """The frond at moment t of the loop. All motion is whole harmonics, so the end runs into the beginning."""
        wave = self.swing * (math.sin(math.tau * t + self.phase) + 0.4 * math.sin(2 * math.tau * t + 2.1 * self.phase))
        x, y, angle, step = self.x, self.y, self.angle + wave * 0.4, self.length / self.count
        for k in range(self.count):
            share = k / self.count
            angle += (0.035 + wave * 0.16) * (1 if self.angle < math.pi else -1)
            to = x + step * math.sin(angle), y - step * math.cos(angle)
            pen.line([(x, y), to], fill=255, width=max(1, round(3 * (1 - share) + 1)))
            phase, speed = self.flutter[k]
            twist = 0.09 * math.sin(speed * math.tau * t + phase)
            size = self.leaf_length * (1 - 0.55 * share)
            for side in (-1, 1):
                turn = angle + side * (0.95 - 0.4 * share) + twist
                pen.polygon(leaf_outline(*to, size, size * 0.25, turn), fill=255)
            x, y = to
        pen.polygon(leaf_outline(x, y, self.leaf_length * 0.6, self.leaf_length * 0.16, angle), fill=255)


def leaf_light(fronds: list[Frond], window_light: Array, t: float) -> Array:
    """The window's light, dimmed by the fronds' shadows: the nearer a frond to the wall, the sharper its shadow."""
    h, w = window_light.shape
    mask = window_light.copy()
    for low, high, blur in ((0, 0.3, 2.2), (0.3, 0.6, 4.5), (0.6, 1.1, 9)):
        layer = Image.new("L", (w, h))
        pen = ImageDraw.Draw(layer)
        for frond in fronds:
            if low <= frond.depth < high:
                frond.draw(pen, t)
        half = layer.resize((w // 2, h // 2), Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(blur))
        mask *= 1 - np.asarray(half.resize((w, h), Image.Resampling.BICUBIC), np.float32) / 255 * (0.94 - 0.2 * low)
    return mask * (0.94 + 0.06 * math.sin(math.tau * t + 0.6))
