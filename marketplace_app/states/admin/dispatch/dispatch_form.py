"""The dialog in which a run is planned, or its day, driver and vehicle are changed."""

from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.display.paging import counted
from marketplace_app.errors import EditedMeanwhile
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle, row_id
from marketplace_app.schemas.dispatch.runs import NewRunForm, OrderRef, RunForm, RunRef, RunView
from marketplace_app.services.dispatch import drivers, runs
from marketplace_app.states.admin.dispatch.dispatch import PLANNED_ID, AdminDispatchState
from marketplace_app.states.events.base import Updates, action, read, write
from marketplace_app.states.events.failures import Fields, On, mark_changed

FIELDS = dict.fromkeys(("day", "driverId", "vehicle"), "")


class RunFormData(TypedDict, total=False):
    form_key: str
    day: str
    driver: str
    vehicle: str


class AdminRunFormState(rx.State):
    is_open: bool = False
    edited: int = 0
    """The run in the form; 0 for a new one."""
    title: str = ""
    """`New run with 3 orders`"""
    drivers: list[tuple[str, str]] = []
    """Id and name of everybody who may drive."""
    values: dict[str, str] = dict(FIELDS)
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number fills the form anew."""
    is_saving: bool = False
    _orders: list[str] = []
    """The orders that the title counts: what is selected on the board may change meanwhile."""
    _seen: dict[str, Any] = {}
    """The values of the edited run when the form was filled."""

    async def _mark_conflicts(self, error: EditedMeanwhile) -> None:
        """Show the stored values beside the fields, and keep what was typed: saving again knowingly replaces them."""
        run = await read(self, runs.get, self.edited)
        stored = run.values()
        self._seen = self._seen | {name: stored[name] for name in error.fields}
        self.errors = mark_changed(FIELDS, error.fields, _shown(run) | {"driverId": run.driver.name})

    @action(who=Permission.PLAN_RUNS)
    async def open_new(self) -> None:
        """Open the dialog for a new run with the selected orders, if any."""
        self._orders = [*(await self.get_state(AdminDispatchState)).selected]
        orders = f" with {counted(len(self._orders), 'order')}" if self._orders else ""
        today = clock.today(get_settings().timezone)
        await self._fill(0, f"New run{orders}", FIELDS | {"day": today.isoformat()})

    @action(who=Permission.PLAN_RUNS)
    async def plan_again(self, order_id: str) -> None:
        """Open the dialog for a run with only this order, whose delivery failed. It replaces what was
        selected on the board."""
        board = await self.get_state(AdminDispatchState)
        board.selected = [parse(OrderRef, {"orderId": order_id}).order_id]
        await self.open_new()

    @action(who=Permission.PLAN_RUNS)
    async def edit(self, run: int) -> None:
        found = await read(self, runs.get, parse(RunRef, {"run": run}).run)
        await self._fill(found.id, f"Run {found.id}", _shown(found))
        self._seen = found.values()

    @action(
        who=Permission.PLAN_RUNS,
        on_failure=(Fields("errors", FIELDS, without_toast=True), On(EditedMeanwhile, _mark_conflicts)),
    )
    async def save(self, form: RunFormData) -> Updates:
        """Plan a new run with the orders that the title counts, or change the edited one."""
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        board = await self.get_state(AdminDispatchState)
        driver = form.get("driver", "")
        facts = {
            "day": form.get("day", ""),
            "driverId": row_id(driver),
            "vehicle": form.get("vehicle", ""),
        }
        try:
            if self.edited:
                await write(self, runs.change, self.edited, parse(RunForm, facts), seen=dict(self._seen))
            else:
                orders = {"orderIds": list(self._orders)}
                run = await write(self, runs.plan, parse(NewRunForm, facts | orders))
                board.selected = []
                board.announcement = f"Run {run.id} is planned with {counted(len(run.stops), 'order')}."
        finally:
            self.is_saving = False
            await board._refresh()
        self.is_open = False
        yield rx.set_focus(PLANNED_ID)

    @action(who=Permission.PLAN_RUNS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        self.is_open = self.is_open and parse(OpenToggle, {"isOpen": is_open}).is_open

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False

    async def _fill(self, edited: int, title: str, values: dict[str, str]) -> None:
        self.drivers = [(str(driver.id), driver.name) for driver in await read(self, drivers.list_all)]
        if len(self.drivers) == 1:
            values = {**values, "driverId": values["driverId"] or self.drivers[0][0]}
        self.edited, self.title, self.values, self.errors = edited, title, values, dict(FIELDS)
        self.form_key += 1
        self.is_open = True


def _shown(run: RunView) -> dict[str, str]:
    return {name: str(value) for name, value in run.values().items()}
