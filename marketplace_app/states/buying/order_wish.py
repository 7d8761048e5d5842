"""What the customer wants if the order on its page is packed from another batch (RULE batch-wish)."""

from collections.abc import Sequence

import reflex as rx

from marketplace_app import batch_messages, messages
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_batches import OrderBatch, WishForm
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.services.order_batches import wishes
from marketplace_app.states.events.base import SIGNED_IN, Updates, action, toast, write
from marketplace_app.states.events.failures import Explain


class OrderWishState(rx.State):
    saved_wish: str = ""
    """The order's wish; empty if it cannot be changed."""
    chosen: str = ""
    """What is chosen on the screen, before it is saved."""
    is_saving: bool = False
    _order_id: str = ""

    @action(who=SIGNED_IN)
    async def choose(self, wish: str) -> None:
        self.chosen = parse(WishForm, {"substitution": wish}).substitution.value

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=Explain(messages.ERROR, batch_messages.WISH_NOT_SAVED))
    async def save(self) -> Updates:
        form = parse(WishForm, {"substitution": self.chosen})
        self.is_saving = True
        yield None
        try:
            await write(self, wishes.change, self._order_id, form)
        finally:
            self.is_saving = False
        self.saved_wish = self.chosen = form.substitution.value
        await toast(self, "success", batch_messages.WISH_SAVED)

    def _show(self, order: OrderView, batches: Sequence[OrderBatch]) -> None:
        """Show the order's wish. A choice that is not saved yet stays on the screen."""
        is_untouched = self._order_id != order.id or self.chosen == self.saved_wish
        saved = order.delivery.substitution.value if order.delivery and wishes.can_change(order, batches) else ""
        self._order_id, self.saved_wish = order.id, saved
        if is_untouched or not saved:
            self.chosen = saved
