"""The shop settings as pages word them. Pages are built with the defaults and load the current ones on opening."""

import reflex as rx

from marketplace_app.errors import StoreError
from marketplace_app.faq import Words, words_of
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import settings
from marketplace_app.states.base import ANYONE, action, read


class ShopState(rx.State):
    words: Words = words_of(ShopSettings())

    @action(who=ANYONE)
    async def load(self) -> None:
        """on_load of every page of the shop, after its own."""
        words = words_of(await read(self, settings.published))
        if words != self.words:
            self.words = words

    async def _recover(self, error: StoreError) -> bool:
        """Keep the built-in defaults; the page's own `load` reports the failure."""
        return True
