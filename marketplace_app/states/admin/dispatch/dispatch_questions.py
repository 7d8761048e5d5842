"""The questions that are asked before a run leaves or is removed, or its stops are reordered."""

import reflex as rx

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.display.paging import counted
from marketplace_app.messages import Notice
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.dispatch.runs import RunRef, RunView, StopSequenceForm
from marketplace_app.services.dispatch import departures, runs, sheets, suggestions
from marketplace_app.states.admin.dispatch.dispatch import OUT_ID, PLANNED_ID, AdminDispatchState
from marketplace_app.states.events.base import Updates, action, read, toast, write

DEPART, DISCARD, REORDER = "depart", "discard", "reorder"
FOCUS_AFTER = {DEPART: OUT_ID, DISCARD: PLANNED_ID}
"""Where the focus goes, as the button that asked disappears with its run."""


class AdminDispatchQuestionState(rx.State):
    asked: str = ""
    """depart, discard or reorder; empty while nothing is asked"""
    title: str = ""
    text: str = ""
    is_working: bool = False
    _run: int = 0
    _stops: list[int] = []
    """The ids of the stops, in the suggested sequence."""

    @action(who=Permission.PLAN_RUNS)
    async def ask_to_depart(self, run: int) -> None:
        found = await self._find(run)
        open_stops = [stop for stop in found.stops if stop.outcome is None]
        is_today = found.day == clock.today(get_settings().timezone)
        self.title = f"Let run {found.id} leave?"
        self.text = (
            ("" if is_today else f"This run is planned for {clock.show_weekday(found.day)}, not for today. ")
            + f"{found.driver.name} leaves with {counted(len(open_stops), 'order')} and collects "
            f"{money.show(found.cash_cents)}. "
            "The customers get a message that their orders are on the way."
        )
        self.asked = DEPART

    @action(who=Permission.PLAN_RUNS)
    async def ask_to_discard(self, run: int) -> None:
        found = await self._find(run)
        self.title = f"Remove run {found.id}?"
        planned = counted(len(found.stops), "order")
        self.text = f"{planned} can be planned again." if found.stops else "It has no orders."
        self.asked = DISCARD

    @action(who=Permission.PLAN_RUNS)
    async def suggest(self, run: int) -> None:
        found = await self._find(run)
        suggestion = await read(self, suggestions.suggest, found.id)
        numbers = {stop.id: str(stop.card.number) for stop in found.stops}
        listed = ", ".join(numbers[stop_id] for stop_id in suggestion.stop_ids if stop_id in numbers)
        self._stops = [*suggestion.stop_ids]
        self.title = f"Reorder the stops of run {found.id}?"
        self.text = f"{listed}. {suggestion.note} Roads and traffic are not known here."
        self.asked = REORDER

    @action(who=Permission.PLAN_RUNS)
    async def confirm(self) -> Updates:
        """Do what was asked."""
        if not self.asked:
            return
        self.is_working = True
        yield None
        board, asked = await self.get_state(AdminDispatchState), self.asked
        try:
            await self._do(asked)
        finally:
            self.is_working, self.asked = False, ""
            await board._refresh()
        if asked == DEPART:
            await toast(self, "success", Notice(f"Run {self._run} has left"))
        if asked in FOCUS_AFTER:
            yield rx.set_focus(FOCUS_AFTER[asked])

    @action(who=Permission.PLAN_RUNS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the question, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.asked = ""

    def _leave_page(self) -> None:
        if self.asked:
            self.asked = ""

    async def _do(self, asked: str) -> None:
        if asked == DEPART:
            # `read` suffices for the sheet: it is written to a file, not to the database. It is written before the run
            # leaves, in case the process dies in between, and again afterwards, since it says when the run left.
            await read(self, sheets.write_at_departure, self._run)
            await write(self, departures.depart, self._run)
            await read(self, sheets.write_at_departure, self._run)
        elif asked == DISCARD:
            await write(self, runs.discard, self._run)
        elif asked == REORDER:
            await write(self, runs.reorder, self._run, parse(StopSequenceForm, {"stopIds": list(self._stops)}))

    async def _find(self, run: int) -> RunView:
        found = await read(self, runs.get, parse(RunRef, {"run": run}).run)
        self._run = found.id
        return found
