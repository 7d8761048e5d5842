"""The layout of the gallery: sections with an anchor, each specimen in the light and the dark theme."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx

from marketplace_app.framework.events import EventChainVar

THEMES = ("light", "dark")
NO_OP = rx.Var("(() => {})").to(EventChainVar, rx.EventChain)
"""The handler of a specimen: a click does nothing."""


def no_op_for(*_arguments: Any) -> EventChainVar:
    """Replaces a handler that takes arguments."""
    return NO_OP


@dataclass(frozen=True)
class Section:
    anchor: str
    title: str
    specimens: Callable[[str], rx.Component]
    """Takes the theme it is shown in, so that ids and names stay unique."""
    is_wide: bool = False
    """Shows dark below light instead of beside it: for specimens as wide as a page."""
    themes: tuple[str, ...] = THEMES
    """Only one for parts that open over the page, in the page's own theme."""


def render_section(section: Section) -> rx.Component:
    beside = len(section.themes) > 1 and not section.is_wide
    return rx.el.section(
        rx.el.h2(section.title, id=f"{section.anchor}-title", class_name="mb-4 text-h2"),
        rx.el.div(
            *[_pane(section, theme) for theme in section.themes],
            class_name="grid items-start gap-4 xl:grid-cols-2" if beside else "grid gap-4",
        ),
        id=section.anchor,
        aria_labelledby=f"{section.anchor}-title",
        class_name="py-8",
    )


def _pane(section: Section, theme: str) -> rx.Component:
    own_theme: dict[str, Any] = {"data_theme": theme} if len(section.themes) > 1 else {}
    return rx.el.div(
        section.specimens(theme),
        class_name="min-w-0 overflow-hidden rounded-2 border border-line bg-paper p-4 md:p-6",
        **own_theme,
    )


def stack(*parts: rx.Component) -> rx.Component:
    return rx.el.div(*parts, class_name="grid gap-6")


def captioned(caption: str, *content: Any, class_name: str = "flex flex-wrap items-center gap-3") -> rx.Component:
    return rx.el.div(
        rx.el.p(caption, class_name="mb-2 text-cap text-ink-3"),
        rx.el.div(*content, class_name=class_name),
        class_name="min-w-0",
    )


def columns(*content: Any) -> rx.Component:
    return rx.el.div(*content, class_name="grid items-start gap-5 md:grid-cols-2")
