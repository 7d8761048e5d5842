"""`/account`: the orders one has placed."""

import reflex as rx

from marketplace_app.components.buttons import button_link
from marketplace_app.components.layout import page
from marketplace_app.components.notices import empty, sign_in_notice
from marketplace_app.components.orders_list import order_card
from marketplace_app.components.skeletons import lines_skeleton
from marketplace_app.messages import SIGN_IN_FOR_ACCOUNT
from marketplace_app.states.orders import OrdersState
from marketplace_app.states.viewer import ViewerState


def _orders() -> rx.Component:
    nothing = empty("receipt", "No orders yet.", button_link("Browse Products", href="/", variant="outline"))
    return rx.cond(
        OrdersState.is_loading,
        lines_skeleton(8),
        rx.cond(OrdersState.orders.length() > 0, rx.el.ul(rx.foreach(OrdersState.orders, order_card)), nothing),
    )


def _body() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Your orders", class_name="mb-1.5 text-h1"),
        rx.el.p(ViewerState.email, class_name="mb-6 text-ink-2"),
        rx.el.div(_orders(), class_name="max-w-orders"),
        class_name="shell pt-8 pb-20",
    )


def account() -> rx.Component:
    return page(
        rx.cond(ViewerState.is_known & ~ViewerState.is_signed_in, sign_in_notice(SIGN_IN_FOR_ACCOUNT.text), _body())
    )
