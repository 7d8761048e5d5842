"""The card of an order, on the dispatch board and on the page of a run, and the parts of a card."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.table import row_button
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.fields import checkbox_input
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.states.admin.dispatch.dispatch_rows import CardRow

# A column may have hundreds of cards: the browser lays out only the visible ones.
_CARD = "grid grid-cols-1 gap-1 px-3 py-2.5 [content-visibility:auto] [contain-intrinsic-size:auto_92px]"


def order_card(card: rx.Var[CardRow], *, start: Any = None, end: Any = None, below: Any = None) -> rx.Component:
    """`start` is before the number (a checkbox or a badge), `end` ends the first line, and `below` is under the facts.

    A long name is cut off, so that it takes one line and cards can be compared.
    """
    head = rx.el.div(
        *([start] if start is not None else []),
        link(card.number, href=card.href, class_name="font-semibold tabular-nums hover:underline"),
        rx.cond(card.is_ready, badge("Ready", "green")),
        rx.el.span(*([end] if end is not None else []), class_name="ml-auto flex-none"),
        class_name="flex min-h-6 min-w-0 items-center gap-2",
    )
    return rx.fragment(
        head,
        rx.el.p(card.when, class_name="text-cap tabular-nums"),
        rx.el.p(
            rx.el.span(card.who, class_name="min-w-0 truncate text-ink-2 tabular-nums"),
            rx.el.span(card.cash, class_name="flex-none font-semibold tabular-nums"),
            class_name="flex items-baseline justify-between gap-2 text-cap",
        ),
        rx.cond(card.notes != "", rx.el.p(card.notes, class_name="text-cap text-ink-2")),
        rx.cond(card.risk != "", risk_note(card.risk)),
        *([below] if below is not None else []),
    )


def risk_note(reason: rx.Var[str]) -> rx.Component:
    return rx.el.p(
        badge("At risk", "amber"),
        rx.el.span(reason, class_name="min-w-0"),
        class_name="flex flex-wrap items-center gap-x-2 gap-y-1 text-cap",
    )


def card_item(*children: Any, key: Any) -> rx.Component:
    return rx.el.li(*children, key=key, class_name=_CARD)


def select_checkbox(card: rx.Var[CardRow], is_selected: Any, toggle: Any) -> rx.Component:
    """Selects an order to be put on a run."""
    return checkbox_input(
        checked=is_selected, on_change=toggle, aria_label=rx.Var.create(f"Select order {card.number}")
    )


def move_button(symbol: str, label: Any, id: Any, is_at_end: Any, on_click: Any) -> rx.Component:
    """Moves a stop one place. At an end of the run it does nothing, but stays on the page to keep the focus."""
    return row_button(symbol, label, id=id, aria_disabled=is_at_end, on_click=on_click)


def place_badge(place: rx.Var[str]) -> rx.Component:
    """The position of a stop on its run; hidden from assistive technology, which counts the items of a list itself."""
    return rx.el.span(
        place,
        aria_hidden="true",
        class_name=(
            "inline-grid h-5 min-w-5 flex-none place-items-center rounded-full border border-line-strong px-1 text-cap "
            "leading-none text-ink-2 tabular-nums"
        ),
    )


def outcome_line(outcome: rx.Var[str], is_delivered: rx.Var[bool]) -> rx.Component:
    return rx.cond(
        outcome != "",
        rx.el.p(
            rx.cond(is_delivered, icon("check", "sm"), icon("close", "sm")),
            outcome,
            class_name="flex items-center gap-1.5 text-cap font-semibold text-ink-2",
        ),
    )
