"""The self-check page: does the catalogue answer?"""

import orjson
import reflex as rx

from marketplace_app.errors import StoreError
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.services.products import products
from marketplace_app.states.events.base import ANYONE, Updates, action, read
from marketplace_app.states.events.failures import Instead
from marketplace_app.states.events.viewer import ViewerState


class SelfCheckState(rx.State):
    view: str = "loading"
    """loading, ready or failed"""
    count: int = 0
    first: str = ""
    """The first product as `GET /api/products` answers it; nothing in an empty store."""
    image: str = ""
    error: str = ""
    """`503: The store cannot be reached right now.`"""

    async def _show_failure(self, error: StoreError) -> None:
        self._fail(error)

    @action(who=ANYONE, on_failure=Instead(StoreError, _show_failure))
    async def load(self) -> Updates:
        """on_load, and again after a reconnect: what is on the screen stays until the answer arrives."""
        if not (self.view == "ready" and (await self.get_state(ViewerState))._has_reconnected):
            self.view = "loading"
            yield None
        page = await read(self, products.list_products, ProductQuery(limit=1))
        first = page.items[0] if page.items else None
        self.count = page.total
        self.first = orjson.dumps(first.wire(), option=orjson.OPT_INDENT_2).decode() if first else ""
        self.image = first.image if first else ""
        self.view = "ready"

    def _fail_loading(self) -> None:
        if self.view == "loading":
            self._fail(StoreError())

    def _fail(self, error: StoreError) -> None:
        """Status, colon, sentence (RULE self-check-page)."""
        self.view, self.error = "failed", f"{error.status}: {error.message}"
