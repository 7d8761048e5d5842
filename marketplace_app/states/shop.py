"""The sentences with shop settings in them. Pages are built with the defaults and load the current ones on opening."""

import reflex as rx

from marketplace_app.faq import SettingsTexts, settings_texts
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import settings
from marketplace_app.states.events.base import ANYONE, action, read
from marketplace_app.states.events.failures import Silent


class ShopState(rx.State):
    texts: SettingsTexts = settings_texts(ShopSettings())

    @action(who=ANYONE, on_failure=Silent())
    async def load(self) -> None:
        """on_load of every page of the shop, after the page's own handlers. If it fails, the texts stay as they are;
        the other handlers report a failure of the store."""
        shop, has_zones = await read(self, settings.published_with_zones)
        texts = settings_texts(shop, has_zones=has_zones)
        if texts != self.texts:
            self.texts = texts
