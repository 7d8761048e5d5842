"""`/orders/[order_id]`: one order, its progress and its totals."""

import reflex as rx

from marketplace_app.components.buying.batch_questions import batch_questions
from marketplace_app.components.buying.batch_wish import wish_panel
from marketplace_app.components.buying.buy_again import buy_again_button, buy_again_outcome
from marketplace_app.components.buying.quote import totals
from marketplace_app.components.buying.ready_question import another_time_button, another_time_dialog, ready_panel
from marketplace_app.components.buying.recall_notice import recall_notice
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import closes_dialog, dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.facts import fact_list_from_state
from marketplace_app.components.controls.links import back_link, link
from marketplace_app.components.controls.notices import empty_state, failed_state, note, sign_in_notice
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.components.controls.skeletons import orders_skeleton
from marketplace_app.components.controls.timeline import timeline
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.components.support.ticket_form import AboutOrder, ticket_form
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.states.buying.order import OrderItem, OrderState
from marketplace_app.states.buying.order_steps import TITLE_ID
from marketplace_app.states.events.viewer import ViewerState


def _item(item: rx.Var[OrderItem]) -> rx.Component:
    return rx.el.li(
        thumbnail(item.image, "w-13"),
        rx.el.div(
            link(item.name, href=item.href, class_name="text-small font-semibold wrap-anywhere hover:underline"),
            rx.el.p(f"Quantity {item.quantity}", class_name="text-cap text-ink-3"),
            class_name="min-w-0 flex-1",
        ),
        rx.el.span(item.total, class_name="text-small tabular-nums"),
        key=item.product_id,
        class_name="flex items-center gap-3",
    )


def _found() -> rx.Component:
    head = rx.el.div(
        rx.el.h1(OrderState.title, id=TITLE_ID, tab_index=-1, class_name="text-h1 outline-none"),
        status_badge(OrderState.status_label, OrderState.status_hue),
        class_name="flex flex-wrap items-center justify-between gap-3",
    )
    progress = rx.el.section(timeline(OrderState.steps), aria_label="Order progress", aria_live="polite")
    contents = rx.el.section(
        rx.el.ul(rx.foreach(OrderState.items, _item), class_name="grid gap-4"),
        aria_label="Products",
        class_name="border-t border-line py-4.5",
    )
    return rx.fragment(
        head,
        rx.el.p(OrderState.placed, class_name="mt-1 text-small text-ink-3 tabular-nums"),
        rx.cond(OrderState.recalls.length() > 0, recall_notice()),
        rx.el.div(
            note(
                rx.el.p(rx.el.b(OrderState.headline, class_name="font-semibold"), " ", OrderState.advice),
                symbol="truck",
                variant="info",
            ),
            class_name="mt-4.5 mb-5.5",
        ),
        batch_questions(),
        ready_panel(_cancel()),
        rx.cond(OrderState.door_pin != "", _door_pin()),
        progress,
        contents,
        rx.el.div(
            totals(OrderState.lines, "Total", OrderState.total, has_reasons=True),
            class_name="border-t border-line pt-4",
        ),
        rx.cond(OrderState.cash.length() > 0, _cash()),
        rx.el.div(
            buy_again_button(OrderState.id),
            ticket_form(button("Ask about this order", variant="outline"), AboutOrder(OrderState.id, OrderState.title)),
            rx.cond(OrderState.can_move & (OrderState.readiness != "asked"), another_time_button()),
            rx.cond(OrderState.can_cancel & (OrderState.readiness != "asked"), _cancel()),
            class_name="mt-5 flex flex-wrap gap-2.5",
        ),
        another_time_dialog(),
        buy_again_outcome(OrderState.id),
        wish_panel(),
        rx.el.div(fact_list_from_state(OrderState.facts), class_name="mt-6"),
    )


def _cash() -> rx.Component:
    """Which bills and coins to prepare: customers are asked for the exact amount."""
    lines = rx.el.div(rx.foreach(OrderState.cash, rx.el.p), class_name="grid gap-1 tabular-nums")
    return rx.el.section(note(lines, symbol="cash"), aria_label="Cash to prepare", class_name="mt-5")


def _door_pin() -> rx.Component:
    words = rx.el.p(
        "Your door PIN is ",
        rx.el.b(OrderState.door_pin, class_name="font-semibold tabular-nums"),
        ". Tell it to the driver when your order arrives, and to nobody else.",
    )
    return rx.el.div(note(words, symbol="order"), class_name="mb-5.5")


def _cancel() -> rx.Component:
    """The button, which shows that cancelling is under way, and its confirmation dialog."""
    opens = pending_button("Cancel Order", "Cancelling...", OrderState.is_cancelling, variant="outline")
    head = dialog_header(f"Cancel {OrderState.title}?")
    foot = dialog_footer(
        "Keep Order",
        closes_dialog(button("Cancel Order", variant="danger", on_click=OrderState.cancel)),
    )
    return dialog(head, rx.el.p(OrderState.cancel_note, class_name="p-5"), foot, trigger=opens)


def _missing() -> rx.Component:
    return rx.fragment(
        rx.el.h1(ORDER_NOT_FOUND, class_name="text-h1"),
        empty_state("receipt", "It may belong to another account, or the link may be incomplete."),
    )


def _failed() -> rx.Component:
    return rx.fragment(
        rx.el.h1("Order", class_name="text-h1"), failed_state("This order could not be loaded.", OrderState.load)
    )


def _skeleton() -> rx.Component:
    return rx.fragment(rx.el.h1("Order", class_name="sr-only"), orders_skeleton())


def _body() -> rx.Component:
    shown = rx.match(OrderState.view, ("found", _found()), ("missing", _missing()), ("failed", _failed()), _skeleton())
    return rx.el.div(
        rx.el.p(back_link("Orders", href="/account?tab=orders"), class_name="py-2.5"),
        unless_load_failed(shown, title="Order"),
        class_name="shell max-w-order pb-20",
    )


def order() -> rx.Component:
    return page(
        rx.cond(
            ViewerState.is_known & ~ViewerState.is_signed_in,
            sign_in_notice("You need to sign in to see your orders."),
            _body(),
        )
    )
