"""`/admin/legal`: writing the shop's legal texts, with a preview and every version that was published."""

from dataclasses import dataclass

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages
from marketplace_app.config import get_settings
from marketplace_app.errors import InvalidInput
from marketplace_app.models import LegalPage, Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.legal_texts import (
    Block,
    LegalDraft,
    LegalPageParams,
    LegalTextAnswer,
    LegalTextForm,
    LegalVersion,
    blocks_of,
)
from marketplace_app.services import legal_texts
from marketplace_app.states.events.base import Updates, action, query_of, read, toast, write
from marketplace_app.states.events.failures import Explain, On, ShowPageFailed
from marketplace_app.states.events.viewer import ViewerState


class LegalTextFormData(TypedDict, total=False):
    body: str


@dataclass(frozen=True)
class LegalVersionRow:
    version: int
    href: str
    author: str
    when: str
    is_shown: bool


class AdminLegalState(rx.State):
    page: str = LegalPage.TERMS.value
    title: str = LegalPage.TERMS.label
    is_loading: bool = True
    body: str = ""
    """The initial text of the field."""
    version: int = 0
    """The version being edited; 0 if none was published."""
    older_version: int = 0
    """The number of an older version that is shown read-only, or 0."""
    form_key: int = 0
    """A React key: a new number rebuilds the form with the current text."""
    preview: list[Block] = []
    error: str = ""
    is_saving: bool = False
    versions: list[LegalVersionRow] = []
    _shown: LegalPageParams | None = None
    """The page and version that the URL named when they were loaded."""

    async def _show_error(self, error: InvalidInput) -> None:
        """Show the error beside the field; what was typed stays."""
        self.error = error.fields.get("body", "")

    @action(who=Permission.SEE_SETTINGS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load: the URL names the page and, optionally, an older version of it.

        A reconnect calls it too, and must not discard what was written.
        """
        params = query_of(self, LegalPageParams)
        if (await self.get_state(ViewerState))._has_reconnected and params == self._shown:
            return
        current = await read(self, legal_texts.find, params.page)
        is_older = current is not None and 0 < params.version < current.version
        shown = await read(self, legal_texts.get_version, params.page, params.version) if is_older else current
        versions = await read(self, legal_texts.list_versions, params.page)
        self._show(params.page, current, shown, versions)
        self._shown = params

    @action(who=Permission.EDIT_SETTINGS, on_failure=On(InvalidInput, _show_error))
    async def show_preview(self, form_key: int, body: str) -> None:
        """Update the preview while the text is typed.

        Text from a form that was replaced meanwhile, such as by another page's form, is ignored.
        """
        if form_key != self.form_key:
            return
        draft = parse(LegalDraft, {"body": body})
        self.preview = list(blocks_of(draft.body))
        if draft.body:  # while the text is empty, the error that publishing it gave still applies
            self.error = ""

    @action(
        who=Permission.EDIT_SETTINGS,
        on_failure=(On(InvalidInput, _show_error), Explain(messages.ERROR, messages.LEGAL_NOT_PUBLISHED)),
    )
    async def publish(self, form: LegalTextFormData) -> Updates:
        """Publish what was written as a new version, unless it is the current text."""
        self.is_saving, self.error = True, ""
        yield None
        try:
            parsed = parse(LegalTextForm, {"body": form.get("body", ""), "version": self.version})
            page = LegalPage(self.page)
            is_same = parsed.body == self.body
            current = await write(self, legal_texts.publish, page, parsed)
            self._show(page, current, current, await read(self, legal_texts.list_versions, page))
        finally:
            self.is_saving = False
        await toast(self, "success", messages.NOTHING_CHANGED if is_same else messages.LEGAL_PUBLISHED)

    def _show(
        self,
        page: LegalPage,
        current: LegalTextAnswer | None,
        shown: LegalTextAnswer | None,
        versions: tuple[LegalVersion, ...],
    ) -> None:
        self.page, self.title, self.is_loading, self.error = page.value, page.label, False, ""
        self.version = current.version if current else 0
        self.body = current.body if current else ""
        self.older_version = shown.version if shown and shown.version != self.version else 0
        self.preview = list(blocks_of(shown.body)) if shown else []
        self.versions = [_row(page, each, shown) for each in versions]
        self.form_key += 1


def _row(page: LegalPage, version: LegalVersion, shown: LegalTextAnswer | None) -> LegalVersionRow:
    return LegalVersionRow(
        version=version.version,
        href=f"/admin/legal?page={page}&version={version.version}",
        author=version.author,
        when=clock.show_time(version.published_at, get_settings().timezone),
        is_shown=shown is not None and shown.version == version.version,
    )
