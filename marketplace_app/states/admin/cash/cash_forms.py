"""The dialogs of `/admin/cash`: a shift is opened, cash is moved, and a count corrects the ledger."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import cash_messages, messages, money
from marketplace_app.messages import Notice
from marketplace_app.models import CashReason, Permission
from marketplace_app.schemas.base import Form, parse
from marketplace_app.schemas.cash import CorrectCashForm, MoveCashForm, OpenShiftForm
from marketplace_app.schemas.controls import OpenToggle, row_id
from marketplace_app.services.cash import colleagues, shifts, transfers
from marketplace_app.services.dispatch import drivers
from marketplace_app.states.admin.cash.cash import AdminCashState
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields

FIELDS = dict.fromkeys(
    ("driverId", "float", "from", "kind", "amount", "slipNumber", "account", "counted", "note", "witnessId"), ""
)
FAILED = (Fields("errors", FIELDS, without_toast=True), Explain(messages.ERROR, cash_messages.NOT_SAVED))
KINDS = [
    (CashReason.DROP.value, "From the desk to the safe"),
    (CashReason.DEPOSIT.value, "From the safe to the bank"),
    (CashReason.WITHDRAWAL.value, "From the bank to the safe"),
    (CashReason.REFILL.value, "From the safe to the desk"),
]
ON_SITE_ACCOUNTS = [("desk", "Desk"), ("safe", "Safe")]


@dataclass(frozen=True)
class UserOption:
    id: str
    name: str


class ShiftData(TypedDict, total=False):
    form_key: str
    driver: str
    float: str
    source: str


class MoveData(TypedDict, total=False):
    form_key: str
    kind: str
    amount: str
    slip: str
    note: str
    witness: str


class CorrectCashData(TypedDict, total=False):
    form_key: str
    account: str
    counted: str
    note: str
    witness: str


class AdminCashFormsState(rx.State):
    form: str = ""
    """The dialog that is open: shift, move, count, or none."""
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""
    errors: dict[str, str] = dict(FIELDS)
    drivers: list[UserOption] = []
    witnesses: list[UserOption] = []
    is_saving: bool = False

    @action(who=Permission.HANDLE_CASH)
    async def open_form(self, form: str) -> None:
        if form not in ("shift", "move", "count"):
            return
        self.drivers = [UserOption(str(each.id), each.name) for each in await read(self, drivers.list_all)]
        self.witnesses = [UserOption(str(each.id), each.name) for each in await read(self, colleagues.list_witnesses)]
        self.errors = dict(FIELDS)
        self.form_key += 1
        self.form = form

    @action(who=Permission.HANDLE_CASH)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.form = ""

    @action(who=Permission.HANDLE_CASH, on_failure=FAILED)
    async def open_shift(self, form: ShiftData) -> Updates:
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        given = {
            "driverId": row_id(form.get("driver", "")),
            "float": money.normalize_typed(form.get("float", "") or "0"),
            "from": form.get("source", ""),
        }
        await self._save(shifts.open_shift, OpenShiftForm, given, cash_messages.SHIFT_OPENED)

    @action(who=Permission.HANDLE_CASH, on_failure=FAILED)
    async def move(self, form: MoveData) -> Updates:
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        given = {
            "kind": form.get("kind", ""),
            "amount": money.normalize_typed(form.get("amount", "")),
            "slipNumber": form.get("slip", ""),
            "note": form.get("note", ""),
            "witnessId": row_id(form.get("witness", "")) or None,
        }
        await self._save(transfers.move, MoveCashForm, given, cash_messages.CASH_MOVED)

    @action(who=Permission.HANDLE_CASH, on_failure=FAILED)
    async def correct(self, form: CorrectCashData) -> Updates:
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        given = {
            "account": form.get("account", ""),
            "counted": money.normalize_typed(form.get("counted", "")),
            "note": form.get("note", ""),
            "witnessId": row_id(form.get("witness", "")) or None,
        }
        await self._save(transfers.correct, CorrectCashForm, given, cash_messages.CASH_CORRECTED)

    def _leave_page(self) -> None:
        if self.form:
            self.form = ""

    async def _save(
        self, service: Callable[..., Any], schema: type[Form], given: Mapping[str, Any], notice: Notice
    ) -> None:
        """Save the fields of a form with `service`, then close the dialog. If they are refused, it stays open.

        The handler has set `is_saving` before.
        """
        try:
            await write(self, service, parse(schema, given))
        finally:
            self.is_saving = False
        self.form, self.form_key = "", self.form_key + 1  # before the next steps, which may fail
        await (await self.get_state(AdminCashState))._refresh()
        await toast(self, "success", notice)
