"""Another delivery time for the order on its page: the dialog with the times, and the change."""

import reflex as rx

from marketplace_app import dispatch_messages, messages
from marketplace_app.errors import StoreError
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.checkout import SlotChoice
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.delivery.slots import SlotForm
from marketplace_app.services.buying import own_orders
from marketplace_app.services.delivery.slots import WindowFull
from marketplace_app.services.dispatch import another_time
from marketplace_app.states.buying.delivery_rows import DeliveryTime, slot_times
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.buying.order_steps import TITLE_ID
from marketplace_app.states.events.base import SIGNED_IN, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Instead, On

FAILED = Explain(messages.ERROR, dispatch_messages.TIME_NOT_CHANGED)


class OrderTimeState(rx.State):
    is_opening: bool = False
    is_open: bool = False
    times: list[DeliveryTime] = []
    """Those of the dialog, also full ones, which cannot be chosen."""
    chosen: str = ""
    """The slot; empty until one is chosen."""
    unavailable_reason: str = ""
    """Why the time that was chosen is no longer available."""
    is_saving: bool = False

    def _leave_page(self) -> None:
        if self.is_open or self.is_opening or self.is_saving:
            self.is_open = self.is_opening = self.is_saving = False

    async def _close_and_show_order(self, error: StoreError) -> None:
        """The order has already left the shop: close the dialog and refresh the order."""
        self.is_open = False
        await (await self.get_state(OrderState))._refresh()

    async def _show_full(self, error: WindowFull) -> None:
        """The times are shown as they are now; another one has to be chosen."""
        await self._list()
        self.chosen, self.unavailable_reason = "", error.message

    @action(
        who=SIGNED_IN,
        must_sign_in=True,
        on_failure=(On(own_orders.OrderAlreadyOut, _close_and_show_order), FAILED),
    )
    async def open(self) -> Updates:
        self.is_opening = True
        yield None
        try:
            await self._list()
        finally:
            self.is_opening = False
        self.chosen, self.unavailable_reason, self.is_open = "", "", True

    @action(who=SIGNED_IN)
    async def choose(self, key: str) -> None:
        """A time that is full or not on the screen is ignored."""
        choice = parse(SlotChoice, {"key": key}).key
        if any(time.key == choice and not time.is_full for time in self.times):
            self.chosen, self.unavailable_reason = choice, ""

    @action(
        who=SIGNED_IN,
        must_sign_in=True,
        on_failure=(Instead(WindowFull, _show_full), On(own_orders.OrderAlreadyOut, _close_and_show_order), FAILED),
    )
    async def save(self) -> Updates:
        """Move the order to the time that is chosen."""
        form = parse(SlotForm, {"slotId": self.chosen})
        order = await self.get_state(OrderState)
        self.is_saving = True
        yield None
        try:
            await write(self, another_time.choose, order.id, form)
        finally:
            self.is_saving = False
        text = next((time.text for time in self.times if time.key == self.chosen), "")
        self.is_open = False
        await order._refresh()
        await toast(self, "success", dispatch_messages.time_changed(text))
        yield rx.set_focus(TITLE_ID)

    @action(who=SIGNED_IN)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.is_open = False

    async def _list(self) -> None:
        order_id = (await self.get_state(OrderState)).id
        self.times = slot_times(await read(self, another_time.list_offered, order_id))
