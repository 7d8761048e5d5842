"""'Buy again': adds an earlier order's products to the cart, from the list of orders and from an order's page."""

import reflex as rx

from marketplace_app.messages import Notice
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderId
from marketplace_app.services.buying import orders
from marketplace_app.services.buying.cart import Shortage
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.events.base import SHOPPERS, Updates, action, toast

SHORTAGES = {
    Shortage.STOCK: "Not enough in stock",
    Shortage.CART_IS_FULL: "Your cart has no room for",
    Shortage.UNAVAILABLE: "No longer available",
}


class BuyAgainState(rx.State):
    adding: str = ""
    """The order whose products are being added, or nothing."""
    order_id: str = ""
    """The order last bought again; the outcome is shown beside it."""
    added: str = ""
    """`Fern Hollow, Quiet Mint have been added to your cart.`; empty when nothing was available."""
    missing: str = ""
    """`Not enough in stock: Slow Honey. No longer available: Larch.`, or nothing."""

    press: int = 0
    """The number that the next press sends. The second click of a double click repeats the number, and is ignored."""
    _last: str = ""
    """The order of the last completed press. Unlike `order_id`, it is kept when the next press begins."""

    @action(who=SHOPPERS, must_sign_in=True)
    async def buy(self, order_id: str, press: int = -1) -> Updates:
        """Add what is available to the cart and name what is not. A page of the previous release sends no `press`."""
        order_id = parse(OrderId, {"orderId": order_id}).order_id
        if press not in (-1, self.press) and order_id == self._last:
            return
        self._forget()
        self.adding = order_id
        yield None
        try:
            bought = await (await self.get_state(CartState))._change(orders.buy_again, order_id)
        finally:
            self.adding = ""
        self.order_id, self.added, self.missing = order_id, _added(bought), _missing(bought)
        self.press, self._last = self.press + 1, order_id
        if bought.added:
            await toast(self, "success", Notice("Added to Cart", f"{self.added} {self.missing}".strip()))
        else:
            await toast(self, "error", Notice("Nothing Added", self.missing))

    def _forget(self) -> None:
        self.order_id = self.added = self.missing = ""


def _added(bought: orders.BuyAgainResult) -> str:
    if not bought.added:
        return ""
    return f"{', '.join(bought.added)} {'has' if len(bought.added) == 1 else 'have'} been added to your cart."


def _missing(bought: orders.BuyAgainResult) -> str:
    return " ".join(f"{SHORTAGES[reason]}: {', '.join(names)}." for reason, names in bought.short.items())
