"""The picture that other sites show beside a link: the logo and a few products in evening light."""

import random
from pathlib import Path

import numpy as np
from PIL import Image

from .catalogue import ASSETS, Product
from .logo import logo_on_dark
from .renderer import Renderer
from .scene import Frond, Stand, in_light, leaf_light, mix, plaster, still_life, window

W, H, SHELF = 1200, 630, 500
STANDS = (
    Stand("quiet-mint", 430, 524, 559),
    Stand("blackberry-dusk", 470, 856, 572),
    Stand("fern-hollow", 436, 646, 602),
)
# x, y, angle, length and depth of each `Frond`.
FRONDS = (
    (1260, 20, -1.95, 520, 0.2),
    (1140, -70, -2.6, 480, 0.15),
    (860, -80, -2.85, 380, 0.25),
    (640, -80, 2.8, 330, 0.6),
)
QUALITY = 86


def write(renderer: Renderer, products: list[Product], folder: Path = ASSETS) -> None:
    scene = still_life(renderer, plaster(W, H, SHELF), products, STANDS)
    ambient, sunlit = in_light(scene)
    dice = random.Random(4)
    light = leaf_light([Frond(dice, *frond) for frond in FRONDS], window(W, H, 500, 600, 60), 0)
    pixels = mix(ambient * 0.95, sunlit, light).clip(0, 255).astype(np.uint8)
    image = Image.fromarray(pixels).convert("RGBA")
    image.alpha_composite(logo_on_dark(renderer, 84), (72, 232))
    image.convert("RGB").save(folder / "social.jpg", quality=QUALITY, optimize=True, progressive=True)
