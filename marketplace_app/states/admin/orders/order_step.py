"""A button sets an order's next status. This step can be undone unless the order has changed since."""

from dataclasses import dataclass
from itertools import pairwise

import reflex as rx

from marketplace_app import messages
from marketplace_app.errors import Conflict, EditedMeanwhile
from marketplace_app.models import OrderStatus, Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm, OrderStep
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.services.buying import fulfilment
from marketplace_app.states.buying.order_steps import STATUS_SEQUENCE
from marketplace_app.states.events.base import Updates, action, write
from marketplace_app.states.events.failures import Explain

NEXT_STATUS = dict(pairwise(STATUS_SEQUENCE))


@dataclass(frozen=True)
class LastStep:
    order_id: str
    before: OrderStatus
    after: OrderStatus


class AdminOrderStepState(rx.State):
    saving_id: str = ""
    """The order whose status is being set, or empty."""
    announcement: str = ""
    """`Order 4836 is now confirmed.`"""
    undo_bar_key: int = 0
    """A React key: a new number restarts the ten seconds in which the step can be undone."""
    can_undo: bool = False
    _last_step: LastStep | None = None

    @action(who=Permission.EDIT_ORDERS, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_UPDATED))
    async def advance(self, order_id: str, status: str) -> Updates:
        """`status` is what the screen showed: a status that a colleague has set since is not overwritten."""
        seen = parse(OrderStep, {"orderId": order_id, "status": status})
        after = NEXT_STATUS.get(seen.status)
        if after is None:
            raise Conflict(messages.ORDER_CHANGED_MEANWHILE)
        self.saving_id = seen.order_id
        yield None
        try:
            order = await self._set(seen.order_id, seen.status, after)
        finally:
            self.saving_id = ""
        self._last_step = LastStep(order.id, seen.status, after)
        self._announce(f"Order {order.number} is now {after.label}.")

    @action(who=Permission.EDIT_ORDERS, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_UPDATED))
    async def undo(self) -> None:
        """Restore the status that the order had before the last step, with all effects of that status."""
        last_step, self._last_step, self.can_undo = self._last_step, None, False
        if last_step is not None:
            order = await self._set(last_step.order_id, last_step.after, last_step.before)
            self._announce(f"Order {order.number} is {last_step.before.label} again.")

    def _announce(self, sentence: str) -> None:
        self.announcement, self.can_undo = sentence, self._last_step is not None
        self.undo_bar_key += 1

    async def _set(self, order_id: str, before: OrderStatus, after: OrderStatus) -> OrderView:
        try:
            return await write(self, fulfilment.edit, order_id, OrderEditForm(status=after), seen={"status": before})
        except EditedMeanwhile as error:
            raise Conflict(messages.ORDER_CHANGED_MEANWHILE) from error
