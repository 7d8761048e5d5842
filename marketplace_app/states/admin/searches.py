"""`/admin/search`: synonyms, and searches that found nothing."""

from dataclasses import dataclass

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.adapters import live
from marketplace_app.display.paging import counted
from marketplace_app.errors import Conflict, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.search.searches import MissView, SearchedWords, SynonymForm, SynonymRef, SynonymView
from marketplace_app.services.search import search_log, synonyms
from marketplace_app.services.search.synonyms import SynonymChanged
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields, On, ShowPageFailed, mark_changed
from marketplace_app.states.events.subscriptions import subscribe
from marketplace_app.states.events.viewer import ViewerState

NO_ERRORS = {"term": "", "replacement": ""}


@dataclass(frozen=True)
class SynonymRow:
    id: int
    term: str
    replacement: str


@dataclass(frozen=True)
class MissRow:
    words: str
    times: str
    """`7`"""
    last: str
    """`Nov 20, 2026`"""


NO_ROW = SynonymRow(0, "", "")


class SynonymFormData(TypedDict, total=False):
    form_key: str
    term: str
    replacement: str


class EditFormData(TypedDict, total=False):
    edit_term: str
    edit_replacement: str


class AdminSearchState(rx.State):
    is_loading: bool = True
    synonyms: list[SynonymRow] = []
    count_label: str = ""
    """`25 synonyms`"""
    misses: list[MissRow] = []
    term: str = ""
    """The initial term of the form for a new synonym: a search that found nothing."""
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form for a new synonym."""
    errors: dict[str, str] = dict(NO_ERRORS)
    is_adding: bool = False
    edited: SynonymRow = NO_ROW
    """The synonym being edited, as it was when the editing began."""
    last_edited: int = 0
    """The synonym edited or restored last: its button gets the focus back."""
    edit_errors: dict[str, str] = dict(NO_ERRORS)
    is_saving: bool = False
    removed: SynonymRow = NO_ROW
    """The synonym that 'Undo' restores."""

    @action(who=Permission.SEE_PRODUCTS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load. A reconnect calls it too, and must not empty the forms."""
        if not (await self.get_state(ViewerState))._has_reconnected:
            self._stop_editing()
            self.removed, self.term, self.errors = NO_ROW, "", dict(NO_ERRORS)
            self.form_key += 1
        subscribe(self, live.STAFF)
        await self._refresh()

    async def _reload(self, error: StoreError) -> None:
        """A colleague has changed the list in the meantime: show it as it is now."""
        await self._refresh()

    async def _mark_changed(self, error: SynonymChanged) -> None:
        """Show beside the fields what a colleague has saved, and keep what was typed: saving again replaces theirs on
        purpose. `_reload`, which comes first, has read the list again."""
        seen, self.edited = self.edited, self._row_of(self.edited.id)
        now = {"term": self.edited.term, "replacement": self.edited.replacement}
        changed = [name for name in now if now[name] != getattr(seen, name)]
        self.edit_errors = mark_changed(NO_ERRORS, changed, now)

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(
            Fields("errors", NO_ERRORS),
            On((NotFound, Conflict), _reload),
            Explain(messages.ERROR, messages.SYNONYM_NOT_SAVED),
        ),
    )
    async def add(self, form: SynonymFormData) -> Updates:
        self.is_adding, self.errors, self.removed = True, dict(NO_ERRORS), NO_ROW
        yield None
        try:
            parsed = parse(SynonymForm, {"term": form.get("term", ""), "replacement": form.get("replacement", "")})
            await write(self, synonyms.add, parsed)
        finally:
            self.is_adding = False
        self.term = ""
        await self._refresh()
        await toast(self, "success", messages.SYNONYM_ADDED)

    @action(who=Permission.EDIT_PRODUCTS)
    async def prefill(self, words: str) -> None:
        """'Add synonym' beside a search that found nothing: fill the form with it."""
        self.term, self.errors = parse(SearchedWords, {"words": words}).words, dict(NO_ERRORS)
        self.form_key += 1

    @action(who=Permission.EDIT_PRODUCTS)
    async def edit(self, synonym: int) -> None:
        """Edit a synonym in its row."""
        number = parse(SynonymRef, {"id": synonym}).id
        self.edited = self._row_of(number)
        self.edit_errors, self.removed = dict(NO_ERRORS), NO_ROW

    @action(who=Permission.EDIT_PRODUCTS)
    async def cancel_edit(self) -> None:
        self._stop_editing()

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(
            Fields("edit_errors", NO_ERRORS),
            On((NotFound, Conflict), _reload),
            On(SynonymChanged, _mark_changed),
            Explain(messages.ERROR, messages.SYNONYM_NOT_SAVED),
        ),
    )
    async def save(self, form: EditFormData) -> Updates:
        """The form in a row of the list."""
        if self.edited == NO_ROW:
            return
        self.is_saving, self.edit_errors = True, dict(NO_ERRORS)
        yield None
        try:
            given = {"term": form.get("edit_term", ""), "replacement": form.get("edit_replacement", "")}
            seen = (self.edited.term, self.edited.replacement)
            parsed = parse(SynonymForm, given)
            await write(self, synonyms.change, self.edited.id, parsed, seen=seen)
        finally:
            self.is_saving = False
        is_same = seen == (parsed.term, parsed.replacement)
        self._stop_editing()
        await self._refresh()
        await toast(self, "success", messages.NOTHING_CHANGED if is_same else messages.SYNONYM_CHANGED)

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(On((NotFound, Conflict), _reload), Explain(messages.ERROR, messages.SYNONYM_NOT_REMOVED)),
    )
    async def remove(self, synonym: int) -> None:
        removed = await write(self, synonyms.remove, parse(SynonymRef, {"id": synonym}).id)
        self.removed = _row(removed)
        await self._refresh()

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(
            Fields("errors", NO_ERRORS),
            On((NotFound, Conflict), _reload),
            Explain(messages.ERROR, messages.SYNONYM_NOT_SAVED),
        ),
    )
    async def undo(self) -> None:
        """Restore the synonym removed last."""
        removed = self.removed
        if removed.id:
            parsed = parse(SynonymForm, {"term": removed.term, "replacement": removed.replacement})
            restored = await write(self, synonyms.add, parsed)
            self.removed, self.last_edited = NO_ROW, restored.id
            await self._refresh()
            await toast(self, "success", messages.SYNONYM_ADDED)

    async def _refresh(self) -> None:
        self.synonyms = [_row(each) for each in await read(self, synonyms.list_all)]
        self.count_label = counted(len(self.synonyms), "synonym")
        self.misses = [_miss(each) for each in await read(self, search_log.list_misses)]
        self.is_loading = False

    def _row_of(self, synonym_id: int) -> SynonymRow:
        return next((row for row in self.synonyms if row.id == synonym_id), NO_ROW)

    def _stop_editing(self) -> None:
        self.last_edited, self.edited, self.edit_errors = self.edited.id, NO_ROW, dict(NO_ERRORS)


def _row(synonym: SynonymView) -> SynonymRow:
    return SynonymRow(synonym.id, synonym.term, synonym.replacement)


def _miss(miss: MissView) -> MissRow:
    return MissRow(miss.words, f"{miss.count:,}", f"{miss.last_day:%b %d, %Y}")
