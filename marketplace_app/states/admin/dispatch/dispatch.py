"""The dispatch board (RULE board-screen): what is to be delivered, by how far it is, and moving orders between runs."""

import reflex as rx

from marketplace_app import messages
from marketplace_app.adapters import live
from marketplace_app.display.paging import counted
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import row_id
from marketplace_app.schemas.dispatch.runs import OrderRef, RunRef, StopRef, StopSequenceForm
from marketplace_app.services.dispatch import board, departures, runs, sheets
from marketplace_app.states.admin.dispatch.dispatch_rows import (
    CardRow,
    ProblemRow,
    RunRow,
    card_row,
    problem_row,
    run_row,
)
from marketplace_app.states.events.base import Events, action, read, toast, write
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.subscriptions import subscribe

PLANNED_ID, UNPLANNED_ID, OUT_ID, PROBLEMS_ID = "planned", "unplanned", "out", "problems"
"""The columns. One receives the focus when the control that had it is gone."""


class AdminDispatchState(rx.State):
    is_loading: bool = True
    unplanned: list[CardRow] = []
    planned: list[RunRow] = []
    out: list[RunRow] = []
    problems: list[ProblemRow] = []
    selected: list[str] = []
    """Ids of the orders that 'Plan' concerns."""
    announcement: str = ""
    """What the last click did, for screen readers. It names the order, since they read the same sentence only once."""

    @action(who=Permission.SEE_DISPATCH, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load, and again after a reconnect."""
        subscribe(self, live.STAFF)
        await self._refresh()

    @action(who=Permission.PLAN_RUNS)
    async def toggle(self, order_id: str) -> None:
        """The checkbox of a card."""
        chosen = parse(OrderRef, {"orderId": order_id}).order_id
        kept = [each for each in self.selected if each != chosen]
        self.selected = kept if len(kept) < len(self.selected) else [*kept, chosen]

    @action(who=Permission.PLAN_RUNS)
    async def deselect(self) -> Events:
        self.selected = []
        return rx.set_focus(UNPLANNED_ID)

    @action(who=Permission.PLAN_RUNS)
    async def put_on(self, run: str) -> Events:
        """Put the selected orders on a run that has not left."""
        if not run or not self.selected:
            return None
        run_id = parse(RunRef, {"run": row_id(run)}).run
        try:
            await write(self, runs.add_all, run_id, list(self.selected))
        finally:
            await self._refresh()
        self.announcement = f"{counted(len(self.selected), 'order')} put on run {run_id}."
        self.selected = []
        return rx.set_focus(PLANNED_ID)

    @action(who=Permission.PLAN_RUNS)
    async def move(self, run: int, stop: int, by: int) -> None:
        """Move a stop one place earlier (-1) or later (1) on its run."""
        which = parse(StopRef, {"run": run, "stop": stop})
        row = next((each for each in (*self.planned, *self.out) if each.id == which.run), None)
        left = [each.id for each in row.stops if not each.outcome] if row else []
        if which.stop in left and by in (-1, 1):
            place = left.index(which.stop)
            to = min(max(place + by, 0), len(left) - 1)
            left.insert(to, left.pop(place))
            try:
                await write(self, runs.reorder, which.run, parse(StopSequenceForm, {"stopIds": left}))
            finally:
                await self._refresh()
            self.announcement = f"{self._order_of(which.stop)} is stop {to + 1} of {len(left)}."

    @action(who=Permission.PLAN_RUNS)
    async def take_off(self, run: int, stop: int) -> Events:
        """The browser moves the focus to the next stop; if the run has none left, the column gets it."""
        which = parse(StopRef, {"run": run, "stop": stop})
        order = self._order_of(which.stop)
        try:
            await write(self, runs.take_off, which.run, which.stop)
        finally:
            await self._refresh()
        self.announcement = f"{order} taken off run {which.run}."
        is_empty = not any(row.stops for row in self.planned if row.id == which.run)
        return rx.set_focus(PLANNED_ID) if is_empty else None

    @action(who=Permission.PLAN_RUNS)
    async def close(self, run: int) -> Events:
        which = parse(RunRef, {"run": run})
        try:
            await write(self, departures.close, which.run)
            await read(self, sheets.remove_at_close)
        finally:
            await self._refresh()
        await toast(self, "success", messages.Notice(f"Run {which.run} is closed"))
        return rx.set_focus(OUT_ID)

    async def _refresh(self) -> None:
        found = await read(self, board.show)
        self._show("unplanned", [card_row(card) for card in found.unplanned])
        self._show("planned", [run_row(run) for run in found.planned])
        self._show("out", [run_row(run) for run in found.out])
        self._show("problems", [problem_row(problem) for problem in found.problems])
        plannable = {card.order_id for card in found.unplanned}
        plannable |= {stop.card.order_id for run in found.planned for stop in run.stops}
        plannable |= {problem.card.order_id for problem in found.problems}
        if any(each not in plannable for each in self.selected):
            self.selected = [each for each in self.selected if each in plannable]
        if self.is_loading:
            self.is_loading = False

    def _order_of(self, stop_id: int) -> str:
        """`Order 1042`"""
        stops = (stop for run in (*self.planned, *self.out) for stop in run.stops)
        return next((f"Order {stop.card.number}" for stop in stops if stop.id == stop_id), "Order")

    def _show(self, column: str, rows: list[CardRow] | list[RunRow] | list[ProblemRow]) -> None:
        """Set a column only if it has changed, so that the same rows are not sent again."""
        if getattr(self, column) != rows:
            setattr(self, column, rows)
