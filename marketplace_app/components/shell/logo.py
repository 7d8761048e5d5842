"""The mark, a sprig in a stillroom window, and the store's name beside it."""

import reflex as rx

from marketplace_app.components.controls.links import link
from marketplace_app.config import get_settings

_LEAVES = (
    ("M0 0C3.8 -3.9 3.8 -10.8 0 -15.5C-3.8 -10.8 -3.8 -3.9 0 0Z", 50, (-64, 64)),
    ("M0 0C4 -4 4 -11.2 0 -16C-4 -11.2 -4 -4 0 0Z", 40, (-54, 54)),
    ("M0 0C3.7 -3.5 3.7 -9.8 0 -14C-3.7 -9.8 -3.7 -3.5 0 0Z", 30.5, (-44, 44)),
    ("M0 0C3.8 -4 3.8 -11.2 0 -16C-3.8 -11.2 -3.8 -4 0 0Z", 27, (0,)),
)
"""Outlines of leaves, each with its height on the stem, where y grows downward, and its angles in degrees."""


def mark(class_name: str = "size-6.5") -> rx.Component:
    leaves = [
        rx.el.path(d=leaf, custom_attrs={"transform": f"translate(32 {y}) rotate({angle})"})
        for leaf, y, angles in _LEAVES
        for angle in angles
    ]
    return rx.el.svg(
        rx.el.path(d="M32 3C47 3 57 13.6 57 28V61H7V28C7 13.6 17 3 32 3Z", class_name="fill-brand"),
        *leaves,
        rx.el.path(d="M31.05 61V24h1.9V61z"),
        view_box="0 0 64 64",
        class_name=f"flex-none fill-paper {class_name}",
        aria_hidden="true",
    )


def logo(is_link: bool = True, may_shrink: bool = False) -> rx.Component:
    """`may_shrink` hides the name in a very narrow window."""
    name = get_settings().store_name
    class_name = (
        "flex items-center gap-2.5 font-serif text-[1.5rem] leading-none font-strong tracking-[-.015em] min-h-11"
    )
    parts = [mark(), rx.el.span(name, class_name="max-xs:sr-only" if may_shrink else "")]
    if not is_link:
        return rx.el.p(*parts, class_name=class_name)
    return link(*parts, href="/", class_name=class_name, aria_label=f"{name}, home")
