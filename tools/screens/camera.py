"""One browser window of one size in one theme, and where its pictures go."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page

from tests.e2e.conftest import PHONE, ROOT, Store

FOLDER = ROOT / "screenshots"
_LOAD_IMAGES_AND_FONTS = """() => Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode().catch(() => {});
}).concat(document.fonts.ready))"""


@dataclass
class Camera:
    page: Page
    store: Store
    size: tuple[int, int]
    theme: str
    place: int = 0
    """Number of the scene, so that the pictures sort in the order of the tour."""
    taken: list[Path] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)
    """URL paths of the pages that were photographed."""

    @property
    def is_phone(self) -> bool:
        return self.size == PHONE

    def take(self, name: str, whole: bool = True) -> None:
        """Take the whole page or, for dialogs and the like that lie over the page, only what the window shows."""
        self._settle()
        if whole:
            self.page.evaluate("() => scrollTo(0, 0)")
        if whole and self.page.locator("[data-foot-bar]").is_visible():
            self._stretch()
        self.page.screenshot(path=self._record(name), full_page=whole, animations="disabled")
        self.page.set_viewport_size({"width": self.size[0], "height": self.size[1]})

    def take_part(self, name: str, part: Locator) -> None:
        self._settle()
        part.screenshot(path=self._record(name), animations="disabled")

    def _stretch(self) -> None:
        """Make the window as high as the page: otherwise a bar at its bottom would cover the middle of the picture."""
        height = self.page.evaluate("() => document.documentElement.scrollHeight")
        self.page.set_viewport_size({"width": self.size[0], "height": height})

    def _settle(self) -> None:
        self.page.evaluate(_LOAD_IMAGES_AND_FONTS)
        self.page.mouse.move(0, 0)

    def _record(self, name: str) -> Path:
        """Note that the picture is taken. Returns the file to write it to."""
        path = FOLDER / f"{self.place:02}-{name}-{self.size[0]}-{self.theme}.png"
        self.taken.append(path)
        self.paths.add(urlsplit(self.page.url).path)
        return path


def open_folder(is_whole_tour: bool) -> None:
    """A whole tour begins with an empty folder; a part of the tour replaces only its own pictures."""
    if is_whole_tour:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(exist_ok=True)
