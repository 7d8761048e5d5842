"""The closed days of `/admin/delivery`."""

from dataclasses import dataclass

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import delivery_messages
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.delivery.windows import ClosureForm
from marketplace_app.services.delivery import closures
from marketplace_app.states.admin.delivery.zones import FAILED
from marketplace_app.states.events.base import Events, action, read, toast, write
from marketplace_app.states.events.failures import Fields, On, ShowPageFailed
from marketplace_app.states.events.subscriptions import subscribe

FIELDS = dict.fromkeys(("day", "reason"), "")
CLOSURES_ID = "closed-days"
"""Receives the focus when the focused row is removed."""


@dataclass(frozen=True)
class ClosureRow:
    day: str
    """`2026-12-25`"""
    reason: str
    due: str
    """`2 orders are still due that day.`, or nothing"""


class ClosureFormData(TypedDict, total=False):
    form_key: str
    day: str
    reason: str


class AdminClosuresState(rx.State):
    is_loading: bool = True
    closures: list[ClosureRow] = []
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number empties the form."""

    @action(who=Permission.SEE_SETTINGS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        self.errors = dict(FIELDS)
        await self._refresh()

    async def _reload(self, error: StoreError) -> None:
        """A colleague has changed something in the meantime."""
        await self._refresh()

    @action(
        who=Permission.EDIT_DELIVERY,
        on_failure=(Fields("errors", FIELDS), On((NotFound, Conflict), _reload), FAILED),
    )
    async def add(self, form: ClosureFormData) -> None:
        self.errors = dict(FIELDS)
        parsed = parse(ClosureForm, {"day": form.get("day", ""), "reason": form.get("reason", "")})
        await write(self, closures.add, parsed)
        await self._refresh()
        await toast(self, "success", delivery_messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def remove(self, day: str) -> Events:
        parsed = parse(ClosureForm, {"day": day})
        await write(self, closures.remove, parsed.day.isoformat())
        await self._refresh()
        await toast(self, "success", delivery_messages.DELIVERY_SAVED)
        return rx.set_focus(CLOSURES_ID)

    async def _refresh(self) -> None:
        due = await read(self, closures.count_due)
        self.closures = [
            ClosureRow(
                each.day.isoformat(),
                each.reason,
                delivery_messages.orders_due(due[each.day]) if each.day in due else "",
            )
            for each in await read(self, closures.list_all)
        ]
        self.is_loading = False
