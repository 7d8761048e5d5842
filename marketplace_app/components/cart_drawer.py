"""The cart: a drawer from the right, behind the button with the amber number."""

import reflex as rx

from marketplace_app.components.badges import count_badge
from marketplace_app.components.buttons import button, button_link, icon_button, sign_in_button
from marketplace_app.components.dialogs import close_button, closing, panel, panel_title
from marketplace_app.components.notices import empty
from marketplace_app.components.pictures import thumbnail
from marketplace_app.components.quote import free_delivery_hint, minimum_warning, quote
from marketplace_app.components.skeletons import lines_skeleton
from marketplace_app.messages import CART_EMPTY, CART_SIGNED_OUT, MINIMUM_HINT
from marketplace_app.states.cart import CartLine, CartState
from marketplace_app.states.viewer import ViewerState


def item_count() -> rx.Var[str]:
    return rx.cond(CartState.count == 1, "1 item", f"{CartState.count} items")


def _trigger() -> rx.Component:
    return icon_button("bag", "Cart, " + item_count(), count_badge(CartState.count))


def _stepper(line: rx.Var[CartLine]) -> rx.Component:
    return rx.el.div(
        icon_button(
            "minus",
            "Fewer",
            size="sm",
            on_click=CartState.set_quantity(line.id, line.quantity - 1),
        ),
        rx.el.span(line.quantity, class_name="min-w-7 text-center font-semibold tabular-nums", aria_live="polite"),
        icon_button(
            "plus",
            "More",
            size="sm",
            disabled=~line.can_increase,
            class_name="disabled:text-ink-off disabled:hover:bg-transparent",
            on_click=CartState.set_quantity(line.id, line.quantity + 1),
        ),
        role="group",
        aria_label=f"Quantity of {line.name}",
        class_name="flex items-center rounded-2 border border-line-strong",
    )


def _line(line: rx.Var[CartLine]) -> rx.Component:
    remove = icon_button(
        "bin", f"Remove {line.name}", size="sm", class_name="-mt-3 -mr-3", on_click=CartState.remove(line.id)
    )
    return rx.el.li(
        thumbnail(line.image),
        rx.el.div(
            rx.el.div(rx.el.h3(line.name, class_name="text-sub"), remove, class_name="flex justify-between gap-2"),
            rx.el.p(
                line.facts,
                rx.cond(line.quantity > 1, f" · {line.price} each", ""),
                class_name="text-cap text-ink-3",
            ),
            rx.el.div(
                _stepper(line),
                rx.el.span(line.total, class_name="text-sub font-semibold tabular-nums"),
                class_name="mt-2 flex items-center justify-between gap-3",
            ),
            class_name="min-w-0 flex-1",
        ),
        key=line.id,
        class_name="flex items-start gap-3.5 border-b border-line py-4",
    )


def _checkout() -> rx.Component:
    return rx.cond(
        CartState.can_check_out,
        closing(button_link(CartState.checkout_label, href="/checkout", size="lg", wide=True)),
        button(CartState.checkout_label, size="lg", wide=True, disabled=True),
    )


def _full() -> rx.Component:
    foot = rx.el.div(
        minimum_warning(MINIMUM_HINT),
        free_delivery_hint(),
        quote("Total"),
        _checkout(),
        class_name="grid gap-4 border-t border-line px-6 pt-4.5 pb-6",
    )
    return rx.fragment(rx.el.ul(rx.foreach(CartState.lines, _line), class_name="flex-1 overflow-auto px-6"), foot)


def _contents() -> rx.Component:
    signed_out = empty("bag", CART_SIGNED_OUT, sign_in_button("Sign In", size="md"))
    nothing = empty("bag", CART_EMPTY, closing(button("Continue Shopping", variant="outline")))
    return rx.cond(
        ViewerState.is_known & ~ViewerState.is_signed_in,
        rx.el.div(signed_out, class_name="px-6"),
        rx.cond(
            CartState.is_loaded,
            rx.cond(CartState.lines.length() > 0, _full(), rx.el.div(nothing, class_name="px-6")),
            rx.el.div(lines_skeleton(4), class_name="px-6"),
        ),
    )


def cart_drawer() -> rx.Component:
    count = rx.el.span(item_count(), class_name="ml-2 font-sans text-small text-ink-3 tabular-nums", aria_live="polite")
    head = rx.el.div(
        panel_title("Cart ", rx.cond(CartState.count > 0, count)),
        close_button(),
        class_name="flex flex-none items-center justify-between border-b border-line py-3.5 pr-4 pl-6",
    )
    return panel(_trigger(), head, _contents(), shape="drawer")
