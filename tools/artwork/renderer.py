"""A browser page that turns SVG into pixels, with the store's fonts."""

import base64
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from .lettering import FONTS

SHOW_SVG = """async svg => {
  const stage = document.getElementById("stage");
  stage.innerHTML = svg;
  await Promise.all([...stage.querySelectorAll("image")].map(image => image.decode ? image.decode() : 0));
}"""


def font_faces() -> str:
    """The fonts as part of the style sheet, so that the page needs neither server nor network."""
    rule = "@font-face{{font-family:{};font-weight:400 700;src:url(data:font/woff2;base64,{})}}"
    return "".join(rule.format(name, base64.b64encode(file.read_bytes()).decode()) for name, file in FONTS.items())


class Renderer:
    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page(viewport={"width": 960, "height": 1200})
        sample = "".join(f"<p style='font-family:{name}'>a</p>" for name in FONTS)
        self.page.set_content(f"<style>{font_faces()}*{{margin:0}}</style>{sample}<div id=stage></div>")
        self.page.evaluate("document.fonts.ready")
        self.page.evaluate("document.querySelectorAll('p').forEach(p => p.remove())")

    def render(self, svg: str, width: int, height: int, transparent: bool = False) -> Image.Image:
        """The SVG as an image; with `transparent`, without a background."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(SHOW_SVG, svg)
        return Image.open(io.BytesIO(self.page.screenshot(omit_background=transparent)))


@contextmanager
def open_renderer() -> Iterator[Renderer]:
    """The system's Chromium where there is one, else the one that Playwright installed."""
    with sync_playwright() as playwright:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"] if root else []
        )
        yield Renderer(browser)
        browser.close()
