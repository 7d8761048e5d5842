"""The dialog in which an order is packed from another batch (RULE batch-swap)."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import batch_messages, messages
from marketplace_app.display.batches import describe
from marketplace_app.display.paging import counted
from marketplace_app.errors import NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_batches import BatchKey, LineShare, ReplacementBatch, SwapForm
from marketplace_app.schemas.controls import OpenToggle, row_id
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.services.order_batches import picking
from marketplace_app.services.order_batches.questions import AlreadyAsked
from marketplace_app.states.admin.orders.order import AdminOrderState
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Instead, On

FAILED = Explain(messages.ERROR, batch_messages.BATCH_NOT_CHANGED)


@dataclass(frozen=True)
class ChoiceRow:
    key: str
    """The id of the batch, not its code."""
    text: str
    """`FH-2612 · last day May 02, 2027 · THC 21%`"""
    note: str
    """`14 units`, or `14 units, asks first`"""
    asks: bool
    """The customer is asked first whether this batch may be packed."""


class AdminOrderBatchState(rx.State):
    is_open: bool = False
    order_id: str = ""
    """The order that the dialog was opened for; the page may show another one by now."""
    title: str = ""
    """`Another batch of Fern Hollow`"""
    current: str = ""
    """`Now: 2 units of FH-2611 · last day May 02, 2027 · THC 22.4%`"""
    wish: str = ""
    choices: list[ChoiceRow] = []
    chosen: str = ""
    """The batch that is to be packed; empty until one is chosen."""
    asks: bool = False
    """The customer is asked first about the chosen batch."""
    notice: str = ""
    """Why the batch that was chosen cannot be packed."""
    is_saving: bool = False
    _product_id: int = 0
    _batch_id: int = 0

    async def _close_and_refresh(self, error: StoreError) -> None:
        """The order has left, or a colleague changed it first."""
        self.is_open = False
        await self._refresh_order()

    async def _show_unavailable(self, error: StoreError) -> None:
        """The batches are shown as they are now; another one has to be chosen."""
        await self._load_choices()
        self.chosen, self.asks, self.notice = "", False, error.message

    @action(who=Permission.EDIT_ORDERS, on_failure=(On((NotFound, OrderAlreadyOut), _close_and_refresh), FAILED))
    async def open(self, product_id: int, batch_id: int) -> None:
        share = parse(LineShare, {"productId": product_id, "batchId": batch_id})
        self.order_id = (await self.get_state(AdminOrderState)).id
        self._product_id, self._batch_id = share.product_id, share.batch_id
        await self._load_choices()
        self.chosen, self.asks, self.notice, self.is_open = "", False, "", True

    @action(who=Permission.EDIT_ORDERS)
    async def choose(self, key: str) -> None:
        """Choose a batch; one that is not on the screen is ignored."""
        wanted = parse(BatchKey, {"key": key}).key
        for choice in self.choices:
            if choice.key == wanted:
                self.chosen, self.asks, self.notice = wanted, choice.asks, ""

    @action(
        who=Permission.EDIT_ORDERS,
        on_failure=(
            Instead((picking.BatchUnavailable, AlreadyAsked), _show_unavailable),
            On((NotFound, OrderAlreadyOut), _close_and_refresh),
            FAILED,
        ),
    )
    async def save(self) -> Updates:
        if not self.is_open:
            return
        chosen = row_id(self.chosen)
        form = parse(SwapForm, {"fromBatchId": self._batch_id, "toBatchId": chosen})
        self.is_saving = True
        yield None
        try:
            picked = await write(self, picking.change, self.order_id, self._product_id, form)
        finally:
            self.is_saving = False
        self.is_open = False
        await self._refresh_order()
        notice = batch_messages.CUSTOMER_ASKED if picked.is_asked else batch_messages.BATCH_CHANGED
        await toast(self, "success", notice)

    @action(who=Permission.EDIT_ORDERS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close it, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.is_open = False

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False

    async def _refresh_order(self) -> None:
        await (await self.get_state(AdminOrderState))._refresh()

    async def _load_choices(self) -> None:
        found = await read(self, picking.list_choices, self.order_id, self._product_id, self._batch_id)
        batch = found.current
        described = describe(batch.code, batch.expires_on, batch.thc_percent)
        self.title = f"Another batch of {batch.product}"
        self.current = f"Now: {counted(batch.units, 'unit')} of {described}"
        self.wish = batch_messages.wish_sentence(found.wish)
        self.choices = [_row(choice) for choice in found.others]


def _row(choice: ReplacementBatch) -> ChoiceRow:
    text = describe(choice.code, choice.expires_on, choice.thc_percent)
    note = f"{counted(choice.units, 'unit')}{', asks first' if choice.asks else ''}"
    return ChoiceRow(str(choice.batch_id), text, note, choice.asks)
