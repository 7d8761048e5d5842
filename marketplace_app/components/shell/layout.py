"""The shell of every page."""

from pathlib import Path
from typing import Any

import reflex as rx

from marketplace_app.components.controls.links import anchor_link
from marketplace_app.components.shell.auth_error import unless_auth_error
from marketplace_app.components.shell.crash import content_boundary
from marketplace_app.components.shell.footer import footer
from marketplace_app.components.shell.header import header
from marketplace_app.components.shell.navigation import FocusOnNavigation
from marketplace_app.components.shell.overlays import overlays
from marketplace_app.components.shell.script_messages import script_messages
from marketplace_app.framework.deferred_hydration import EARLY_SCRIPTS
from marketplace_app.theme import font_faces
from marketplace_app.theme.tokens import DARK, LIGHT

MAIN = "main"
"""The id of the main element of every page, to which the skip link leads."""
ASSETS = Path(__file__).parents[3] / "assets"


def skip_link() -> rx.Component:
    return anchor_link(
        "Skip to content",
        id=MAIN,
        class_name=(
            "sr-only rounded-2 bg-brand px-4 py-3 font-semibold text-on-brand "
            "focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-(--z-menu) focus:px-4 focus:py-3"
        ),
    )


def page(*content: Any, is_catalogue: bool = False, is_home: bool = False) -> rx.Component:
    """`is_catalogue`: the results on this page follow what is typed in the header's search.

    `is_home`: for guests, the header lies over the film.
    """
    return rx.el.div(
        FocusOnNavigation.create(),
        skip_link(),
        header(is_catalogue, is_home),
        rx.el.main(content_boundary(*unless_auth_error(*content)), id=MAIN, tab_index=-1, class_name="flex-1"),
        footer(),
        overlays(),
        class_name="relative flex min-h-svh flex-col",
    )


def head() -> list[rx.Component]:
    """For `rx.App(head_components=...)`."""
    return [
        # Inline: the first paint waits for this script, and would wait a round trip longer for a file.
        rx.el.script((ASSETS / "theme.js").read_text() + script_messages()),
        rx.el.script(src=EARLY_SCRIPTS, defer=True),
        *[
            rx.el.link(
                rel="preload",
                href=font_faces.url(name, "common"),
                type="font/woff2",
                cross_origin="anonymous",
                custom_attrs={"as": "font"},
            )
            for name in font_faces.FAMILIES.values()
        ],
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="manifest", href="/manifest.webmanifest"),
        rx.el.link(rel="apple-touch-icon", href="/apple-touch-icon.png"),
        rx.el.meta(name="theme-color", content=LIGHT["paper"], custom_attrs={"media": "(prefers-color-scheme: light)"}),
        rx.el.meta(name="theme-color", content=DARK["paper"], custom_attrs={"media": "(prefers-color-scheme: dark)"}),
    ]
