"""What the browser hears when a handler fails in a way nobody foresaw."""

import logging

import reflex as rx
from reflex.event import EventSpec

from marketplace_app.errors import StoreError
from marketplace_app.messages import Notice
from marketplace_app.states.base import ANYONE, action, toast
from marketplace_app.states.catalogue import CatalogueState
from marketplace_app.states.preferences import PreferencesState
from marketplace_app.states.product import ProductState
from marketplace_app.states.product_test import ProductTestState

logger = logging.getLogger(__name__)


class SurpriseState(rx.State):
    @action(who=ANYONE)
    async def apologize(self):
        """A sentence, and no screen that waits for ever for what will not come."""
        catalogue, product = await self.get_state(CatalogueState), await self.get_state(ProductState)
        catalogue._give_up()
        if product.status == "loading":
            product.status = "missing"
        (await self.get_state(PreferencesState))._give_up()
        (await self.get_state(ProductTestState))._give_up()
        await toast(self, "error", Notice(StoreError.message))


def on_surprise(exception: Exception) -> EventSpec:
    """The trace goes to the log, a sentence to the person."""
    logger.error("unexpected failure in an event", exc_info=exception)
    return SurpriseState.apologize()  # type: ignore[operator, no-any-return]
