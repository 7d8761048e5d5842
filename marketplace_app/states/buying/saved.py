"""Saved products: which hearts are filled, and the account's list of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import reflex as rx

from marketplace_app import messages, money
from marketplace_app.schemas.base import Form, RowId, parse
from marketplace_app.schemas.buying.saved import SaveForm
from marketplace_app.schemas.products.products import ProductView
from marketplace_app.services.buying import saved, stock_alerts
from marketplace_app.states.events.base import SIGNED_IN, Events, Updates, action, read, write
from marketplace_app.states.events.failures import Explain

LIST_ID = "saved-products"
"""Receives the focus when the focused row is removed."""


@dataclass(frozen=True)
class SavedRow:
    id: int
    href: str
    """Empty for a product that is no longer sold."""
    name: str
    subtitle: str
    image: str
    price: str
    in_stock: bool
    is_still_sold: bool


class HeartForm(Form):
    product_id: RowId
    is_saved: bool
    """Whether the product is to be saved."""


class SavedState(rx.State):
    ids: list[int] = []
    rows: list[SavedRow] = []
    alerts: list[SavedRow] = []
    """Sold-out products that this user asked to be told about when they are back."""
    is_loaded: bool = False

    @action(
        who=SIGNED_IN, signed_out=messages.SIGN_IN_TO_SAVE, on_failure=Explain(messages.ERROR, messages.HEART_NOT_SAVED)
    )
    async def set_saved(self, product_id: int, is_saved: bool) -> Updates:
        """Save or remove a product: the heart on a card and on a product's page, and 'Remove' in the account.

        SIGNED_IN and not SHOPPERS, since users who may no longer shop can still remove what they saved.
        """
        form = parse(HeartForm, {"productId": product_id, "isSaved": is_saved})
        if form.is_saved:
            await write(self, saved.save, parse(SaveForm, {"productId": form.product_id}))
        else:
            await write(self, saved.remove, form.product_id)
        self.ids = list(await read(self, saved.list_ids))
        self.rows = [row for row in self.rows if form.is_saved or row.id != form.product_id]
        if self.router.url.path == "/account":
            yield rx.set_focus(LIST_ID)

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=Explain(messages.ERROR, messages.STOCK_ALERT_NOT_SAVED))
    async def cancel_alert(self, product_id: int) -> Events:
        form = parse(SaveForm, {"productId": product_id})
        await write(self, stock_alerts.cancel, form.product_id)
        self.alerts = [row for row in self.alerts if row.id != form.product_id]
        return rx.set_focus(LIST_ID)

    def _show_hearts(self, ids: Sequence[int]) -> None:
        if list(ids) != self.ids:
            self.ids = list(ids)

    async def _load(self) -> None:
        self.alerts = [row_of(each.product, each.is_still_sold) for each in await read(self, stock_alerts.list_own)]
        self.rows = [row_of(each.product, each.is_still_sold) for each in await read(self, saved.list_own)]
        self.ids, self.is_loaded = [row.id for row in self.rows], True


def row_of(product: ProductView, is_still_sold: bool) -> SavedRow:
    return SavedRow(
        id=product.id,
        href=f"/product/{product.id}" if is_still_sold else "",
        name=product.name,
        subtitle=product.subtitle,
        image=product.image,
        price=money.show(product.price_cents),
        in_stock=product.in_stock and is_still_sold,
        is_still_sold=is_still_sold,
    )
