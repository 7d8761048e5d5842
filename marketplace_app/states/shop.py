"""What pages say of the shop's own numbers. Built into them with the defaults; asked for when one opens."""

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
        """What was built in stays; the page's own `load` says what is wrong."""
        return True
