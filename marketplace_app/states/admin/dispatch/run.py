"""A run's own page, and its sheet for the printer (RULE run-page, RULE run-sheet)."""

from collections.abc import Sequence
from dataclasses import dataclass

import reflex as rx

from marketplace_app import clock, money
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display.bidi import isolated
from marketplace_app.errors import NotFound
from marketplace_app.models import EventSource, Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import row_id
from marketplace_app.schemas.dispatch.runs import RunRef, RunState, RunView
from marketplace_app.schemas.dispatch.sheets import Sheet, SheetStop
from marketplace_app.schemas.dispatch.stop_events import StopEventView
from marketplace_app.services.dispatch import run_events, runs, sheet_texts, sheets
from marketplace_app.states.admin.dispatch.dispatch_rows import CardRow, StopRow, run_row
from marketplace_app.states.events.base import Updates, action, read, route_argument, shows_its_row
from marketplace_app.states.events.failures import MISSING_OR_FAILED
from marketplace_app.states.events.subscriptions import subscribe, tab_user_id

STATE_HUES = {RunState.PLANNED: "yellow", RunState.OUT: "blue", RunState.CLOSED: "grey"}
SOURCES = {EventSource.PHONE: "by phone", EventSource.DISPATCH: "by dispatch", EventSource.PAPER: "from paper"}


@dataclass(frozen=True)
class ReportRow:
    id: int
    text: str
    """`Cash counted: $152.50`"""
    facts: str
    """`Nov 27, 2026, 5:42 PM, arrived Nov 27, 2026, 6:10 PM · Dora, by phone`"""


@dataclass(frozen=True)
class RunStopRow:
    """A stop on the run's own page."""

    id: int
    place: str
    """`1`, as on the sheet."""
    card: CardRow
    outcome: str
    """Empty until the stop has ended."""
    is_delivered: bool
    reports: list[ReportRow]


@dataclass(frozen=True)
class SheetRow:
    id: int
    name: str
    """`1. Nora Whitfield`"""
    cash: str
    lines: list[str]
    address: str
    boxes: list[str]
    """What the driver ticks and writes at the door, such as `Name matches`."""
    outcome: str
    """Empty until the stop has ended."""


class AdminRunState(rx.State):
    view: str = "loading"
    """loading, found, missing or failed"""
    id: int = 0
    title: str = ""
    facts: str = ""
    times: str = ""
    """`Left Nov 27, 2026, 8:00 AM`"""
    status: str = ""
    status_hue: str = "grey"
    stops: list[RunStopRow] = []
    open_count: int = 0
    """How many stops have no outcome yet, if the run is out; else 0."""
    has_labels: bool = False
    """Whether any bag of the run has a label (RULE bag-labels)."""
    is_driving: bool = False
    """The viewer is out on this run, so `/drive` shows it."""

    @action(who=Permission.SEE_DISPATCH, on_failure=MISSING_OR_FAILED)
    async def load(self) -> Updates:
        """on_load, and again after a reconnect; until the answer arrives, the screen keeps what it shows."""
        if not shows_its_row(self, "run_id"):
            self.view = "loading"
            yield None
        subscribe(self, live.STAFF)
        await self._fetch(_run_id(self))

    async def _refresh(self) -> None:
        """Something changed elsewhere; a colleague may have removed the run."""
        if self.view != "found":
            return
        try:
            await self._fetch(self.id)
        except NotFound:
            self.view = "missing"

    async def _fetch(self, run_id: int) -> None:
        self._show(await read(self, runs.get, run_id), await read(self, run_events.list_events, run_id))

    def _show(self, run: RunView, events: Sequence[StopEventView]) -> None:
        timezone = get_settings().timezone
        row = run_row(run)
        self.id, self.title, self.facts = run.id, row.title, row.facts
        self.stops = [
            _stop_row(str(each.position), stop, events) for each, stop in zip(run.stops, row.stops, strict=True)
        ]
        self.status, self.status_hue = run.state.value, STATE_HUES[run.state]
        moments = (("Left", run.departed_at), ("Closed", run.closed_at))
        self.times = " · ".join(f"{what} {clock.show_time(at, timezone)}" for what, at in moments if at)
        is_out = run.state is RunState.OUT
        self.is_driving = is_out and run.driver.id == tab_user_id(self)
        self.open_count = sum(stop.outcome is None for stop in run.stops) if is_out else 0
        self.has_labels = any(stop.outcome is None and not stop.card.is_recalled for stop in run.stops)
        self.view = "found"


class AdminSheetState(rx.State):
    view: str = "loading"
    """loading, found, missing or failed"""
    id: int = 0
    head: list[str] = []
    totals: str = ""
    stops: list[SheetRow] = []

    @action(who=Permission.PLAN_RUNS, on_failure=MISSING_OR_FAILED)
    async def load(self) -> Updates:
        """on_load, and again after a reconnect; until the answer arrives, the screen keeps what it shows."""
        if not shows_its_row(self, "run_id"):
            self.view = "loading"
            yield None
        self._show(await read(self, sheets.make, _run_id(self)))

    def _show(self, sheet: Sheet) -> None:
        self.id, self.head, self.totals = sheet.run_id, [*sheet_texts.head(sheet)], sheet_texts.totals(sheet)
        self.stops = [_sheet_row(stop, offers_change_as_credit=sheet.offers_change_as_credit) for stop in sheet.stops]
        self.view = "found"


def _run_id(state: rx.State) -> int:
    return parse(RunRef, {"run": row_id(route_argument(state, "run_id"))}).run


def _stop_row(place: str, stop: StopRow, events: Sequence[StopEventView]) -> RunStopRow:
    reports = [_report_row(event) for event in events if event.stop_id == stop.id]
    return RunStopRow(
        id=stop.id,
        place=place,
        card=stop.card,
        outcome=stop.outcome,
        is_delivered=stop.is_delivered,
        reports=reports,
    )


def _report_row(event: StopEventView) -> ReportRow:
    """With the time at which the report arrived, unless that is the minute in which it was made."""
    timezone = get_settings().timezone
    claimed, received = (clock.show_time(at, timezone) for at in (event.claimed_at, event.received_at))
    when = claimed if claimed == received else f"{claimed}, arrived {received}"
    return ReportRow(event.id, event.text, f"{when} · {isolated(event.reporter.name)}, {SOURCES[event.source]}")


def _sheet_row(stop: SheetStop, *, offers_change_as_credit: bool) -> SheetRow:
    facts = stop.facts
    return SheetRow(
        id=facts.id,
        name=f"{facts.position}. {isolated(facts.customer_name)}",
        cash=money.show(facts.cash_cents),
        lines=sheet_texts.lines(stop),
        address=facts.address,
        boxes=[*sheet_texts.boxes(facts, offers_change_as_credit=offers_change_as_credit)],
        outcome=sheet_texts.outcome(facts),
    )
