"""The button 'Buy again', and a note beside the order that says what was added, with a link to checkout."""

import reflex as rx

from marketplace_app.components.controls.buttons import button_link, pending_button
from marketplace_app.components.controls.notices import note
from marketplace_app.states.buying.buy_again import BuyAgainState
from marketplace_app.states.events.viewer import ViewerState


def buy_again_button(order_id: rx.Var[str], which: str = "") -> rx.Component:
    """For those who may shop. `which` names the order for assistive technology, since a list has several buttons."""
    buy = pending_button(
        "Buy again",
        "Adding...",
        BuyAgainState.adding == order_id,
        hidden_label=which,
        on_click=BuyAgainState.buy(order_id, BuyAgainState.press),
        variant="outline",
    )
    return rx.cond(ViewerState.has_access, buy)


def buy_again_outcome(order_id: rx.Var[str]) -> rx.Component:
    answer = rx.el.div(buy_again_note(BuyAgainState.added, BuyAgainState.missing), class_name="mt-4")
    return rx.cond(BuyAgainState.order_id == order_id, answer)


def buy_again_note(added: rx.Var[str], missing: rx.Var[str]) -> rx.Component:
    """What was added and what is missing; no link to checkout if nothing was added."""
    has_added = added != ""
    sentences = rx.el.div(
        rx.cond(has_added, rx.el.p(added)),
        rx.cond(missing != "", rx.el.p(missing)),
        class_name="grid min-w-0 flex-1 basis-60 gap-1",
    )
    return note(
        rx.el.div(
            sentences,
            rx.cond(has_added, button_link("Checkout", href="/checkout")),
            class_name="flex flex-wrap items-center gap-x-5 gap-y-3",
        ),
        symbol="bag",
        variant="info",
        role="status",
    )
