"""Pages of results."""

from typing import Any

import reflex as rx

from marketplace_app.components.icons import icon

_SQUARE = (
    "grid size-11 place-items-center rounded-2 text-small tabular-nums hover:bg-wash md:size-9 "
    "aria-[current=page]:bg-brand aria-[current=page]:font-semibold aria-[current=page]:text-on-brand "
    "disabled:text-ink-off disabled:hover:bg-transparent"
)


def _step(symbol: str, label: str, **props: Any) -> rx.Component:
    return rx.el.button(icon(symbol, "sm"), type="button", aria_label=label, class_name=_SQUARE, **props)


def pagination(page: rx.Var[int], pages: rx.Var[int], go_to: Any, label: str = "Pages") -> rx.Component:
    def number(index: rx.Var[int]) -> rx.Component:
        return rx.el.li(
            rx.el.button(
                index,
                type="button",
                on_click=go_to(index),
                aria_label=f"Page {index}",
                aria_current=rx.cond(page == index, "page", "false"),
                class_name=_SQUARE,
            ),
            key=index,
        )

    return rx.cond(
        pages > 1,
        rx.el.nav(
            _step("chevron-left", "Previous page", on_click=go_to(page - 1), disabled=page <= 1),
            rx.el.ul(rx.foreach(rx.Var.range(1, pages + 1), number), class_name="flex gap-1"),
            _step("chevron-right", "Next page", on_click=go_to(page + 1), disabled=page >= pages),
            aria_label=label,
            class_name="mt-10 flex items-center gap-1",
        ),
    )
