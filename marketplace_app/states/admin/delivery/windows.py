"""The windows of `/admin/delivery` week by week, and the dialog that adds some or edits one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import delivery_messages, dispatch_messages
from marketplace_app.adapters import live
from marketplace_app.display.bidi import isolated
from marketplace_app.display.paging import counted
from marketplace_app.errors import EditedMeanwhile, InvalidInput, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle, integer_or_text
from marketplace_app.schemas.delivery.windows import (
    WEEKDAYS,
    TimeCheck,
    WindowForm,
    WindowRef,
    WindowView,
    minutes_between,
)
from marketplace_app.services.delivery import capacity, windows, zones
from marketplace_app.states.admin.delivery.zones import FAILED
from marketplace_app.states.events.base import Events, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Fields, On, ShowPageFailed, mark_changed
from marketplace_app.states.events.subscriptions import subscribe

FIELDS = dict.fromkeys(("zoneId", "weekday", "opens", "closes", "cutoffMinutes", "capacity"), "")
NEW_VALUES = FIELDS | {"cutoffMinutes": "120", "capacity": "10"}
"""The initial values of the form of new windows."""
WEEK_ID = "week"
"""Receives the focus when the focused row is removed."""


@dataclass(frozen=True)
class WindowRow:
    id: int
    text: str
    """`East side, 17:00 to 19:00: 12 orders, until 120 min before`"""


@dataclass(frozen=True)
class WeekdayRow:
    name: str
    windows: list[WindowRow]


class WindowFormData(TypedDict, total=False):
    form_key: str
    zone: str
    weekday: list[str]
    opens: str
    closes: str
    cutoff: str
    capacity: str


class AdminWindowsState(rx.State):
    is_loading: bool = True
    weekdays: list[WeekdayRow] = []
    is_open: bool = False
    """The dialog with the form."""
    edited: int = 0
    """The window in the form; 0 for new ones."""
    title: str = ""
    """`East side, Friday`"""
    values: dict[str, str] = dict(FIELDS)
    """The initial values of the form."""
    chosen_days: list[str] = []
    """The days that are ticked when the form of new windows opens: always none."""
    errors: dict[str, str] = dict(FIELDS)
    advice: str = ""
    """`One driver can deliver about 9 orders in this window, two about 18.`"""
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number fills the form anew."""
    is_saving: bool = False
    _times: dict[str, str] = {}
    """The opening and the closing time in the form. Each is updated when its field is left."""
    _seen: dict[str, int] = {}
    """The values of the edited window when the form was filled."""

    @action(who=Permission.SEE_SETTINGS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        await self._refresh()

    async def _close_and_reload(self, error: StoreError) -> None:
        """A colleague has removed the window in the meantime."""
        self.is_open = False
        await self._refresh()

    async def _mark_conflicts(self, error: EditedMeanwhile) -> None:
        """Show the stored values beside the fields, and keep what was typed: saving again knowingly replaces them."""
        window = await read(self, windows.get, self.edited)
        stored, texts = window.values(), _field_texts(window)
        self._seen = self._seen | {name: stored[name] for name in error.fields}
        self.errors = mark_changed(FIELDS, error.fields, texts)

    @action(who=Permission.EDIT_DELIVERY)
    async def open_new(self) -> None:
        self.edited, self.title, self.values, self._seen = 0, "", dict(NEW_VALUES), {}
        self._open()

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def edit(self, window: int) -> None:
        found = await read(self, windows.get, parse(WindowRef, {"id": window}).id)
        names = await read(self, zones.list_names)
        self.edited, self._seen, self.values = found.id, found.values(), _field_texts(found)
        self.title = f"{names.get(found.zone_id, '')}, {WEEKDAYS[found.weekday]}"
        self._open()

    @action(who=Permission.EDIT_DELIVERY)
    async def check_time(self, name: str, value: str) -> None:
        """On blur: how many orders drivers can do between the two times."""
        check = parse(TimeCheck, {"name": name, "value": value})
        self._advise(self._times | {check.name: check.value})

    @action(
        who=Permission.EDIT_DELIVERY,
        on_failure=(
            Fields("errors", FIELDS, without_toast=True),
            On(EditedMeanwhile, _mark_conflicts),
            On(NotFound, _close_and_reload),
            FAILED,
        ),
    )
    async def save(self, form: WindowFormData) -> Updates:
        """Add a window for each chosen day, or change the edited one, which keeps its zone and day."""
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            if self.edited:
                changed = _common_values(form) | {name: self._seen[name] for name in ("zoneId", "weekday")}
                await write(self, windows.change, self.edited, parse(WindowForm, changed), seen=dict(self._seen))
            else:
                await write(self, windows.add_all, _new_windows(form))
        finally:
            self.is_saving = False
        self.is_open = False
        await self._refresh()
        await toast(self, "success", delivery_messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def remove(self, window: int) -> Events:
        await write(self, windows.remove, parse(WindowRef, {"id": window}).id)
        await self._refresh()
        await toast(self, "success", delivery_messages.DELIVERY_SAVED)
        return rx.set_focus(WEEK_ID)

    @action(who=Permission.EDIT_DELIVERY)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.is_open = False

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False

    async def _refresh(self) -> None:
        names = await read(self, zones.list_names)
        week = await read(self, windows.list_all)
        self.weekdays = [
            WeekdayRow(name, [_row(each, names) for each in week if each.weekday == number])
            for number, name in enumerate(WEEKDAYS)
        ]
        self.is_loading = False

    def _open(self) -> None:
        self.errors = dict(FIELDS)
        self._advise(self.values)
        self.form_key += 1
        self.is_open = True

    def _advise(self, times: Mapping[str, str]) -> None:
        self._times = {name: times[name] for name in ("opens", "closes")}
        minutes = minutes_between(**self._times)
        one, two = (capacity.orders_of(drivers, minutes) for drivers in (1, 2))
        self.advice = dispatch_messages.window_advice(one, two) if one else ""


def _field_texts(window: WindowView) -> dict[str, str]:
    return {
        "zoneId": str(window.zone_id),
        "weekday": WEEKDAYS[window.weekday],
        "opens": window.opens,
        "closes": window.closes,
        "cutoffMinutes": str(window.cutoff_minutes),
        "capacity": str(window.capacity),
    }


def _new_windows(form: WindowFormData) -> list[WindowForm]:
    """One for each chosen day. Raises InvalidInput."""
    days = form.get("weekday", [])
    if not days:
        raise InvalidInput({"weekday": "Choose at least one day."})
    common = _common_values(form) | {"zoneId": integer_or_text(form.get("zone", ""))}
    return [parse(WindowForm, common | {"weekday": WEEKDAYS.index(day) if day in WEEKDAYS else day}) for day in days]


def _common_values(form: WindowFormData) -> dict[str, Any]:
    return {
        "opens": form.get("opens", "").strip(),
        "closes": form.get("closes", "").strip(),
        "cutoffMinutes": integer_or_text(form.get("cutoff", "")),
        "capacity": integer_or_text(form.get("capacity", "")),
    }


def _row(window: WindowView, names: Mapping[int, str]) -> WindowRow:
    span = f"{isolated(names.get(window.zone_id, ''))}, {window.opens} to {window.closes}"
    return WindowRow(
        window.id, f"{span}: {counted(window.capacity, 'order')}, until {window.cutoff_minutes} min before"
    )
