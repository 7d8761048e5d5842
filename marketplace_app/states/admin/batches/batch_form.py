"""The dialog in which a batch is received or edited."""

from collections.abc import Collection, Mapping
from typing import Any

import reflex as rx
from pydantic.alias_generators import to_camel
from typing_extensions import TypedDict

from marketplace_app import batch_messages, messages, money
from marketplace_app.errors import EditedMeanwhile, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import BatchForm, BatchRef, BatchReport, BatchView, ReceiveForm
from marketplace_app.schemas.controls import OpenToggle, integer_or_text
from marketplace_app.services.batches import keeping
from marketplace_app.states.admin.batches.batches import AdminBatchesState
from marketplace_app.states.admin.products.product_form import parse_number, show_number
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields, On, mark_changed

_FACTS = ("code", "units", "packedOn", "expiresOn", "thcPercent", "cbdPercent", "unitCost", "isApproved")
_REPORT = ("reportedOn", "pesticides", "heavyMetals", "residualSolvents", "microbials")
FIELDS = dict.fromkeys((*_FACTS, *(f"report.{name}" for name in _REPORT)), "")
FAILED = Explain(messages.ERROR, batch_messages.NOT_SAVED)


class BatchFormData(TypedDict, total=False):
    form_key: str
    batch_code: str
    batch_units: str
    batch_packed_on: str
    batch_expires_on: str
    batch_thc: str
    batch_cbd: str
    batch_unit_cost: str
    batch_is_approved: bool
    batch_reported_on: str
    batch_pesticides: str
    batch_heavy_metals: str
    batch_residual_solvents: str
    batch_microbials: str


class AdminBatchFormState(rx.State):
    is_open: bool = False
    product_id: int = 0
    """The product that the dialog was opened for: the page may show another one by now."""
    edited: int = 0
    """The batch in the form; 0 for a new one."""
    values: dict[str, str] = dict(FIELDS)
    """The initial values of the form."""
    is_approved: bool = True
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number fills the form anew."""
    is_saving: bool = False
    _seen: dict[str, Any] = {}
    """The values of the edited batch when the form was filled."""

    async def _close_and_reload(self, error: StoreError) -> None:
        self.is_open = False
        await (await self.get_state(AdminBatchesState))._load()

    async def _mark_conflicts(self, error: EditedMeanwhile) -> None:
        """Show the stored values beside the fields, and keep what was typed: saving again knowingly replaces them."""
        batch = await read(self, keeping.get, self.edited)
        stored = batch.values()
        self.errors = mark_changed(FIELDS, _changed_names(error.fields, self._seen, stored), _texts(batch))
        self._seen = self._seen | {name: stored[name] for name in error.fields}

    @action(who=Permission.EDIT_BATCHES)
    async def open_new(self) -> None:
        await self._fill(None)

    @action(who=Permission.EDIT_BATCHES, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def edit(self, batch: int) -> None:
        await self._fill(await read(self, keeping.get, parse(BatchRef, {"id": batch}).id))

    @action(
        who=Permission.EDIT_BATCHES,
        on_failure=(
            Fields("errors", FIELDS, without_toast=True),
            On(EditedMeanwhile, _mark_conflicts),
            On(NotFound, _close_and_reload),
            FAILED,
        ),
    )
    async def save(self, form: BatchFormData) -> Updates:
        """Receive a new batch, or save the one that is edited."""
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            if self.edited:
                parsed = parse(BatchForm, _wire(form))
                await write(self, keeping.change, self.edited, parsed, seen=dict(self._seen))
            else:
                units = {"units": integer_or_text(form.get("batch_units", "")), "productId": self.product_id}
                await write(self, keeping.receive, parse(ReceiveForm, _wire(form) | units))
        finally:
            self.is_saving = False
        self.is_open = False
        await (await self.get_state(AdminBatchesState))._refresh_all()
        await toast(self, "success", batch_messages.SAVED if self.edited else batch_messages.RECEIVED)

    @action(who=Permission.EDIT_BATCHES)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.is_open = False

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False

    async def _fill(self, batch: BatchView | None) -> None:
        self.product_id = (await self.get_state(AdminBatchesState)).product_id
        self.edited, self._seen = (batch.id, batch.values()) if batch else (0, {})
        self.values, self.errors = FIELDS | (_texts(batch) if batch else {}), dict(FIELDS)
        self.is_approved = batch.is_approved if batch else True
        self.form_key += 1
        self.is_open = True


def _texts(batch: BatchView) -> dict[str, str]:
    report = batch.report.wire() if batch.report else {}
    numbers = {"thcPercent": batch.thc_percent, "cbdPercent": batch.cbd_percent}
    return {
        "code": batch.code,
        "packedOn": batch.packed_on.isoformat() if batch.packed_on else "",
        "expiresOn": batch.expires_on.isoformat() if batch.expires_on else "",
        "unitCost": "" if batch.unit_cost_cents is None else money.decimal(batch.unit_cost_cents),
        "isApproved": "approved" if batch.is_approved else "not approved",
        **{name: "" if number is None else show_number(number) for name, number in numbers.items()},
        **{f"report.{name}": text for name, text in report.items()},
    }


def _changed_names(names: Collection[str], before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The same names, with `report` replaced by its parts that differ."""
    old, new = before["report"], now["report"]
    parts = [each for each in BatchReport.model_fields if getattr(old, each, None) != getattr(new, each, None)]
    of_report = [f"report.{to_camel(each)}" for each in parts] if "report" in names else []
    return [name for name in names if name != "report"] + of_report


def _wire(form: BatchFormData) -> dict[str, Any]:
    """What the schemas parse. An optional field that is empty is None, and so is a report without any text."""
    return {
        "code": form.get("batch_code", ""),
        "packedOn": form.get("batch_packed_on") or None,
        "expiresOn": form.get("batch_expires_on") or None,
        "report": _report(form),
        "thcPercent": _percent(form.get("batch_thc", "")),
        "cbdPercent": _percent(form.get("batch_cbd", "")),
        "unitCost": form.get("batch_unit_cost", "").strip() or None,
        "isApproved": form.get("batch_is_approved", False),
    }


def _report(form: BatchFormData) -> Mapping[str, str] | None:
    given = {
        "reportedOn": form.get("batch_reported_on", ""),
        "pesticides": form.get("batch_pesticides", ""),
        "heavyMetals": form.get("batch_heavy_metals", ""),
        "residualSolvents": form.get("batch_residual_solvents", ""),
        "microbials": form.get("batch_microbials", ""),
    }
    return given if any(text.strip() for text in given.values()) else None


def _percent(text: str) -> object:
    return parse_number(text.strip().removesuffix("%")) if text.strip() else None
