"""`python -m tools.screens [only]`: takes the screenshots and prints their paths; `only` is part of a scene's name."""

import sys
from collections.abc import Sequence

from tests.e2e.acts import OWNER, new_email
from tools.screens.admin import ADMIN, fill
from tools.screens.camera import open_folder
from tools.screens.scenes import GUEST, MEMBER, Scene
from tools.screens.store import open_store
from tools.screens.tour import TOUR, WINDOWS, open_browser, walk


def main(only: str = "") -> None:
    def chosen(scenes: Sequence[Scene]) -> list[Scene]:
        return [scene for scene in scenes if only.replace("-", "_") in scene.__name__]

    if not chosen(TOUR):
        raise SystemExit(f"No scene is named like {only}: {', '.join(scene.__name__ for scene in TOUR)}")
    open_folder(is_whole_tour=not only)
    with open_store() as store, open_browser() as browser:
        for size, theme in WINDOWS:
            walk(browser, store, size, theme, chosen(GUEST))
            if members := chosen(MEMBER):
                walk(browser, store, size, theme, members, new_email())
        if owners := chosen(ADMIN):
            fill(store)
            for size, theme in WINDOWS:
                walk(browser, store, size, theme, owners, OWNER)


if __name__ == "__main__":
    main(*sys.argv[1:2])
