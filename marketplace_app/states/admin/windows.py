"""The windows of `/admin/delivery` week by week, and the form that adds one."""

import re
from dataclasses import dataclass
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.adapters import live
from marketplace_app.display.paging import counted
from marketplace_app.errors import Conflict, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.windows import WEEKDAYS, WindowForm, WindowView
from marketplace_app.schemas.zones import ZoneRef
from marketplace_app.services.delivery import windows, zones
from marketplace_app.states.admin.zones import FAILED
from marketplace_app.states.base import action, read, toast, write
from marketplace_app.states.failures import Fields, On
from marketplace_app.states.subscriptions import subscribe

FIELDS = dict.fromkeys(("zoneId", "weekday", "opens", "closes", "cutoffMinutes", "capacity"), "")


@dataclass(frozen=True)
class WindowRow:
    id: int
    text: str
    """`East side, 17:00 to 19:00: 12 orders, until 120 min before`"""


@dataclass(frozen=True)
class WeekdayRow:
    name: str
    windows: list[WindowRow]


class FormData(TypedDict, total=False):
    zone: str
    weekday: str
    opens: str
    closes: str
    cutoff: str
    capacity: str


class AdminWindowsState(rx.State):
    is_loading: bool = True
    weekdays: list[WeekdayRow] = []
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """A React key: a new number fills the form anew."""

    @action(who=Permission.SEE_SETTINGS)
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
    async def add(self, form: FormData) -> None:
        self.errors = dict(FIELDS)
        await write(self, windows.add, parse(WindowForm, _fields(form)))
        self.form_key += 1
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def remove(self, window: int) -> None:
        await write(self, windows.remove, parse(ZoneRef, {"id": window}).id)
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    async def _refresh(self) -> None:
        names = {zone.id: zone.name for zone in await read(self, zones.list_all)}
        week = await read(self, windows.list_all)
        self.weekdays = [
            WeekdayRow(name, [_row(each, names) for each in week if each.weekday == number])
            for number, name in enumerate(WEEKDAYS)
        ]
        self.is_loading = False


def _fields(form: FormData) -> dict[str, Any]:
    return {
        "zoneId": _number(form.get("zone", "")),
        "weekday": _number(form.get("weekday", "")),
        "opens": form.get("opens", ""),
        "closes": form.get("closes", ""),
        "cutoffMinutes": _number(form.get("cutoff", "")),
        "capacity": _number(form.get("capacity", "")),
    }


def _number(text: str) -> int | str:
    """The text itself if it is no number: the form then says what it expects."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text.strip(), re.ASCII) else text


def _row(window: WindowView, names: dict[int, str]) -> WindowRow:
    span = f"{names.get(window.zone_id, '')}, {window.opens} to {window.closes}"
    return WindowRow(
        window.id, f"{span}: {counted(window.capacity, 'order')}, until {window.cutoff_minutes} min before"
    )
