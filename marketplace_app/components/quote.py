"""The quote: its lines and its total, the same in the drawer and at the checkout."""

from typing import Any

import reflex as rx

from marketplace_app.states.cart import CartState, QuoteLine


def _line(line: rx.Var[QuoteLine], has_reason: bool) -> rx.Component:
    reason = rx.cond(line.reason != "", rx.el.span(line.reason, class_name="block text-cap text-ink-3"))
    return rx.el.div(
        rx.el.dt(
            line.label,
            *([reason] if has_reason else []),
            class_name=rx.cond(line.is_reduction, "", "text-ink-2"),
        ),
        rx.el.dd(line.amount, class_name="whitespace-nowrap"),
        class_name=["flex justify-between gap-4", rx.cond(line.is_reduction, "text-ok", "")],
    )


def quote(total_label: str, has_reasons: bool = False) -> rx.Component:
    total = rx.el.div(
        rx.el.dt(total_label),
        rx.el.dd(CartState.total),
        class_name="flex justify-between gap-4 border-t border-ink pt-3 text-lead font-semibold",
    )
    return rx.el.dl(
        rx.foreach(CartState.quote_lines, lambda line: _line(line, has_reasons)),
        total,
        class_name="grid gap-2.5 text-ui tabular-nums",
    )


def free_delivery_hint() -> rx.Component:
    """What is missing for free delivery, with a bar of 4 px."""
    bar = rx.el.div(
        rx.el.div(class_name="h-full bg-brand", style={"width": f"{CartState.free_delivery_percent}%"}),
        class_name="h-1 overflow-hidden rounded-full bg-line",
        aria_hidden="true",
    )
    words = rx.el.p(
        rx.el.span(CartState.free_delivery_hint),
        rx.el.span(CartState.free_delivery_progress, class_name="text-ink-3 tabular-nums"),
        class_name="flex justify-between gap-4 text-small",
    )
    return rx.cond(CartState.free_delivery_hint != "", rx.el.div(words, bar, class_name="grid gap-2"))


def minimum_warning(sentence: Any) -> rx.Component:
    return rx.cond(
        CartState.below_minimum != "",
        rx.el.p(
            rx.el.b(sentence, class_name="font-semibold"),
            rx.el.span(CartState.below_minimum, class_name="block"),
            class_name="rounded-2 bg-amber-wash px-4 py-3 text-small",
        ),
    )
