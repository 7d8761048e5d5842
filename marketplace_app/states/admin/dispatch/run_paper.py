"""The dialog in which a dispatcher enters what the driver wrote on the sheet of a run, stop by stop (RULE paper)."""

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import money
from marketplace_app.display.bidi import isolated
from marketplace_app.messages import Notice
from marketplace_app.models import FailureReason, Permission, StopEventKind
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.dispatch.door import DriverStop
from marketplace_app.schemas.dispatch.paper import PaperForm
from marketplace_app.services import settings
from marketplace_app.services.dispatch import failures, paper
from marketplace_app.states.admin.dispatch.run import AdminRunState
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Fields

REPORTED_STEPS = {
    StopEventKind.ARRIVED: "arrived",
    StopEventKind.ID_CHECKED: "ID accepted",
    StopEventKind.PIN_ENTERED: "PIN",
    StopEventKind.CASH_COUNTED: "cash counted",
    StopEventKind.SIGNED: "signed",
}
FIELDS = dict.fromkeys(("outcome", "idChecked", "pin", "counted", "keepChange", "reason", "note", "at"), "")
REASONS = [("", "Choose…"), *((reason.value, failures.RULES[reason].label) for reason in FailureReason)]
STOPS_ID = "stops"
"""Receives the focus when the last stop is entered."""


class PaperFormData(TypedDict, total=False):
    form_key: str
    outcome: str
    id_checked: bool
    pin: str
    counted: str
    change_as_credit: bool
    reason: str
    note: str
    at: str


class AdminPaperState(rx.State):
    is_open: bool = False
    run_id: int = 0
    """The run that the dialog was opened for: the page may show another one by now."""
    title: str = ""
    """`1. Order 1042`"""
    subtitle: str = ""
    """`Nora Whitfield · 214 Larch Street, Portland, OR 97201, $152.50`"""
    reported: str = ""
    """`Reported already: arrived, ID accepted`"""
    asks_id: bool = True
    asks_pin: bool = True
    asks_cash: bool = True
    offers_credit: bool = False
    """Customers may get their change as store credit."""
    outcome: str = "delivered"
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""
    is_saving: bool = False
    _stop: int = 0
    _skipped: list[int] = []

    @action(who=Permission.PLAN_RUNS)
    async def begin(self) -> None:
        """Open the dialog with the first stop whose outcome nobody has recorded."""
        self.run_id = (await self.get_state(AdminRunState)).id
        self._skipped = []
        await self._show_next()

    @action(who=Permission.PLAN_RUNS)
    async def skip(self, form_key: int) -> None:
        """Skip the stop on the screen; a second press of the same button does not skip the next one."""
        if form_key != self.form_key:
            return
        self._skipped = [*self._skipped, self._stop]
        await self._show_next()

    @action(who=Permission.PLAN_RUNS)
    async def choose(self, outcome: str) -> None:
        """The outcome decides which fields the form has."""
        self.outcome = "failed" if outcome == "failed" else "delivered"

    @action(who=Permission.PLAN_RUNS, on_failure=Fields("errors", FIELDS, without_toast=True))
    async def save(self, form: PaperFormData) -> Updates:
        """Enter this stop, then ask for the next one."""
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            await write(self, paper.enter, self.run_id, self._stop, parse(PaperForm, _given(form)))
        finally:
            self.is_saving = False
            await (await self.get_state(AdminRunState))._refresh()
        await self._show_next()
        if not self.is_open:
            await toast(self, "success", Notice("Entered from paper"))
            yield rx.set_focus(STOPS_ID)

    @action(who=Permission.PLAN_RUNS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        self.is_open = self.is_open and parse(OpenToggle, {"isOpen": is_open}).is_open

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False

    async def _show_next(self) -> None:
        left = await read(self, paper.list_open, self.run_id)
        stop = next((each for each in left if each.id not in self._skipped), None)
        self.offers_credit = bool((await read(self, settings.published)).keep_change_as_credit)
        self.is_open = stop is not None
        if stop is not None:
            self._show_stop(stop)

    def _show_stop(self, stop: DriverStop) -> None:
        """Empty the form for this stop. It asks only for what no phone has reported."""
        self._stop = stop.id
        self.title = f"{stop.position}. Order {stop.order_number}"
        self.subtitle = f"{isolated(stop.customer_name)} · {isolated(stop.address)}, {money.show(stop.cash_cents)}"
        steps = ", ".join(REPORTED_STEPS[step] for step in stop.done)
        self.reported = f"Reported already: {steps}" if steps else ""
        self.asks_id = StopEventKind.ID_CHECKED not in stop.done
        self.asks_cash = StopEventKind.CASH_COUNTED not in stop.done
        self.asks_pin = stop.needs_pin and StopEventKind.PIN_ENTERED not in stop.done
        self.outcome, self.errors = "delivered", dict(FIELDS)
        self.form_key += 1


def _given(form: PaperFormData) -> dict[str, object]:
    """What the schema parses, without the optional values that were left empty."""
    counted = money.normalize_typed(form.get("counted", ""))
    optional = {"counted": counted, "reason": form.get("reason", ""), "at": form.get("at", "")}
    return {
        "outcome": form.get("outcome", ""),
        "idChecked": bool(form.get("id_checked")),
        "keepChange": bool(form.get("change_as_credit")),
        "pin": form.get("pin", "").strip(),
        "note": form.get("note", ""),
    } | {name: text.strip() for name, text in optional.items() if text.strip()}
