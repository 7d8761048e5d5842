"""Whether one more of a product is within the legal limits (RULE legal-limits)."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.framework.expressions import expression
from marketplace_app.rule_messages import FITS
from marketplace_app.states.cart import CartState
from marketplace_app.states.product import ProductState

# Judged in the browser, so that it follows the cart without a question to the server.
_ROOMS = "{rooms}.filter((room) => room.category === {category})"
_IS_KNOWN = "((!room.per_weight || {weight_mg} != null) && (!room.per_thc || {thc_mg} != null))"
_FITS = "({weight_mg} * room.per_weight + {thc_mg} * room.per_thc <= room.left)"


def limit_fit() -> rx.Component:
    """For the product of the page: nothing if no limit counts it, or its measure is not known."""
    used = {
        "rooms": CartState.rooms,
        "category": ProductState.category,
        "weight_mg": ProductState.weight_mg,
        "thc_mg": ProductState.thc_mg,
    }

    def judged(code: str, type: Any) -> Any:
        return expression(code.format(**{name: str(var) for name, var in used.items()}), type, uses=used.values())

    is_counted = judged(f"({_ROOMS}.length > 0 && {_ROOMS}.every((room) => {_IS_KNOWN}))", bool)
    return rx.cond(is_counted, fit_mark(judged(f"({_ROOMS}.find((room) => !{_FITS})?.when_over ?? '')", str)))


def fit_mark(over: Any) -> rx.Component:
    """`over` is 'Over today's limit' or the like, and empty for a product that fits."""
    fits = over == ""
    return rx.el.p(
        rx.cond(fits, icon("check", "sm"), icon("alert", "sm")),
        rx.cond(fits, FITS, over),
        class_name=["flex items-center gap-1.5 text-small font-semibold", rx.cond(fits, "text-ok", "text-warn")],
    )
