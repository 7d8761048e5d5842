"""The cart: a drawer from the right, opened by the button with the number of items."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from marketplace_app.components.buying.quote import (
    free_delivery_hint,
    limit_meters,
    limit_notices,
    minimum_warning,
    quote,
)
from marketplace_app.components.controls.badges import count_badge
from marketplace_app.components.controls.buttons import button, button_link, icon_button, sign_in_button
from marketplace_app.components.controls.dialogs import close_button, closes_dialog, dialog, dialog_title
from marketplace_app.components.controls.notices import empty_state, invitation_required
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.components.controls.skeletons import cart_lines_skeleton
from marketplace_app.messages import CART_EMPTY, CART_SIGNED_OUT
from marketplace_app.states.buying.cart import CartRow, CartState
from marketplace_app.states.events.viewer import ViewerState


def _item_count(count: rx.vars.NumberVar[int]) -> rx.vars.StringVar[str]:
    return rx.cond(count == 1, "1 item", f"{count} items")


def cart_button(count: rx.vars.NumberVar[int]) -> rx.Component:
    return icon_button("bag", "Cart, " + _item_count(count), count_badge(count))


def _stepper(line: rx.Var[CartRow], step: Callable[..., Any]) -> rx.Component:
    limit_id = f"cart-limit-{line.id}"
    steps = rx.el.div(
        icon_button(
            "minus",
            f"Fewer of {line.name}",
            size="sm",
            on_click=step(line.id, -1),
        ),
        rx.el.span(line.quantity, class_name="min-w-7 text-center font-semibold tabular-nums", aria_live="polite"),
        icon_button(
            "plus",
            f"More of {line.name}",
            size="sm",
            disabled=line.limit != "",
            aria_describedby=limit_id,
            on_click=step(line.id, 1),
        ),
        role="group",
        aria_label=f"Quantity of {line.name}",
        class_name="flex items-center rounded-2 border border-line-strong",
    )
    limit = rx.el.p(line.limit, id=limit_id, class_name="text-cap text-warn empty:hidden")
    return rx.el.div(steps, limit, class_name="grid justify-items-start gap-1")


def cart_line(line: rx.Var[CartRow], step: Callable[..., Any], remove: Callable[..., Any]) -> rx.Component:
    bin_button = icon_button(
        "bin", f"Remove {line.name}", size="sm", class_name="-my-3 -mr-3", on_click=remove(line.id)
    )
    return rx.el.li(
        thumbnail(line.image, "w-16 xs:w-19"),
        rx.el.div(
            rx.el.div(
                rx.el.h3(line.name, class_name="min-w-0 text-sub wrap-anywhere"),
                bin_button,
                class_name="flex justify-between gap-2",
            ),
            rx.el.p(
                line.subtitle,
                rx.cond(line.quantity > 1, f" · {line.price} each", ""),
                class_name="text-cap text-balance text-ink-3",
            ),
            rx.el.div(
                _stepper(line, step),
                rx.el.span(line.total, class_name="ml-auto text-sub font-semibold tabular-nums"),
                class_name="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1",
            ),
            class_name="min-w-0 flex-1",
        ),
        key=line.id,
        class_name="flex items-start gap-3.5 border-b border-line py-4",
    )


def _line(line: rx.Var[CartRow]) -> rx.Component:
    return cart_line(line, CartState.step, CartState.remove)


def _checkout() -> rx.Component:
    return rx.cond(
        CartState.can_check_out,
        closes_dialog(button_link(CartState.checkout_label, href="/checkout", size="lg", wide=True)),
        button(CartState.checkout_label, size="lg", wide=True, disabled=True),
    )


def _body() -> rx.Component:
    return cart_body(
        rx.foreach(CartState.lines, _line),
        minimum_warning(CartState.minimum),
        free_delivery_hint(),
        limit_meters(),
        limit_notices(),
        quote("Total"),
        _checkout(),
    )


def cart_body(lines: rx.Component, *foot: rx.Component) -> rx.Component:
    """The lines scroll; the sums and the button stay. In a window too short for that, everything scrolls."""
    return rx.fragment(
        rx.el.ul(
            lines,
            class_name="flex-1 overflow-auto overscroll-contain px-4 xs:px-6 short:flex-none short:overflow-visible",
        ),
        rx.el.div(*foot, class_name="grid gap-4 border-t border-line px-4 pt-4.5 pb-6 xs:px-6"),
    )


def _contents() -> rx.Component:
    signed_out = empty_state("bag", CART_SIGNED_OUT, sign_in_button("Sign In", size="md"))
    nothing = empty_state("bag", CART_EMPTY, closes_dialog(button("Continue Shopping", variant="outline")))
    loaded = rx.cond(
        CartState.is_loaded,
        rx.cond(CartState.lines.length() > 0, _body(), rx.el.div(nothing, class_name="px-4 xs:px-6")),
        rx.el.div(cart_lines_skeleton(), class_name="px-4 xs:px-6"),
    )
    refused = rx.cond(
        ViewerState.is_signed_in,
        invitation_required(rx.el.h3, in_dialog=True),
        rx.el.div(signed_out, class_name="px-4 xs:px-6"),
    )
    return rx.cond(ViewerState.is_known & ~ViewerState.has_access, refused, loaded)


def cart_drawer() -> rx.Component:
    return dialog(cart_head(CartState.count), _contents(), trigger=cart_button(CartState.count), shape="drawer")


def cart_head(count: rx.vars.NumberVar[int]) -> rx.Component:
    items = rx.el.span(
        _item_count(count), class_name="ml-2 font-sans text-small text-ink-3 tabular-nums", aria_live="polite"
    )
    return rx.el.div(
        dialog_title("Cart ", rx.cond(count > 0, items)),
        close_button(),
        class_name="flex flex-none items-center justify-between border-b border-line py-3.5 pr-2 pl-4 xs:pr-4 xs:pl-6",
    )
