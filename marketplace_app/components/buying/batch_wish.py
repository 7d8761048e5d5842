"""Asks what a customer wants if an order is packed from another batch, at the checkout and on the order's page."""

from typing import Any

import reflex as rx

from marketplace_app.batch_messages import WISH, WISH_HINT, WISHES
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.choices import CHOICES, choice_row
from marketplace_app.states.buying.order_wish import OrderWishState


def wish_choice(chosen: rx.vars.StringVar[str], on_change: Any, name: str = "substitution") -> rx.Component:
    """Radio buttons below their heading, with a sentence that says when the wish matters."""
    rows = [
        choice_row(text, key=wish.value, name=name, checked=chosen == wish.value, on_change=on_change(wish.value))
        for wish, text in WISHES.items()
    ]
    return rx.el.fieldset(
        rx.el.legend(rx.el.h2(WISH, class_name="text-h2")),
        rx.el.p(WISH_HINT, id=f"{name}-hint", class_name="mt-1.5 mb-4 text-small text-ink-2"),
        rx.el.div(*rows, class_name=CHOICES),
        aria_describedby=f"{name}-hint",
        class_name="min-w-0",
    )


def wish_panel() -> rx.Component:
    """On the order's page, as long as the wish can be changed."""
    state = OrderWishState
    save = pending_button(
        "Save Choice",
        "Saving...",
        state.is_saving,
        variant="outline",
        disabled=state.chosen == state.saved_wish,
        on_click=state.save,
    )
    return rx.cond(
        state.saved_wish != "",
        rx.el.div(
            wish_choice(state.chosen, state.choose),
            rx.el.div(save, class_name="mt-4"),
            class_name="mt-6 border-t border-line pt-5",
        ),
    )
