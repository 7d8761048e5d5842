"""What `/invite` and `/welcome` show, which are opened by links in messages: an icon, a heading and a few sentences."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.skeletons import skeleton_block


def invitation_card(symbol: str, heading: rx.Var[str] | str, *content: Any) -> rx.Component:
    return rx.el.div(
        icon(symbol, "lg", "text-brand-text"),
        rx.el.h1(heading, class_name="max-w-text text-h1 text-balance wrap-anywhere"),
        *content,
        class_name="grid justify-items-start gap-4 py-16 md:py-24",
    )


def sentence(*parts: Any) -> rx.Component:
    return rx.el.p(*parts, class_name="max-w-text text-lead text-ink-2")


def card_skeleton(heading: str, width: str) -> rx.Component:
    """`width` is the class for the width of the line that stands in for the heading."""
    return rx.el.div(
        rx.el.h1(heading, class_name="sr-only"),
        skeleton_block("h-8 w-8"),
        skeleton_block(f"h-10 {width} max-w-full"),
        skeleton_block("h-14 w-full max-w-text"),
        skeleton_block("h-13 w-56"),
        class_name="grid gap-4 py-16 md:py-24",
    )
