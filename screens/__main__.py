"""`python -m screens [only]`: walks the tour and prints what it photographed; `only` is part of a scene's name."""

import os
import sys
import uuid
from collections.abc import Sequence

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from screens.camera import Camera, open_folder
from screens.scenes import GUEST, MEMBER, Scene
from screens.store import open_store
from tests.e2e.acts import pass_age_gate, sign_in
from tests.e2e.conftest import DESKTOP, PHONE, Store
from tests.install_browser import find

SIZES = (PHONE, DESKTOP)
THEMES = ("light", "dark")
TOUR = GUEST + MEMBER


def main(only: str = "") -> None:
    chosen = [scene for scene in TOUR if only.replace("-", "_") in scene.__name__]
    if not chosen:
        raise SystemExit(f"No scene is named like {only}: {', '.join(scene.__name__ for scene in TOUR)}")
    open_folder(is_whole_tour=not only)
    with open_store() as store, sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find(), args=flags)
        for size in SIZES:
            for theme in THEMES:
                _walk(browser, store, size, theme, chosen)
        browser.close()


def _walk(browser: Browser, store: Store, size: tuple[int, int], theme: str, chosen: Sequence[Scene]) -> None:
    guest = _window(browser, store, size, theme)
    for scene in [each for each in GUEST if each in chosen]:
        _photograph(guest, store, size, theme, scene)
    guest.close()
    scenes = [each for each in MEMBER if each in chosen]
    if not scenes:
        return
    member = _window(browser, store, size, theme)
    page = member.new_page()
    pass_age_gate(page)
    sign_in(page, f"{uuid.uuid4().hex[:8]}@example.org")
    page.close()
    for scene in scenes:
        _photograph(member, store, size, theme, scene)
    member.close()


def _window(browser: Browser, store: Store, size: tuple[int, int], theme: str) -> BrowserContext:
    return browser.new_context(
        base_url=store.url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=size == PHONE,
    )


def _photograph(window: BrowserContext, store: Store, size: tuple[int, int], theme: str, scene: Scene) -> None:
    """A scene that fails is told and passed over: the others are still worth looking at."""
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


if __name__ == "__main__":
    main(*sys.argv[1:2])
