"""The choice of a delivery time, at the checkout and in the dialog that moves an order."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.choices import CHOICES, choice_row
from marketplace_app.states.buying.delivery_rows import DeliveryTime


def time_choice(
    times: rx.vars.ArrayVar[list[DeliveryTime]],
    chosen: rx.vars.StringVar[str],
    on_change: Any,
    name: str = "slot",
    *,
    is_in_dialog: bool = False,
) -> rx.Component:
    """Radio buttons; a full time is shown but cannot be chosen.

    In a dialog the heading is hidden, because the dialog has a title, and the dialog scrolls instead of the list.
    """

    def row(time: rx.Var[DeliveryTime]) -> rx.Component:
        return choice_row(
            time.text,
            rx.cond(time.note != "", rx.el.span(time.note, class_name="text-cap text-ink-3 tabular-nums")),
            key=time.key,
            is_disabled=time.is_full,
            name=name,
            checked=chosen == time.key,
            on_change=on_change(time.key),
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
            class_name=f"{CHOICES} {height}".strip(),
        ),
        class_name="min-w-0",
    )
