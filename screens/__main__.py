"""`python -m screens [only]`: walks the tour and prints what it photographed; `only` is part of a scene's name."""

import sys

from screens.camera import open_folder
from screens.store import open_store
from screens.tour import TOUR, open_browser, walk
from tests.e2e.conftest import DESKTOP, PHONE

SIZES = (PHONE, DESKTOP)
THEMES = ("light", "dark")


def main(only: str = "") -> None:
    chosen = [scene for scene in TOUR if only.replace("-", "_") in scene.__name__]
    if not chosen:
        raise SystemExit(f"No scene is named like {only}: {', '.join(scene.__name__ for scene in TOUR)}")
    open_folder(is_whole_tour=not only)
    with open_store() as store, open_browser() as browser:
        for size in SIZES:
            for theme in THEMES:
                walk(browser, store, size, theme, chosen)


if __name__ == "__main__":
    main(*sys.argv[1:2])
