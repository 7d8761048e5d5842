"""Takes the screenshots: one window for each size and theme, with every scene in it."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.e2e.acts import pass_age_gate, sign_in
from tests.e2e.conftest import DESKTOP, PHONE, Store, chromium_flags
from tests.install_browser import find
from tools.screens.admin import ADMIN
from tools.screens.camera import Camera
from tools.screens.scenes import GUEST, MEMBER, Scene

TOUR = GUEST + MEMBER + ADMIN
WINDOWS = [(size, theme) for size in (PHONE, DESKTOP) for theme in ("light", "dark")]


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=chromium_flags())
        yield browser
        browser.close()


def walk(
    browser: Browser, store: Store, size: tuple[int, int], theme: str, scenes: Sequence[Scene], person: str = ""
) -> None:
    """`person` is an email; without one it is a guest."""
    window = _window(browser, store, size, theme)
    if person:
        page = window.new_page()
        pass_age_gate(page)
        sign_in(page, person)
        page.close()
    for scene in scenes:
        _photograph(window, store, size, theme, scene)
    window.close()


def _window(browser: Browser, store: Store, size: tuple[int, int], theme: str) -> BrowserContext:
    return browser.new_context(
        base_url=store.url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=size == PHONE,
    )


def _photograph(window: BrowserContext, store: Store, size: tuple[int, int], theme: str, scene: Scene) -> None:
    """A scene that fails is reported and skipped: the other pictures are still useful."""
    page = window.new_page()
    page.set_default_timeout(10_000)
    camera = Camera(page, store, size, theme, TOUR.index(scene) + 1)
    try:
        scene(camera)
    except Exception as failure:
        print(f"  {scene.__name__} could not be photographed: {str(failure).splitlines()[0]}", file=sys.stderr)
    finally:
        page.close()
    for path in camera.taken:
        print(path.relative_to(path.parents[1]), flush=True)
