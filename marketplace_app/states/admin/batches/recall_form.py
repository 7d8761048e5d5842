"""The dialogs of `/admin/recalls`: a batch is found, and its recall rehearsed and carried out (RULE recalls-page)."""

from dataclasses import dataclass

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages, recall_messages
from marketplace_app.display.paging import counted
from marketplace_app.errors import InvalidInput
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.recalls import BatchOption, DrillView, FindBatchesForm, RecallForm
from marketplace_app.schemas.controls import OpenToggle, row_id
from marketplace_app.services.batches import recalls
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields

FIELDS = dict.fromkeys(("text", "batchId", "reason"), "")
FAILURES = (Fields("errors", FIELDS, without_toast=True), Explain(messages.ERROR, recall_messages.NOT_SAVED))
DRILL_ID = "drill"
"""The part of the page with what the drill found; it receives the focus."""


@dataclass(frozen=True)
class BatchChoice:
    id: str
    label: str
    """`Fern Hollow, batch FH-2611: 31 units`"""


class FindData(TypedDict, total=False):
    form_key: str
    text: str


class BatchData(TypedDict, total=False):
    form_key: str
    batch: str
    reason: str


class AdminRecallFormState(rx.State):
    view: str = ""
    """The dialog that is open: find, choose, ask, or none."""
    is_drill: bool = False
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""
    errors: dict[str, str] = dict(FIELDS)
    choices: list[BatchChoice] = []
    batch: str = ""
    """The batch that the question is about: `Fern Hollow, batch FH-2611`"""
    consequences: str = ""
    drill_title: str = ""
    drill: list[tuple[str, str]] = []
    """What the last drill found."""
    is_saving: bool = False
    _batch_id: int = 0
    _reason: str = ""

    @action(who=Permission.RECALL)
    async def open_form(self, is_drill: bool) -> None:
        self.is_drill = is_drill
        self.errors, self.choices = dict(FIELDS), []
        self.form_key += 1
        self.view = "find"

    @action(who=Permission.RECALL)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.view = ""

    @action(who=Permission.RECALL, on_failure=FAILURES)
    async def find(self, form: FindData) -> None:
        self.errors = dict(FIELDS)
        wanted = parse(FindBatchesForm, {"text": form.get("text", "")})
        found = await read(self, recalls.find_batches, wanted)
        if not found:
            raise InvalidInput({"text": recall_messages.NOTHING_FOUND})
        self.choices = [_choice(each) for each in found]
        self.view = "choose"

    @action(who=Permission.RECALL, on_failure=FAILURES)
    async def choose(self, form: BatchData) -> Updates:
        """Rehearse the recall of the chosen batch. A drill then shows what it found; a recall asks a question first."""
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            reason = recall_messages.DRILL if self.is_drill else form.get("reason", "")
            wanted = parse(RecallForm, {"batchId": row_id(form.get("batch", "")), "reason": reason})
            drilled = await write(self, recalls.drill, wanted)
        finally:
            self.is_saving = False
        if self.is_drill:
            self._show_drill(drilled)
            yield rx.set_focus(DRILL_ID)
        else:
            self._ask(wanted, drilled)

    @action(who=Permission.RECALL, on_failure=FAILURES)
    async def recall(self) -> Updates:
        """Recall the batch that the question is about."""
        if self.view != "ask":
            return
        self.is_saving = True
        yield None
        try:
            wanted = parse(RecallForm, {"batchId": self._batch_id, "reason": self._reason})
            done = await write(self, recalls.recall, wanted)
        finally:
            self.is_saving, self.view = False, ""
        await toast(self, "success", recall_messages.RECALLED)
        yield rx.redirect(f"/admin/recalls/{done.batch_id}")

    def _leave_page(self) -> None:
        if self.view:
            self.view = ""

    def _ask(self, wanted: RecallForm, drilled: DrillView) -> None:
        found = drilled.recall
        self._batch_id, self._reason = wanted.batch_id, wanted.reason
        self.batch = f"{found.product}, batch {found.code}"
        self.consequences = _consequences(drilled)
        self.view = "ask"

    def _show_drill(self, drilled: DrillView) -> None:
        found = drilled.recall
        self.drill_title = f"Drill: {found.product}, batch {found.code}"
        self.drill = [
            ("Not to be handed over", f"{found.not_handed_over:,}"),
            ("Orders", f"{found.orders:,}"),
            ("Buyers", f"{found.buyers:,}"),
            ("Emails", f"{drilled.letters:,}"),
            ("Units in orders", f"{found.units:,}"),
            ("Units set aside", f"{found.set_aside:,}"),
            ("Coverage", f"{drilled.coverage}%"),
            ("Time", f"{drilled.milliseconds:,} ms"),
        ]
        self.view = ""


def _choice(option: BatchOption) -> BatchChoice:
    return BatchChoice(str(option.batch_id), f"{option.product}, batch {option.code}: {counted(option.units, 'unit')}")


def _consequences(drilled: DrillView) -> str:
    """Whom a recall would concern."""
    found = drilled.recall
    verb = "is" if found.not_handed_over == 1 else "are"
    return (
        f"This concerns {counted(found.orders, 'order')} of {counted(found.buyers, 'buyer')}. "
        f"{counted(found.not_handed_over, 'order')} {verb} not delivered yet and must not be handed over. "
        f"{counted(drilled.letters, 'email')} will be sent. The batch is set aside for good: this cannot be undone."
    )
