"""The landing page's film: light moving through leaves, over a still image that is visible from the first paint."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.framework.components import Imports


class Film(rx.el.Video):
    """`assets/film.js` decides whether and when it is fetched, never before the page has loaded."""

    def add_imports(self) -> Imports:
        return {"react": "useEffect"}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return [rx.Var("useEffect(() => { dispatchEvent(new Event('store:film')); }, [])")]


def film() -> rx.Component:
    return Film.create(
        id="film",
        muted=True,
        loop=True,
        plays_inline=True,
        preload="none",
        aria_hidden="true",
        tab_index=-1,
        class_name=(
            "hero-film absolute inset-x-0 bottom-0 h-2/3 w-full object-cover opacity-0 transition-opacity "
            "duration-(--slow) data-shown:opacity-100 wide:inset-0 wide:h-full"
        ),
    )


def film_toggle() -> rx.Component:
    """Hidden until there is something to pause."""
    return rx.el.button(
        rx.el.span(icon("pause"), class_name="hidden in-data-[playing=yes]:block"),
        rx.el.span(icon("play"), class_name="in-data-[playing=yes]:hidden"),
        id="film-toggle",
        type="button",
        hidden=True,
        aria_label="Play film",
        class_name=(
            "absolute right-4 bottom-10 z-1 grid size-11 place-items-center rounded-2 border border-line bg-paper/60 "
            "text-ink hover:bg-wash md:right-10 md:bottom-14"
        ),
    )
