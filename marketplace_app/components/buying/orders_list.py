"""Orders as the account shows them."""

import reflex as rx

from marketplace_app.components.buying.buy_again import buy_again_button, buy_again_outcome
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.facts import fact_list
from marketplace_app.states.buying.orders import OrdersState, OwnOrderCard


def order_card(order: rx.Var[OwnOrderCard]) -> rx.Component:
    head = rx.el.div(
        rx.el.h2(f"Order {order.number}", class_name="text-h3"),
        status_badge(order.status_label, order.status_hue),
        rx.el.span(order.total, class_name="ml-auto text-sub font-semibold tabular-nums"),
        class_name="flex flex-wrap items-center gap-3",
    )
    return rx.el.li(
        head,
        rx.el.p(
            f"{order.placed} · ID ending ",
            rx.el.span(order.short_id, class_name="tabular-nums"),
            class_name="mt-1 text-small text-ink-3",
        ),
        rx.el.p(order.contents, class_name="mt-3 text-ink-2"),
        rx.el.div(
            fact_list(
                [
                    ("Payment", order.payment),
                    ("Estimated delivery", order.estimated_delivery),
                    ("Delivery address", order.delivery_address),
                    ("Contact phone", order.contact_phone),
                ]
            ),
            rx.cond(
                order.weekend_note != "",
                rx.el.p(order.weekend_note, class_name="mt-2 text-small text-ink-3"),
            ),
            class_name="mt-4",
        ),
        rx.el.div(
            button(
                "View Details",
                rx.el.span(f" of order {order.number}", class_name="sr-only"),
                variant="outline",
                on_click=OrdersState.view_details(order.id),
            ),
            buy_again_button(order.id, f" order {order.number}"),
            class_name="mt-4 flex flex-wrap gap-2.5",
        ),
        buy_again_outcome(order.id),
        key=order.id,
        class_name="border-t border-line py-6 first:border-t-0 first:pt-0",
    )
