"""A legal page: the owner's own text, or the short built-in one."""

import reflex as rx

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.errors import NotFound, StoreError
from marketplace_app.models import LegalPage
from marketplace_app.schemas.legal_texts import Block, LegalTextAnswer, blocks_of
from marketplace_app.services import legal_texts
from marketplace_app.states.events.base import ANYONE, action, read
from marketplace_app.states.events.failures import Instead


class LegalState(rx.State):
    blocks: list[Block] = []
    """Nothing while no owner has written this page."""
    published: str = ""
    """`Nov 23, 2026`"""

    async def _show_built_in(self, error: StoreError) -> None:
        """Without a database, or for a path that is no legal page."""
        self._show(None)

    @action(who=ANYONE, on_failure=Instead(StoreError, _show_built_in))
    async def load(self) -> None:
        """on_load of the legal pages; the route says which."""
        path = self.router.url.path.strip("/")
        if path not in {*LegalPage}:  # a client may claim to be at any path
            raise NotFound()
        self._show(await read(self, legal_texts.find, LegalPage(path)))

    def _show(self, text: LegalTextAnswer | None) -> None:
        self.blocks = list(blocks_of(text.body)) if text else []
        self.published = clock.show_date(text.published_at, get_settings().timezone) if text else ""
