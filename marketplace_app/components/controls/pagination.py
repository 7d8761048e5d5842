"""Pages of results."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon

MAX_NUMBERS = 5
"""Up to this many pages, every number is shown; with more of them, dots stand for some."""
# Narrow on a phone, so that two ends, three in the middle, both dots and both arrows fit side by side.
_SQUARE = (
    "grid h-11 w-8 place-items-center xs:w-9 sm:w-11 rounded-2 text-small tabular-nums hover:bg-wash md:size-9 "
    "aria-[current=page]:bg-brand aria-[current=page]:font-semibold aria-[current=page]:text-on-brand "
    "off:text-ink-off off:hover:bg-transparent"
)


def _step(symbol: str, label: str, **props: Any) -> rx.Component:
    return rx.el.button(icon(symbol, "sm"), type="button", aria_label=label, class_name=_SQUARE, **props)


def pagination(
    page: rx.vars.NumberVar[int],
    pages: rx.vars.NumberVar[int],
    go_to: Any,
    label: str = "Pages",
    class_name: str = "mt-10",
) -> rx.Component:
    """The first and the last page, this one and its neighbours; dots for the rest, so that it fits a phone."""

    def number(index: rx.vars.NumberVar[int]) -> rx.Component:
        square = rx.el.button(
            index,
            type="button",
            on_click=go_to(index),
            aria_label=f"Page {index}",
            aria_current=rx.cond(page == index, "page", "false"),
            class_name=_SQUARE,
        )
        dots = rx.el.span("…", aria_hidden="true", class_name="grid w-3 place-items-center text-ink-3 xs:w-4 sm:w-6")
        is_near = (index >= page - 1) & (index <= page + 1)
        is_shown = (pages <= MAX_NUMBERS) | (index == 1) | (index == pages) | is_near
        is_gap = (index == page - 2) | (index == page + 2)
        return rx.cond(
            is_shown,
            rx.el.li(square, key=index),
            rx.cond(is_gap, rx.el.li(dots, key=index, class_name="self-center"), rx.fragment()),
        )

    return rx.cond(
        pages > 1,
        rx.el.nav(
            _step("chevron-left", "Previous page", on_click=go_to(page - 1), aria_disabled=page <= 1),
            rx.el.ul(rx.foreach(rx.Var.range(1, pages + 1), number), class_name="flex sm:gap-1"),
            _step("chevron-right", "Next page", on_click=go_to(page + 1), aria_disabled=page >= pages),
            aria_label=label,
            class_name=f"flex items-center sm:gap-1 {class_name}".strip(),
        ),
    )
