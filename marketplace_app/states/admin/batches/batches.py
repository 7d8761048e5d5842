"""The batches of a product on its admin page."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import clock
from marketplace_app.display.labels import BATCH_HUES, BATCH_LABELS
from marketplace_app.display.paging import Paging
from marketplace_app.limits import LEDGER_PAGE_SIZE
from marketplace_app.models import BatchState, Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import BatchQuery, BatchView
from marketplace_app.schemas.controls import PageNumber
from marketplace_app.services.batches import keeping
from marketplace_app.states.admin.products.product_stock import AdminStockState
from marketplace_app.states.events.base import action, read


@dataclass(frozen=True)
class BatchRow:
    id: int
    code: str
    units: str
    set_aside: str
    expires: str
    state: str
    hue: str
    why: str
    """Why it is held or was recalled; empty if neither."""
    is_held: bool
    is_recalled: bool


class AdminBatchesState(rx.State):
    product_id: int = 0
    rows: list[BatchRow] = []
    total: int = 0
    page: int = 1
    pages: int = 1

    @action(who=Permission.SEE_PRODUCTS)
    async def go_to(self, page: int) -> None:
        self.page = parse(PageNumber, {"page": page}).page
        await self._load()

    async def _show(self, product_id: int) -> None:
        if product_id != self.product_id:
            self.product_id, self.page = product_id, 1
        await self._load()

    async def _refresh_all(self) -> None:
        """Reload after a change to a batch, which may also change the product's stock and stock ledger."""
        await self._load()
        await (await self.get_state(AdminStockState))._refresh()

    async def _load(self) -> None:
        offset = (self.page - 1) * LEDGER_PAGE_SIZE
        query = parse(BatchQuery, {"productId": self.product_id, "limit": LEDGER_PAGE_SIZE, "offset": offset})
        found = await read(self, keeping.list_all, query)
        self.rows, self.total = [_row(batch) for batch in found.batches], found.total
        self.pages = Paging(self.page, LEDGER_PAGE_SIZE, found.total).pages


def _row(batch: BatchView) -> BatchRow:
    return BatchRow(
        id=batch.id,
        code=batch.code,
        units=f"{batch.units:,}",
        set_aside=f"{batch.set_aside:,}",
        expires=clock.show_day(batch.expires_on) if batch.expires_on else "No last day",
        state=BATCH_LABELS[batch.state],
        hue=BATCH_HUES[batch.state],
        why=batch.recall_reason or batch.hold_reason,
        is_held=bool(batch.hold_reason),
        is_recalled=batch.state is BatchState.RECALLED,
    )
