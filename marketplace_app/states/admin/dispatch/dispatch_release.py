"""The dialog in which a dispatcher unlocks a stop or clears its flag, and says why."""

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.dispatch.runs import ReleaseForm, StopRef
from marketplace_app.services.dispatch import door
from marketplace_app.states.admin.dispatch.dispatch import PROBLEMS_ID, AdminDispatchState
from marketplace_app.states.events.base import Updates, action, write
from marketplace_app.states.events.failures import Fields

FIELDS = {"reason": ""}


class ReleaseFormData(TypedDict, total=False):
    form_key: str
    reason: str


class AdminReleaseState(rx.State):
    is_open: bool = False
    title: str = ""
    """`Release order 1042`"""
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""
    is_saving: bool = False
    _run: int = 0
    _stop: int = 0

    @action(who=Permission.PLAN_RUNS)
    async def ask(self, run: int, stop: int, number: str) -> None:
        which = parse(StopRef, {"run": run, "stop": stop})
        self._run, self._stop = which.run, which.stop
        self.title, self.errors = f"Release order {number[:12]}", dict(FIELDS)
        self.form_key += 1
        self.is_open = True

    @action(who=Permission.PLAN_RUNS, on_failure=Fields("errors", FIELDS, without_toast=True))
    async def save(self, form: ReleaseFormData) -> Updates:
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            given = parse(ReleaseForm, {"reason": form.get("reason", "")})
            await write(self, door.release, self._run, self._stop, given)
        finally:
            self.is_saving = False
            await (await self.get_state(AdminDispatchState))._refresh()
        self.is_open = False
        yield rx.set_focus(PROBLEMS_ID)

    @action(who=Permission.PLAN_RUNS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        self.is_open = self.is_open and parse(OpenToggle, {"isOpen": is_open}).is_open

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False
