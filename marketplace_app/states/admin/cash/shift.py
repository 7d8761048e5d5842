"""`/admin/shifts/[shift_id]`: a driver's cash is counted and handed in (RULE shifts)."""

from collections.abc import Mapping

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import cash_messages, clock, messages, money
from marketplace_app.adapters import live
from marketplace_app.cash import DENOMINATIONS, face
from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict, NotAllowed, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import CloseShiftForm, CountForm, ShiftCountView, ShiftState, ShiftView
from marketplace_app.schemas.controls import integer_or_text, row_id
from marketplace_app.services.cash import colleagues, shifts
from marketplace_app.states.admin.cash.cash import SHIFT_BADGES
from marketplace_app.states.admin.cash.cash_forms import UserOption
from marketplace_app.states.events.base import Updates, action, read, route_argument, shows_its_row, toast, write
from marketplace_app.states.events.failures import MISSING_OR_FAILED, Explain, Fields, Instead
from marketplace_app.states.events.subscriptions import subscribe

FIELDS = {f"pieces.{value}": "" for value in DENOMINATIONS} | {"reason": "", "witnessId": ""}
_WITH_COUNTS_SHOWN = (ShiftState.AGREES, ShiftState.DIFFERS, ShiftState.CLOSED)
"""The first count is not shown to whoever counts again."""
RESULT_ID = "result"
"""Receives the focus when the form that was sent is gone, so that the result is read out."""


class ShiftCountData(TypedDict, total=False):
    form_key: str
    pieces_10000: str
    pieces_5000: str
    pieces_2000: str
    pieces_1000: str
    pieces_500: str
    pieces_100: str
    pieces_25: str
    pieces_10: str
    pieces_5: str
    pieces_1: str


class CloseData(TypedDict, total=False):
    form_key: str
    reason: str
    witness: str


async def _explain(state: "AdminShiftState", error: StoreError) -> None:
    """On the page: whoever counts would miss a toast, which vanishes."""
    state.failure = error.message
    state._show(await read(state, shifts.get, state.id))


FAILED = (
    Fields("errors", FIELDS, without_toast=True),
    Instead((Conflict, NotAllowed), _explain),
    Explain(messages.ERROR, cash_messages.NOT_SAVED),
)


class AdminShiftState(rx.State):
    view: str = "loading"
    """loading, found, missing or failed"""
    id: int = 0
    driver: str = ""
    shift_state: str = ""
    """open, recount, differs, agrees or closed"""
    status: str = ""
    hue: str = "grey"
    facts: list[str] = []
    counts: list[str] = []
    """`Counted $110.00 by Ada, Nov 27, 2026, 5:42 PM: 1 × $100, 1 × $10`"""
    result: str = ""
    """`Expected $115.00, counted $110.00: $5.00 short`"""
    failure: str = ""
    """Why it cannot be counted or closed now."""
    errors: dict[str, str] = dict(FIELDS)
    witnesses: list[UserOption] = []
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""
    is_saving: bool = False

    @action(who=Permission.HANDLE_CASH, on_failure=MISSING_OR_FAILED)
    async def load(self) -> Updates:
        """on_load, and again after a reconnect; until the answer arrives, the screen keeps what it shows."""
        if not shows_its_row(self, "shift_id"):
            self.view = "loading"
            yield None
        subscribe(self, live.STAFF)
        self.errors, self.failure = dict(FIELDS), ""
        self.witnesses = [UserOption(str(each.id), each.name) for each in await read(self, colleagues.list_witnesses)]
        self._show(await read(self, shifts.get, row_id(route_argument(self, "shift_id"))))

    @action(who=Permission.HANDLE_CASH, on_failure=FAILED)
    async def count(self, form: ShiftCountData) -> Updates:
        self.is_saving, self.errors, self.failure = True, dict(FIELDS), ""
        yield None
        try:
            counted = await write(self, shifts.count, self.id, parse(CountForm, {"pieces": _pieces(form)}))
        finally:
            self.is_saving = False
        self._show(counted)
        yield rx.set_focus(RESULT_ID)

    @action(who=Permission.HANDLE_CASH, on_failure=FAILED)
    async def close(self, form: CloseData) -> Updates:
        self.is_saving, self.errors, self.failure = True, dict(FIELDS), ""
        yield None
        try:
            given = {"reason": form.get("reason", ""), "witnessId": row_id(form.get("witness", "")) or None}
            closed = await write(self, shifts.close, self.id, parse(CloseShiftForm, given))
        finally:
            self.is_saving = False
        self._show(closed)
        await toast(self, "success", cash_messages.SHIFT_CLOSED)
        yield rx.set_focus(RESULT_ID)

    async def _refresh(self) -> None:
        if self.view == "found":
            self._show(await read(self, shifts.get, self.id))

    def _show(self, shift: ShiftView) -> None:
        timezone = get_settings().timezone
        self.id, self.driver, self.shift_state = shift.id, shift.driver.name, shift.state.value
        self.status, self.hue = SHIFT_BADGES[shift.state]
        self.facts = [
            f"Opened {clock.show_time(shift.opened_at, timezone)} by {shift.opened_by}",
            f"Float {money.show(shift.float_cents)}",
        ]
        if shift.closed_at is not None:
            self.facts.append(f"Closed {clock.show_time(shift.closed_at, timezone)} by {shift.closed_by}")
        if shift.witness:
            self.facts.append(f"Seen by {shift.witness}: {shift.reason}")
        self.counts = [_count_line(each) for each in shift.counts] if shift.state in _WITH_COUNTS_SHOWN else []
        self.result = _result(shift)
        self.view = "found"


def _pieces(form: Mapping[str, object]) -> dict[str, int | str]:
    """How many of each bill and coin; an empty field is 0."""
    return {name.removeprefix("pieces_"): integer_or_text(str(text).strip() or "0") for name, text in form.items()}


def _count_line(count: ShiftCountView) -> str:
    at = clock.show_time(count.counted_at, get_settings().timezone)
    pieces = ", ".join(
        f"{count.pieces[str(value)]} × {face(value)}" for value in DENOMINATIONS if str(value) in count.pieces
    )
    return f"Counted {money.show(count.counted_cents)} by {count.counted_by}, {at}: {pieces or 'nothing'}"


def _result(shift: ShiftView) -> str:
    if shift.expected_cents is None or shift.difference_cents is None:
        return ""
    counted = shift.counts[-1].counted_cents if shift.counts else 0
    difference = cash_messages.difference(shift.difference_cents)
    return f"Expected {money.show(shift.expected_cents)}, counted {money.show(counted)}: {difference}"
