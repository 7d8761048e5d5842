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
    page: str = ""
    """The page whose text this is, such as `terms`; nothing until one was read."""
    blocks: list[Block] = []
    """Nothing while no owner has written this page."""
    published: str = ""
    """`Nov 23, 2026`"""

    async def _show_built_in(self, error: StoreError) -> None:
        """Without a database, or for a path that is no legal page. A text that is on the screen already stays."""
        page = self._opened_page()
        if page == "" or page != self.page:
            self._show(page, None)

    @action(who=ANYONE, on_failure=Instead(StoreError, _show_built_in))
    async def load(self) -> None:
        """on_load of the legal pages; the route says which."""
        page = self._opened_page()
        if page == "":
            raise NotFound()
        self._show(page, await read(self, legal_texts.find, LegalPage(page)))

    def _opened_page(self) -> str:
        """The legal page at the path that the client claims to be at; empty if there is none at this path."""
        path = self.router.url.path.strip("/")
        return path if path in {*LegalPage} else ""

    def _show(self, page: str, text: LegalTextAnswer | None) -> None:
        self.page = page
        self.blocks = list(blocks_of(text.body)) if text else []
        self.published = clock.show_date(text.published_at, get_settings().timezone) if text else ""
