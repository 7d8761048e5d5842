"""The dialog that confirms archiving a product, on the list of products."""

import reflex as rx

from marketplace_app import messages
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.product_list import ProductRef
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.services.admin import products as admin_products
from marketplace_app.states.admin.products.products import AdminProductsState
from marketplace_app.states.events.base import action, read, toast, write
from marketplace_app.states.events.failures import Explain

FAILED = Explain(messages.ERROR, messages.PRODUCT_NOT_ARCHIVED)


class AdminProductArchiveState(rx.State):
    product_id: int = 0
    """The product that the open dialog asks about; 0 if it is closed."""
    name: str = ""

    @action(who=Permission.EDIT_PRODUCTS, on_failure=FAILED)
    async def ask(self, product_id: int) -> None:
        product = await read(self, admin_products.get, parse(ProductRef, {"productId": product_id}).product_id)
        self.product_id, self.name = product.id, product.name

    @action(who=Permission.EDIT_PRODUCTS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close it, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.product_id = 0

    @action(who=Permission.EDIT_PRODUCTS, on_failure=FAILED)
    async def archive(self) -> None:
        """Archive the product that the dialog asks about."""
        if not self.product_id:
            return
        await write(self, admin_products.archive, self.product_id)
        self.product_id = 0
        await (await self.get_state(AdminProductsState))._refresh()
        await toast(self, "success", messages.PRODUCT_ARCHIVED)

    def _leave_page(self) -> None:
        if self.product_id:
            self.product_id = 0
