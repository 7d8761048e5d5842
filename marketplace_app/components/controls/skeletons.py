"""Skeletons of content that is being loaded."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.hydration import unmanaged
from marketplace_app.components.controls.pictures import FIRST_PICTURES
from marketplace_app.framework.expressions import expression

SKELETONS_GRID = 12
SKELETONS_LIST = 8


def skeleton_block(class_name: str) -> rx.Component:
    return rx.el.span(class_name=f"skeleton block {class_name}")


def _picture(index: int = 0) -> rx.Component:
    """The first ones get the real pictures when the page is served (`web/first_pictures.py`)."""
    class_name = "aspect-4/5 w-full rounded-2"
    if index >= FIRST_PICTURES:
        return skeleton_block(class_name)
    class_name = f"skeleton block overflow-hidden {class_name}"
    return rx.el.span(data_first_picture=str(index), custom_attrs=unmanaged(), class_name=class_name)


def text_line(class_name: str) -> rx.Component:
    """Replaces one line of text, at the same height."""
    return skeleton_block(f"my-[.15lh] h-[.7lh] {class_name}")


def _button(class_name: str) -> rx.Component:
    return skeleton_block(f"h-11 rounded-2 md:h-9 {class_name}")


def _card(index: int) -> rx.Component:
    return rx.el.li(
        _picture(index),
        rx.el.div(
            text_line("w-24"),
            text_line("w-16"),
            class_name="mt-2.5 flex flex-col justify-between gap-y-0.5 text-cap md:mt-3 xl:flex-row",
        ),
        rx.el.div(text_line("w-2/3"), class_name="mt-1 grid text-sub md:text-h3"),
        rx.el.div(text_line("w-full"), text_line("w-3/4"), class_name="mt-1 grid text-cap md:text-small"),
        rx.el.div(
            rx.el.div(text_line("w-16"), class_name="grid text-sub"),
            _button("w-full md:w-26"),
            class_name="flex flex-col gap-2 pt-2 md:flex-row md:items-center md:justify-between md:pt-3",
        ),
        data_skeleton="card",
    )


def _row() -> rx.Component:
    return rx.el.li(
        skeleton_block("row-span-2 aspect-4/5 w-26 flex-none rounded-2 md:w-28"),
        rx.el.div(
            skeleton_block("mb-1 h-6 w-36"),
            rx.el.div(text_line("w-40"), class_name="mt-1 grid text-sub md:text-h3"),
            rx.el.div(text_line("w-full"), text_line("w-3/4"), class_name="mt-0.5 grid max-w-[56ch] text-small"),
            rx.el.div(text_line("w-24"), class_name="mt-1.5 grid text-cap"),
            class_name="min-w-0 flex-1",
        ),
        rx.el.div(
            rx.el.div(text_line("w-16"), class_name="grid text-sub"),
            _button("w-26"),
            class_name="flex items-center justify-between gap-2 md:flex-col md:items-end",
        ),
        class_name=(
            "grid grid-cols-[6.5rem_minmax(0,1fr)] items-start gap-x-3.5 gap-y-2.5 border-t border-line py-4.5 "
            "md:flex md:items-center md:gap-5.5"
        ),
        data_skeleton="row",
    )


def card_skeletons(class_name: str, **props: Any) -> rx.Component:
    return rx.el.ul(
        *[_card(index) for index in range(SKELETONS_GRID)],
        class_name=f"skeletons {class_name}",
        aria_hidden="true",
        **props,
    )


def row_skeletons(**props: Any) -> rx.Component:
    return rx.el.ul(*[_row() for _ in range(SKELETONS_LIST)], class_name="skeletons", aria_hidden="true", **props)


# `grid` or `list`; `either` during hydration, because the page is built once for all URLs.
REQUESTED_VIEW = expression(
    "requestedView",
    str,
    react=["useSyncExternalStore"],
    hook=(
        "const requestedView = useSyncExternalStore(() => () => {}, "
        "() => new URLSearchParams(location.search).get('view') === 'list' ? 'list' : 'grid', () => 'either')"
    ),
)


def catalogue_skeletons(class_name: str) -> rx.Component:
    """Cards or rows, as the URL asks. Until the page is hydrated `assets/theme.js` chooses.

    Both stay in the page, one hidden: rebuilding them would slow down hydration.
    """
    return rx.fragment(
        card_skeletons(class_name, hidden=REQUESTED_VIEW == "list", data_until_hydrated=_until_hydrated("grid")),
        row_skeletons(hidden=REQUESTED_VIEW == "grid", data_until_hydrated=_until_hydrated("list")),
    )


def _until_hydrated(view: str) -> rx.Var[str]:
    return rx.cond(REQUESTED_VIEW == "either", view, "")


def cart_lines_skeleton() -> rx.Component:
    line = rx.el.div(
        skeleton_block("aspect-4/5 w-16 flex-none rounded-2 xs:w-19"),
        rx.el.div(
            rx.el.div(text_line("w-32"), class_name="grid text-sub"),
            rx.el.div(text_line("w-24"), class_name="grid text-cap"),
            rx.el.div(
                skeleton_block("h-11 w-30 rounded-2"),
                text_line("w-16"),
                class_name="mt-2 flex items-center justify-between",
            ),
            class_name="min-w-0 flex-1",
        ),
        class_name="flex items-start gap-3.5 border-b border-line py-4",
    )
    return rx.el.div(line, line, class_name="skeletons", aria_hidden="true")


def form_skeleton() -> rx.Component:
    def field(class_name: str = "h-11") -> rx.Component:
        return rx.el.div(
            rx.el.div(text_line("w-28"), class_name="grid text-small"),
            skeleton_block(f"w-full rounded-2 {class_name}"),
            class_name="grid gap-1.5",
        )

    def section(*rows: rx.Component) -> rx.Component:
        return rx.el.div(rx.el.div(text_line("w-44"), class_name="grid text-h2"), *rows, class_name="grid gap-4")

    return rx.el.div(
        section(rx.el.div(field(), field(), class_name="grid gap-4 md:grid-cols-2"), field()),
        section(
            field(),
            rx.el.div(field(), field(), field(), class_name="grid gap-4 md:grid-cols-[2fr_1fr_1fr]"),
        ),
        section(field("h-24"), field("h-24")),
        class_name="skeletons grid gap-9",
        aria_hidden="true",
    )


def orders_skeleton() -> rx.Component:
    order = rx.el.div(
        rx.el.div(text_line("w-32"), skeleton_block("h-6 w-20"), class_name="flex items-center gap-3 text-h3"),
        rx.el.div(text_line("w-48"), class_name="mt-1 grid text-small"),
        rx.el.div(text_line("w-40"), class_name="mt-3 grid"),
        skeleton_block("mt-4 h-28 w-full"),
        class_name="border-t border-line py-6",
    )
    return rx.el.div(order, order, class_name="skeletons", aria_hidden="true")


def product_skeleton() -> rx.Component:
    return rx.el.div(
        _picture(),
        rx.el.div(
            skeleton_block("h-6 w-40"),
            skeleton_block("h-12 w-3/4"),
            skeleton_block("h-5 w-44"),
            skeleton_block("h-9 w-28"),
            skeleton_block("h-16 w-full"),
            skeleton_block("h-44 w-full"),
            skeleton_block("h-13 w-full"),
            class_name="grid content-start gap-5",
        ),
        class_name="skeletons grid gap-5.5 sm:grid-cols-2 md:gap-10 lg:gap-14",
        aria_hidden="true",
    )
