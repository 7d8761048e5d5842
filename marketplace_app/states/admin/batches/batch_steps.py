"""The dialog in which a batch is held, released or corrected, each with a reason."""

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import batch_messages
from marketplace_app.errors import NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import BatchStep, HoldForm, UnitsForm
from marketplace_app.schemas.controls import OpenToggle, integer_or_text
from marketplace_app.services.batches import keeping
from marketplace_app.services.batches.keeping import BatchRecalled, NotHeld
from marketplace_app.states.admin.batches.batch_form import FAILED
from marketplace_app.states.admin.batches.batches import AdminBatchesState
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Fields, On

FIELDS = dict.fromkeys(("change", "note", "reason"), "")
"""A hold and a release have a `reason`, a correction has a `note`: both are typed into the same control."""
SAVED = {
    "hold": batch_messages.HELD,
    "release": batch_messages.RELEASED,
    "units": batch_messages.CORRECTED,
}


class BatchStepFormData(TypedDict, total=False):
    form_key: str
    batch_change: str
    batch_reason: str


class AdminBatchStepState(rx.State):
    step: str = ""
    """The dialog that is open: hold, release, units, or none."""
    product_id: int = 0
    """The product that the dialog was opened for: the page may show another one by now."""
    batch_id: int = 0
    code: str = ""
    units_text: str = ""
    """`It has 48 for sale and 0 set aside.`"""
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""
    is_saving: bool = False

    async def _close_and_reload(self, error: StoreError) -> None:
        """Close the dialog: a colleague has changed the batch."""
        self.step = ""
        await (await self.get_state(AdminBatchesState))._load()

    @action(who=Permission.EDIT_BATCHES, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def ask(self, step: str, batch: int) -> None:
        """Open the dialog for this step of the batch."""
        asked = parse(BatchStep, {"step": step, "id": batch})
        found = await read(self, keeping.get, asked.id)
        self.product_id, self.batch_id, self.code = found.product_id, found.id, found.code
        self.units_text = f"It has {found.units:,} for sale and {found.set_aside:,} set aside."
        self.errors, self.form_key = dict(FIELDS), self.form_key + 1
        self.step = asked.step

    @action(
        who=Permission.EDIT_BATCHES,
        on_failure=(
            Fields("errors", FIELDS, without_toast=True),
            On((NotFound, NotHeld, BatchRecalled), _close_and_reload),
            FAILED,
        ),
    )
    async def confirm(self, form: BatchStepFormData) -> Updates:
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            asked = parse(BatchStep, {"step": self.step, "id": self.batch_id})
            await self._write(asked, form.get("batch_change", ""), form.get("batch_reason", ""))
        finally:
            self.is_saving = False
        self.step = ""
        await (await self.get_state(AdminBatchesState))._refresh_all()
        await toast(self, "success", SAVED[asked.step])

    @action(who=Permission.EDIT_BATCHES)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.step = ""

    def _leave_page(self) -> None:
        if self.step:
            self.step = ""

    async def _write(self, asked: BatchStep, change: str, reason: str) -> None:
        match asked.step:
            case "hold":
                await write(self, keeping.hold, asked.id, parse(HoldForm, {"reason": reason}))
            case "release":
                await write(self, keeping.release, asked.id, parse(HoldForm, {"reason": reason}))
            case "units":
                units = {"change": integer_or_text(change), "note": reason}
                await write(self, keeping.correct, asked.id, parse(UnitsForm, units))
