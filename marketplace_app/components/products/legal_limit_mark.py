"""Whether one more of a product is within the legal limits (RULE legal-limits)."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.framework.expressions import expression
from marketplace_app.rule_messages import FITS
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.products.product import ProductState

# JavaScript, so that the mark follows the cart without asking the server. Each of `rooms` is what the cart leaves of a
# legal limit for the products of a category.
_ROOMS_OF_CATEGORY_JS = "{rooms}.filter((room) => room.category === {category})"
_HAS_MEASURES_JS = "((!room.per_weight || {weight_mg} != null) && (!room.per_thc || {thc_mg} != null))"
_FITS_JS = "({weight_mg} * room.per_weight + {thc_mg} * room.per_thc <= room.left)"


def legal_limit_mark() -> rx.Component:
    """For the product of the page: empty if no limit counts the product, or if its weight or THC is not known."""
    weight, thc = ProductState.weight_mg, ProductState.thc_mg
    return _mark(ProductState.category, str(weight), str(thc), "text-small", uses=[weight, thc])


@rx.memo
def card_legal_limit_mark(product_id: rx.Var[int], category: rx.Var[str]) -> rx.Component:
    """The same on a card. A component of its own, so that a change of the cart does not render the whole card."""
    measures = CatalogueState.measures
    measure = f"{measures!s}[{product_id!s}]"
    return _mark(category, f"{measure}?.weight_mg", f"{measure}?.thc_mg", "text-cap", uses=[measures])


def _mark(category: rx.Var[str], weight_mg: str, thc_mg: str, size: str, *, uses: list[rx.Var[Any]]) -> rx.Component:
    """`weight_mg` and `thc_mg` are JavaScript expressions, which read the vars `uses`."""
    names = {"rooms": str(CartState.rooms), "category": str(category), "weight_mg": weight_mg, "thc_mg": thc_mg}

    def evaluated(code: str, type: Any) -> Any:
        return expression(code.format(**names), type, uses=[CartState.rooms, category, *uses])

    is_counted = evaluated(
        f"({_ROOMS_OF_CATEGORY_JS}.length > 0 && {_ROOMS_OF_CATEGORY_JS}.every((room) => {_HAS_MEASURES_JS}))", bool
    )
    over = evaluated(f"({_ROOMS_OF_CATEGORY_JS}.find((room) => !{_FITS_JS})?.when_over ?? '')", str)
    return rx.cond(is_counted, fit_mark(over, size))


def fit_mark(over: Any, size: str = "text-small") -> rx.Component:
    """`over` is 'Over today's limit' or the like, and empty for a product that fits."""
    fits = over == ""
    return rx.el.p(
        rx.cond(fits, icon("check", "sm"), icon("alert", "sm")),
        rx.cond(fits, FITS, over),
        class_name=["flex items-center gap-1.5 font-semibold", size, rx.cond(fits, "text-ok", "text-warn")],
    )
