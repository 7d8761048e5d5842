"""'Ready for your delivery?' on the page of an order, and the dialog with other times (RULE ready-panel)."""

from typing import Any

import reflex as rx

from marketplace_app.components.buying.delivery_times import time_choice
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.notices import note
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.buying.order_time import OrderTimeState

QUESTION = "Ready for your delivery?"


def ready_question(
    sentence: Any, is_saving: rx.Var[bool], on_yes: Any, *others: rx.Component, name: str = QUESTION
) -> rx.Component:
    """The question with its answers: yes, and what else can be done with the order."""
    answers = rx.el.div(
        pending_button("Yes, I'm ready", "Saving...", is_saving, on_click=on_yes),
        *others,
        class_name="mt-4 grid gap-2.5 sm:flex sm:flex-wrap",
    )
    words = rx.el.div(
        rx.el.h2(QUESTION, class_name="text-h3"),
        rx.el.p(sentence, class_name="mt-1.5 text-ui text-ink-2"),
        class_name="min-w-0 flex-1",
    )
    return rx.el.section(
        rx.el.div(icon("clock", class_name="mt-0.5 text-brand-text"), words, class_name="flex gap-3"),
        answers,
        aria_label=name,
        class_name="rounded-3 border border-brand-text bg-surface p-4 sm:p-5",
    )


def ready_panel(cancel: rx.Component) -> rx.Component:
    """The question on the order's page or, once the customer has said yes, a note that says so; otherwise nothing."""
    asked = ready_question(
        OrderState.ready_text, OrderState.is_confirming_ready, OrderState.confirm_ready, another_time_button(), cancel
    )
    said = note(rx.el.p(OrderState.ready_text), symbol="check", variant="info")
    return rx.match(
        OrderState.readiness,
        ("asked", rx.el.div(asked, class_name="mb-5.5")),
        ("said", rx.el.div(said, class_name="mb-5.5")),
        rx.fragment(),
    )


def another_time_button() -> rx.Component:
    return pending_button(
        "Another time", "Loading...", OrderTimeState.is_opening, variant="outline", on_click=OrderTimeState.open
    )


def another_time_dialog() -> rx.Component:
    head = dialog_header("Another time")
    none = rx.el.p("There are no other times at the moment.", class_name="text-ui text-ink-2")
    body = rx.el.div(
        rx.el.p("Now: ", OrderState.delivery_time, class_name="text-small text-ink-2 tabular-nums"),
        rx.cond(
            OrderTimeState.unavailable_reason != "",
            rx.el.div(note(OrderTimeState.unavailable_reason, symbol="alert"), role="alert"),
        ),
        rx.cond(
            OrderTimeState.times.length() > 0,
            time_choice(
                OrderTimeState.times, OrderTimeState.chosen, OrderTimeState.choose, "another-time", is_in_dialog=True
            ),
            none,
        ),
        class_name="scrollbar-thin grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-4 sm:p-5",
    )
    foot = dialog_footer(
        "Keep Time",
        pending_button(
            "Change Time",
            "Changing...",
            OrderTimeState.is_saving,
            disabled=OrderTimeState.chosen == "",
            on_click=OrderTimeState.save,
        ),
    )
    return dialog(head, body, foot, open=OrderTimeState.is_open, on_open_change=OrderTimeState.set_open)
