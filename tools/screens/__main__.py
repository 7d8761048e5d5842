"""`python -m tools.screens [only]`: takes the screenshots and prints their paths. `only` is part of a scene's name.

Without `only`, the pages that no scene has shown are listed at the end.
"""

import sys
from collections.abc import Sequence

from tests.e2e.acts import OWNER, new_email
from tools.screens.admin import ADMIN, fill
from tools.screens.camera import open_folder
from tools.screens.guest import GUEST, Scene
from tools.screens.member import MEMBER
from tools.screens.missing import routes_without
from tools.screens.store import open_store
from tools.screens.tour import ALL_SCENES, WINDOWS, open_browser, take_screenshots


def main(only: str = "") -> None:
    def chosen(scenes: Sequence[Scene]) -> list[Scene]:
        return [scene for scene in scenes if only.replace("-", "_") in scene.__name__]

    if not chosen(ALL_SCENES):
        raise SystemExit(f"No scene is named like {only}: {', '.join(scene.__name__ for scene in ALL_SCENES)}")
    open_folder(is_whole_tour=not only)
    visited: set[str] = set()
    with open_store() as store, open_browser() as browser:
        for size, theme in WINDOWS:
            visited |= take_screenshots(browser, store, size, theme, chosen(GUEST))
            if members := chosen(MEMBER):
                visited |= take_screenshots(browser, store, size, theme, members, new_email())
        if owners := chosen(ADMIN):
            fill(store)
            for size, theme in WINDOWS:
                visited |= take_screenshots(browser, store, size, theme, owners, OWNER)
    if not only and (missing := routes_without(visited)):
        print(f"Pages without a picture: {', '.join(missing)}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
