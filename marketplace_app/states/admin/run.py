"""A run's own page, and its sheet for the printer (RULE run-page, RULE run-sheet)."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import clock, money
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.runs import BoardRun, RunState, RunView
from marketplace_app.schemas.sheets import Sheet, SheetStop
from marketplace_app.services.dispatch import runs, sheet_texts, sheets
from marketplace_app.states.admin.dispatch_rows import StopRow, run_row
from marketplace_app.states.base import action, read, route_argument
from marketplace_app.states.failures import ShowView
from marketplace_app.states.subscriptions import subscribe

STATE_HUES = {RunState.PLANNED: "yellow", RunState.OUT: "blue", RunState.CLOSED: "grey"}


@dataclass(frozen=True)
class SheetRow:
    id: int
    name: str
    """`1. Nora Whitfield`"""
    cash: str
    lines: list[str]
    address: str
    boxes: list[str]
    outcome: str
    """Empty while it is open."""


class AdminRunState(rx.State):
    view: str = "loading"
    """loading, found or missing"""
    id: int = 0
    title: str = ""
    facts: str = ""
    times: str = ""
    """`Left Nov 27, 8:00 AM`"""
    status: str = ""
    status_hue: str = "grey"
    stops: list[StopRow] = []
    open_count: int = 0
    """Stops of a run that is out, of which nothing is recorded yet."""

    @action(who=Permission.SEE_DISPATCH, on_failure=ShowView("missing"))
    async def load(self) -> None:
        subscribe(self, live.STAFF)
        self._show(await read(self, runs.get, _number(self)))

    async def _refresh(self) -> None:
        if self.view == "found":
            self._show(await read(self, runs.get, self.id))

    def _show(self, run: RunView) -> None:
        timezone = get_settings().timezone
        row = run_row(run)
        self.id, self.title, self.facts, self.stops = run.id, row.title, row.facts, row.stops
        self.status, self.status_hue = run.state.value, STATE_HUES[run.state]
        moments = (("Left", run.departed_at), ("Closed", run.closed_at))
        self.times = " · ".join(f"{what} {clock.show_time(at, timezone)}" for what, at in moments if at)
        is_out = run.state is RunState.OUT
        self.open_count = sum(stop.outcome is None for stop in run.stops) if is_out else 0
        self.view = "found"


class AdminSheetState(rx.State):
    view: str = "loading"
    """loading, found or missing"""
    id: int = 0
    head: list[str] = []
    totals: str = ""
    stops: list[SheetRow] = []

    @action(who=Permission.PLAN_RUNS, on_failure=ShowView("missing"))
    async def load(self) -> None:
        self._show(await read(self, sheets.make, _number(self)))

    def _show(self, sheet: Sheet) -> None:
        self.id, self.head, self.totals = sheet.run_id, [*sheet_texts.head(sheet)], sheet_texts.totals(sheet)
        self.stops = [_sheet_row(stop) for stop in sheet.stops]
        self.view = "found"


def _number(state: rx.State) -> int:
    text = route_argument(state, "run_id")
    return parse(BoardRun, {"run": int(text) if text.isdecimal() and len(text) < 11 else 0}).run


def _sheet_row(stop: SheetStop) -> SheetRow:
    facts = stop.facts
    return SheetRow(
        id=facts.id,
        name=f"{facts.position}. {facts.customer_name}",
        cash=money.show(facts.cash_cents),
        lines=sheet_texts.lines(stop),
        address=facts.address,
        boxes=[*sheet_texts.boxes(facts)],
        outcome=sheet_texts.outcome(facts),
    )
