"""Badges: a word on a tint of its hue. The word always carries the colour's meaning."""

from typing import Any

import reflex as rx

_BASE = "inline-flex h-6 items-center gap-1.5 rounded-1 px-2 text-cap leading-none font-semibold whitespace-nowrap"
HUES = {
    "green": "bg-green-w text-green-t",
    "purple": "bg-purple-w text-purple-t",
    "orange": "bg-orange-w text-orange-t",
    "blue": "bg-blue-w text-blue-t",
    "grey": "bg-grey-w text-grey-t",
    "yellow": "bg-yellow-w text-yellow-t",
    "red": "bg-red-w text-red-t",
    "amber": "bg-amber text-on-amber",
}


def badge(label: Any, hue: Any = "green") -> rx.Component:
    """`hue` is a key of `HUES`, or a var with one."""
    if isinstance(hue, str):
        class_name: Any = HUES[hue]
    else:
        class_name = rx.match(hue, *HUES.items(), HUES["green"])
    return rx.el.span(label, class_name=[_BASE, class_name])


def status_badge(label: Any, hue: Any) -> rx.Component:
    """A status, such as an order's: with a dot before the word."""
    dot = rx.el.span(class_name="size-1.5 rounded-full bg-current", aria_hidden="true")
    word = rx.el.span(label, class_name="inline-block first-letter:uppercase")
    return badge(rx.fragment(dot, word), hue)


def count_badge(count: rx.vars.NumberVar[int]) -> rx.Component:
    """The amber number on the cart."""
    return rx.cond(
        count > 0,
        rx.el.span(
            count,
            aria_hidden="true",
            class_name=(
                "absolute top-0.5 right-0 h-4.5 min-w-4.5 rounded-full bg-amber px-1.5 text-center text-count "
                "font-semibold text-on-amber tabular-nums"
            ),
        ),
    )
