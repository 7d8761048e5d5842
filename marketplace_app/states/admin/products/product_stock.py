"""A product's stock: the count, a correction with its reason, and the ledger."""

from dataclasses import dataclass

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages
from marketplace_app.config import get_settings
from marketplace_app.display.paging import Paging
from marketplace_app.limits import LEDGER_PAGE_SIZE
from marketplace_app.models import Permission, StockReason
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import PageNumber, integer_or_text
from marketplace_app.schemas.products.stock import MovementQuery, MovementView, StockForm
from marketplace_app.services import stock
from marketplace_app.services.admin import products as admin_products
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields

FIELDS = ("change", "note")
REASONS = {
    StockReason.OPENING: "Opening stock",
    StockReason.SALE: "Sale",
    StockReason.CANCEL: "Order cancelled",
    StockReason.ADJUST: "Adjusted",
    StockReason.IMPORT: "Import",
    StockReason.SET_ASIDE: "Set aside",
    StockReason.RELEASE: "Released",
    StockReason.SWAP: "Another batch",
}


@dataclass(frozen=True)
class LedgerRow:
    id: int
    at: str
    what: str
    """The kind of movement, such as a sale."""
    why: str
    """The order's number or, without an order, the note and who made the change."""
    href: str
    change: str
    is_decrease: bool
    stock_after: str


class StockFormData(TypedDict, total=False):
    form_key: str
    change: str
    note: str


class AdminStockState(rx.State):
    product_id: int = 0
    stock: str = ""
    is_low: bool = False
    rows: list[LedgerRow] = []
    page: int = 1
    pages: int = 1
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_saving: bool = False
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(Fields("errors", FIELDS), Explain(messages.ERROR, messages.STOCK_NOT_ADJUSTED)),
    )
    async def adjust(self, form: StockFormData) -> Updates:
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            fields = {"change": integer_or_text(form.get("change", "")), "note": form.get("note", "")}
            await write(self, stock.adjust, self.product_id, parse(StockForm, fields))
        finally:
            self.is_saving = False
        self.page, self.form_key = 1, self.form_key + 1  # before the next steps, which may fail
        await self._refresh()
        await toast(self, "success", messages.STOCK_ADJUSTED)

    @action(who=Permission.SEE_PRODUCTS)
    async def go_to(self, page: int) -> None:
        self.page = parse(PageNumber, {"page": page}).page
        await self._load()

    async def _refresh(self) -> None:
        """The stock was changed on this page. What is being typed stays."""
        await self._show(await read(self, admin_products.get, self.product_id))

    async def _show(self, product: AdminProductView) -> None:
        if product.id != self.product_id:
            self.product_id, self.page, self.form_key = product.id, 1, self.form_key + 1
            self.errors = dict.fromkeys(FIELDS, "")
        self.stock, self.is_low = f"{product.stock:,}", product.is_low
        await self._load()

    async def _load(self) -> None:
        query = MovementQuery(limit=LEDGER_PAGE_SIZE, offset=(self.page - 1) * LEDGER_PAGE_SIZE)
        total, movements = await read(self, stock.list_movements, self.product_id, query)
        self.rows = [_row(movement) for movement in movements]
        self.pages = Paging(self.page, LEDGER_PAGE_SIZE, total).pages


def _row(movement: MovementView) -> LedgerRow:
    note_and_author = " · ".join(filter(None, (movement.note, movement.by)))
    return LedgerRow(
        id=movement.id,
        at=clock.show_time(movement.created_at, get_settings().timezone),
        what=REASONS[movement.reason],
        why=f"Order {movement.order_number}" if movement.order_id else note_and_author,
        href=f"/admin/orders/{movement.order_id}" if movement.order_id else "",
        change=f"{movement.change:+,}".replace("-", "−"),
        is_decrease=movement.change < 0,
        stock_after=f"{movement.stock_after:,}",
    )
