"""On an order's page: which of its products were recalled, why, and what to do (RULE recall-notice)."""

import reflex as rx

from marketplace_app import recall_messages
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.notices import note
from marketplace_app.states.buying.order import OrderState, RecallNoticeRow


def recall_notice() -> rx.Component:
    state = OrderState
    confirm = pending_button(
        "I have read this",
        "Saving...",
        state.is_confirming_recall,
        variant="outline",
        on_click=state.confirm_recall_read,
    )
    text = note(
        rx.el.h2(recall_messages.IN_YOUR_ORDER, class_name="font-sans text-ui font-semibold"),
        rx.el.ul(rx.foreach(state.recalls, _recall), class_name="mt-1 grid gap-1"),
        rx.el.p(state.recall_advice, class_name="mt-2"),
        rx.el.div(
            rx.cond(state.recall_read != "", rx.el.p(state.recall_read, class_name="text-ink-2"), confirm),
            class_name="mt-3",
        ),
        symbol="alert",
        variant="bad",
    )
    return rx.el.section(text, aria_label="Recall", class_name="mt-4.5")


def _recall(row: rx.Var[RecallNoticeRow]) -> rx.Component:
    return rx.el.li(
        rx.el.b(row.what, class_name="font-semibold"), " ", row.reason, key=row.batch_id, class_name="wrap-anywhere"
    )
