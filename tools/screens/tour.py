"""Takes the screenshots: the scenes of one size, theme and person share a browser context."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.e2e.acts import pass_age_gate, sign_in
from tests.e2e.conftest import DESKTOP, PHONE, Store, chromium_flags
from tests.install_browser import find_chromium
from tools.screens.admin import ADMIN
from tools.screens.camera import Camera
from tools.screens.guest import GUEST, Scene
from tools.screens.member import MEMBER

ALL_SCENES = GUEST + MEMBER + ADMIN
WINDOWS = [(size, theme) for size in (PHONE, DESKTOP) for theme in ("light", "dark")]


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_flags())
        yield browser
        browser.close()


def take_screenshots(
    browser: Browser, store: Store, size: tuple[int, int], theme: str, scenes: Sequence[Scene], person: str = ""
) -> set[str]:
    """Returns the URL paths of the pages shown. `person`: the email address to sign in with; empty for a guest."""
    context = _new_context(browser, store, size, theme)
    if person:
        page = context.new_page()
        pass_age_gate(page)
        sign_in(page, person)
        page.close()
    paths = set().union(*(_run_scene(context, store, size, theme, scene) for scene in scenes))
    context.close()
    return paths


def _new_context(browser: Browser, store: Store, size: tuple[int, int], theme: str) -> BrowserContext:
    return browser.new_context(
        base_url=store.url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=size == PHONE,
    )


def _run_scene(context: BrowserContext, store: Store, size: tuple[int, int], theme: str, scene: Scene) -> set[str]:
    """A scene that fails is reported and skipped: the other pictures are still useful."""
    page = context.new_page()
    page.set_default_timeout(10_000)
    camera = Camera(page, store, size, theme, ALL_SCENES.index(scene) + 1)
    try:
        scene(camera)
    except Exception as failure:
        print(f"  {scene.__name__} could not be captured: {str(failure).splitlines()[0]}", file=sys.stderr)
    finally:
        page.close()
    for path in camera.taken:
        print(path.relative_to(path.parents[1]), flush=True)
    return camera.paths
