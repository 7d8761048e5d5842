"""'Add to Cart' on a product's page, with the quantity."""

import reflex as rx

from marketplace_app.components.controls.buttons import icon_button, pending_on_click
from marketplace_app.components.products.product_card import add_button
from marketplace_app.framework.expressions import expression
from marketplace_app.states.buying.cart import CartState

# The quantity is chosen in the browser, without a server round trip; the server checks it when products are added.
# It is reset to one when the product or the cart changes, and reduced when less can be added than was chosen.
_QUANTITY_HOOK = """
const [quantity, setQuantity] = useState(1);
useEffect(() => setQuantity(1), [{resets_on}]);
useEffect(() => setQuantity((chosen) => Math.max(1, Math.min(chosen, {max_addable}))), [{max_addable}]);
"""


@rx.memo
def add_to_cart(
    product_id: rx.vars.NumberVar[int],
    name: rx.Var[str],
    max_quantity: rx.vars.NumberVar[int],
    in_stock: rx.Var[bool],
    described_by: rx.Var[str],
) -> rx.Component:
    resets_on = f"{CartState.count!s}, {product_id!s}"
    quantity_in_cart = _quantity_in_cart(product_id)
    max_addable = max_quantity - quantity_in_cart
    hook = _QUANTITY_HOOK.format(resets_on=resets_on, max_addable=str(max_addable))
    quantity = expression("quantity", int, uses=[CartState.count], react=["useEffect", "useState"], hook=hook).to(int)
    is_max = quantity >= max_addable
    click_props = pending_on_click(CartState.add(product_id, quantity))
    stepper = rx.el.div(
        _quantity_button("minus", f"Fewer of {name}", quantity <= 1, "setQuantity(quantity - 1)"),
        rx.el.span(quantity, class_name="min-w-7 text-center font-semibold tabular-nums", aria_live="polite"),
        _quantity_button("plus", f"More of {name}", is_max, "setQuantity(quantity + 1)"),
        role="group",
        aria_label=f"Quantity of {name}",
        class_name="flex flex-none items-center rounded-2 border border-line-strong",
    )
    return rx.fragment(
        rx.cond(in_stock, stepper),
        rx.el.div(
            add_button(in_stock, described_by=described_by, **click_props, size="lg", wide=True),
            rx.cond(in_stock & (quantity_in_cart > 0), _in_cart_note(quantity_in_cart, max_quantity)),
            # When it is sold out, the button for a stock alert is beside this one, or below it on a narrow phone.
            class_name=["grid flex-1 gap-1 max-lg:*:px-2", rx.cond(in_stock, "min-w-0", "min-w-fit")],
        ),
    )


def _quantity_in_cart(product_id: rx.vars.NumberVar[int]) -> rx.vars.NumberVar[int]:
    """The quantity of this product in the cart."""
    lines = CartState.lines
    script = f"({lines!s}.find((line) => line.product_id === {product_id!s})?.quantity ?? 0)"
    return expression(script, int, uses=[lines]).to(int)


def _in_cart_note(quantity_in_cart: rx.vars.NumberVar[int], max_quantity: rx.vars.NumberVar[int]) -> rx.Component:
    # One line on a phone, where this is in a bar at the foot of the screen: toasts are shown directly above it.
    is_max = quantity_in_cart >= max_quantity
    more = rx.cond(is_max, rx.el.span(", the most you can order", class_name="max-lg:sr-only"))
    return rx.el.p(f"{quantity_in_cart} in your cart", more, class_name="text-center text-cap text-ink-2")


def _quantity_button(symbol: str, label: str, is_disabled: rx.Var[bool], script: str) -> rx.Component:
    return icon_button(symbol, label, disabled=is_disabled, on_click=expression(f"() => {script}", rx.EventChain))
