"""Under `make dev` a page is compiled only when it is first opened, so that a saved change is shown in half the time.

Imported under `make dev` only, so that its handler, which anybody may call, exists nowhere else.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import reflex as rx

from marketplace_app.components.controls.dialogs import dialog
from marketplace_app.components.shell.layout import MAIN
from marketplace_app.config import opened_pages_file
from marketplace_app.pages.page import Page
from marketplace_app.states.events.base import ANYONE, action


class OpenedPagesState(rx.State):
    @action(who=ANYONE)
    async def open(self, route: str) -> None:
        if file := opened_pages_file():
            _add_route(file, route)


def on_demand(pages: Iterable[Page], file: Path) -> Iterator[Page]:
    """The pages that were opened, as they are. The others are replaced by a page that says to wait."""
    routes = _routes(file)
    for page in pages:
        if page.route in routes:
            yield page
        else:
            on_load = (OpenedPagesState.open(page.route),)
            yield replace(page, view=_compiling_page, on_load=on_load, is_shop=False, is_static=False)


def _routes(file: Path) -> list[str]:
    return file.read_text().split() if file.is_file() else []


def _add_route(file: Path, route: str) -> None:
    """Record the route, and have everything compiled again, this time with its page.

    Touching a module has the same effect as saving it.
    """
    routes = _routes(file)
    if route not in routes:
        file.write_text("\n".join([*routes, route]))
        Path(__file__).touch()


def _compiling_page() -> rx.Component:
    return rx.el.main(
        rx.el.h1("Compiling this page", class_name="text-h1"),
        rx.el.p(
            "It is being opened for the first time and will appear in a few seconds.", class_name="mt-3 text-ink-2"
        ),
        # Never shown. Without it, the npm package of dialogs would be removed from the lock file, and installed again
        # for the first page that has a dialog.
        dialog(open=False),
        id=MAIN,
        class_name="shell py-16",
    )
