"""The lines and the total of a quote, as the cart drawer, the checkout and the pages of orders show them."""

from typing import Any

import reflex as rx

from marketplace_app.framework.components import inline_style
from marketplace_app.rule_messages import OTHER_SHOPS
from marketplace_app.states.buying.cart import CartState, LimitRow, QuoteRow


def _line(line: rx.Var[QuoteRow], has_reasons: bool) -> rx.Component:
    reason = rx.cond(line.reason != "", rx.el.span(line.reason, class_name="block text-cap text-ink-3"))
    return rx.el.div(
        rx.el.dt(
            line.label,
            *([reason] if has_reasons else []),
            class_name=rx.cond(line.is_reduction, "", "text-ink-2"),
        ),
        rx.el.dd(line.amount, class_name="whitespace-nowrap"),
        class_name=["flex justify-between gap-4", rx.cond(line.is_reduction, "text-ok", "")],
    )


def quote(total_label: str, has_reasons: bool = False) -> rx.Component:
    """The `totals` of the visitor's cart."""
    return totals(CartState.quote_lines, total_label, CartState.total, has_reasons)


def totals(lines: rx.Var[list[QuoteRow]], total_label: str, total: Any, has_reasons: bool = False) -> rx.Component:
    """With `has_reasons`, each line says below its label why it is due or deducted."""
    last = rx.el.div(
        rx.el.dt(total_label),
        rx.el.dd(total),
        class_name="flex justify-between gap-4 mt-1 border-t border-ink pt-3 text-lead font-semibold",
    )
    amounts = rx.el.dl(
        rx.foreach(lines, lambda line: rx.cond(line.is_note, rx.fragment(), _line(line, has_reasons))),
        last,
        class_name="grid gap-2.5 text-ui tabular-nums",
    )
    return rx.el.div(amounts, rx.foreach(lines, lambda line: rx.cond(line.is_note, _note(line.label))))


def _note(sentence: Any) -> rx.Component:
    return rx.el.p(sentence, class_name="mt-1 text-cap text-ink-3 tabular-nums")


def free_delivery_hint() -> rx.Component:
    """What is missing for free delivery."""
    return rx.cond(
        CartState.free_delivery_hint != "",
        progress_bar(CartState.free_delivery_hint, CartState.free_delivery_progress, CartState.free_delivery_percent),
    )


def progress_bar(sentence: Any, amounts: Any, percent: Any) -> rx.Component:
    """A sentence and its amounts over a bar of 4 px."""
    caption = rx.el.p(
        rx.el.span(sentence),
        rx.el.span(amounts, class_name="whitespace-nowrap text-ink-3 tabular-nums"),
        class_name="flex justify-between gap-4 text-small",
    )
    return rx.el.div(caption, _bar(percent, "bg-brand"), class_name="grid gap-2")


def _bar(percent: Any, colour: Any) -> rx.Component:
    return rx.el.div(
        rx.el.div(class_name=["h-full", colour], **inline_style(width=f"{percent}%")),
        class_name="h-1 overflow-hidden rounded-full bg-line",
        aria_hidden="true",
    )


def limit_meters() -> rx.Component:
    return rx.cond(CartState.limits.length() > 0, meters(CartState.limits))


def meters(limits: rx.vars.ArrayVar[list[LimitRow]]) -> rx.Component:
    """How much of each legal limit the cart would use."""

    def row(limit: rx.Var[LimitRow]) -> rx.Component:
        bar = _bar(limit.percent, rx.cond(limit.is_over, "bg-warn", "bg-brand"))
        return rx.el.li(rx.el.p(limit.text, class_name="text-small tabular-nums"), bar, class_name="grid gap-2")

    return rx.el.div(
        rx.el.ul(rx.foreach(limits, row), aria_label="Legal limits", class_name="grid gap-3"),
        rx.el.p(OTHER_SHOPS, class_name="text-cap text-ink-3"),
        class_name="grid gap-2",
    )


def limit_notices() -> rx.Component:
    """Which legal limits the cart exceeds, which of its products no limit can count, and what to remove."""
    return rx.el.div(
        rx.foreach(
            CartState.blocker_notices,
            lambda notice: rx.cond(notice.is_limit, blocker_notice(notice.text), rx.fragment()),
        ),
        role="status",
        class_name="grid gap-4 empty:hidden",
    )


def blocker_notice(sentence: Any) -> rx.Component:
    """Why the order cannot be placed: one of the quote's blockers."""
    return rx.el.p(sentence, class_name="rounded-2 bg-amber-wash px-4 py-3 text-small")


def minimum_warning(sentence: Any) -> rx.Component:
    return rx.cond(CartState.below_minimum != "", shortfall(sentence, CartState.below_minimum))


def shortfall(sentence: Any, missing: Any) -> rx.Component:
    return rx.el.p(
        rx.el.b(sentence, class_name="font-semibold"),
        rx.el.span(missing, class_name="block"),
        class_name="rounded-2 bg-amber-wash px-4 py-3 text-small",
    )
