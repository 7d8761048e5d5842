"""The landing page's film: evening sun through leaves on a green wall, a seamless loop of seven seconds."""

import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from .catalogue import ASSETS, Product
from .renderer import Renderer
from .scene import Array, Frond, Stand, in_light, leaf_light, mix, plaster, still_life, window

W, H, SHELF = 1280, 720, 560
SECONDS, RATE = 7, 24
STANDS = (
    Stand("quiet-mint", 470, 668, 640),
    Stand("garden-gate", 520, 962, 648),
    Stand("fern-hollow", 440, 800, 672),
)
# x, y, angle, length and depth of each `Frond`.
FRONDS = (
    (1330, 40, -1.95, 560, 0.2),
    (1240, -60, -2.5, 560, 0.15),
    (960, -90, -2.85, 430, 0.2),
    (1340, 330, -1.6, 470, 0.25),
    (760, -80, 2.85, 330, 0.5),
    (1350, 560, -1.3, 380, 0.5),
    (640, -90, 2.7, 330, 0.9),
    (1300, 160, -2.1, 620, 0.9),
)
RAW_INPUT = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{W}x{H}", "-r", str(RATE), "-i", "-"]
SILENT_VIDEO = ["-an", "-pix_fmt", "yuv420p", "-colorspace", "bt709"]
H264 = ["-c:v", "libx264", "-preset", "slow", "-crf", "21", "-tune", "film", "-movflags", "+faststart"]
VP9 = ["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-row-mt", "1", "-cpu-used", "3"]


def frames(scene: Array, count: int) -> Iterator[Array]:
    ambient, sunlit = in_light(scene)
    # The left of the wall stays dark: the headline stands there.
    ramp = np.clip((np.arange(W) - 200) / 620, 0, 1)[None, :, None]
    ambient *= 0.78 + 0.22 * ramp
    dice = random.Random(21)
    fronds, window_light = [Frond(dice, *frond) for frond in FRONDS], window(W, H, 560, 610)
    grain = np.random.default_rng(7).uniform(-0.7, 0.7, (H, W, 1)).astype(np.float32)
    for i in range(count):
        image = mix(ambient, sunlit, leaf_light(fronds, window_light, i / count)) + grain
        yield image.clip(0, 255).astype(np.uint8)


def ffmpeg(*arguments: str) -> list[str]:
    program = shutil.which("ffmpeg")
    if not program:
        raise SystemExit("The hero film needs ffmpeg on the path.")
    return [program, "-loglevel", "error", "-y", *arguments]


def write(renderer: Renderer, products: list[Product], folder: Path = ASSETS / "hero") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    scene = still_life(renderer, plaster(W, H, SHELF), products, STANDS)
    with tempfile.TemporaryDirectory() as scratch:
        master = str(Path(scratch) / "master.mkv")
        lossless = ["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", master]
        encoder = subprocess.Popen(ffmpeg(*RAW_INPUT, *lossless), stdin=subprocess.PIPE)
        assert encoder.stdin
        for i, pixels in enumerate(frames(scene, SECONDS * RATE)):
            if i == 0:
                poster = Image.fromarray(pixels)
                poster.save(folder / "hero-poster.webp", quality=82, method=6)
                poster.save(folder / "hero-poster.avif", quality=45)
            encoder.stdin.write(pixels.tobytes())
        encoder.stdin.close()
        if encoder.wait():
            raise SystemExit("ffmpeg could not write the film.")
        subprocess.run(ffmpeg("-i", master, *SILENT_VIDEO, *H264, str(folder / "hero.mp4")), check=True)
        subprocess.run(ffmpeg("-i", master, *SILENT_VIDEO, *VP9, str(folder / "hero.webm")), check=True)
