"""The choice of a delivery time at the checkout."""

from typing import Any

import reflex as rx

from marketplace_app.states.delivery_rows import DeliveryTime


def time_choice(
    times: rx.vars.ArrayVar[list[DeliveryTime]],
    chosen: rx.vars.StringVar[str],
    on_change: Any,
    name: str = "slot",
    *,
    is_in_dialog: bool = False,
) -> rx.Component:
    """Radio buttons; a full time is shown and cannot be chosen. A dialog has a title of its own, and scrolls."""

    def row(time: rx.Var[DeliveryTime]) -> rx.Component:
        return rx.el.label(
            rx.el.input(
                type="radio",
                name=name,
                value=time.key,
                checked=chosen == time.key,
                disabled=time.is_full,
                on_change=on_change(time.key),
                class_name=(
                    "size-4.5 flex-none appearance-none rounded-full border-[1.5px] border-line-strong bg-surface "
                    "checked:border-[5px] checked:border-brand"
                ),
            ),
            rx.el.span(time.text, class_name="min-w-0 flex-1 tabular-nums"),
            rx.cond(time.note != "", rx.el.span(time.note, class_name="text-cap text-ink-3 tabular-nums")),
            key=time.key,
            class_name=[
                "flex min-h-(--tap) items-center gap-3 px-3.5 py-1.5 text-ui",
                rx.cond(time.is_full, "text-ink-3", "cursor-pointer"),
            ],
        )

    legend = (
        rx.el.legend("Choose a time", class_name="sr-only")
        if is_in_dialog
        else rx.el.legend(rx.el.h2("Choose a time", class_name="text-h2"), class_name="mb-4")
    )
    height = "" if is_in_dialog else "max-h-100 overflow-y-auto"
    return rx.el.fieldset(
        legend,
        rx.el.div(
            rx.foreach(times, row),
            class_name=f"grid divide-y divide-line rounded-2 border border-line bg-surface {height}".strip(),
        ),
        class_name="min-w-0",
    )
