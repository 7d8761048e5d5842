"""`/admin/delivery`: zones, their windows week by week, and closed days."""

import re
from dataclasses import dataclass
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages, money
from marketplace_app.adapters import live
from marketplace_app.display.paging import counted
from marketplace_app.errors import Conflict, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.windows import WEEKDAYS, ClosureForm, WindowForm, WindowView
from marketplace_app.schemas.zones import ZoneForm, ZoneRef, ZoneView
from marketplace_app.services.delivery import closures, windows, zones
from marketplace_app.states.base import Updates, action, read, toast, write
from marketplace_app.states.failures import Explain, Fields, On
from marketplace_app.states.subscriptions import subscribe

ZONE_FIELDS = dict.fromkeys(("name", "fee", "minimum", "freeFrom", "zips"), "")
WINDOW_FIELDS = dict.fromkeys(("zoneId", "weekday", "opens", "closes", "cutoffMinutes", "capacity"), "")
CLOSURE_FIELDS = dict.fromkeys(("day", "reason"), "")
FAILED = Explain(messages.ERROR, messages.DELIVERY_NOT_SAVED)


@dataclass(frozen=True)
class ZoneRow:
    id: int
    name: str
    terms: str
    """`Fee $12.00 · minimum the shop's · free from $150.00`"""
    zips: str
    """`3 ZIP codes: 97201, 97202, 97203`"""


@dataclass(frozen=True)
class WindowRow:
    id: int
    text: str
    """`East side, 17:00 to 19:00: 12 orders, until 120 min before`"""


@dataclass(frozen=True)
class WeekdayRow:
    name: str
    windows: list[WindowRow]


@dataclass(frozen=True)
class ClosureRow:
    day: str
    """`2026-12-25`"""
    reason: str


class ZoneFormData(TypedDict, total=False):
    zone_name: str
    fee: str
    minimum: str
    free_from: str
    zips: str


class WindowFormData(TypedDict, total=False):
    zone: str
    weekday: str
    opens: str
    closes: str
    cutoff: str
    capacity: str


class ClosureFormData(TypedDict, total=False):
    day: str
    reason: str


class AdminDeliveryState(rx.State):
    is_loading: bool = True
    zones: list[ZoneRow] = []
    weekdays: list[WeekdayRow] = []
    closures: list[ClosureRow] = []
    edited: int = 0
    """The zone in the form; 0 for a new one."""
    zone_values: dict[str, str] = dict(ZONE_FIELDS)
    """The initial values of the zone's form."""
    zone_key: int = 0
    """React keys: a new number fills a form anew."""
    window_key: int = 0
    closure_key: int = 0
    zone_errors: dict[str, str] = dict(ZONE_FIELDS)
    window_errors: dict[str, str] = dict(WINDOW_FIELDS)
    closure_errors: dict[str, str] = dict(CLOSURE_FIELDS)
    is_saving: bool = False
    _seen: dict[str, Any] = {}
    """The values of the edited zone when the form was filled."""

    @action(who=Permission.SEE_SETTINGS)
    async def load(self) -> None:
        """on_load."""
        self.zone_errors, self.window_errors = dict(ZONE_FIELDS), dict(WINDOW_FIELDS)
        self.closure_errors = dict(CLOSURE_FIELDS)
        self._fill_zone(None)
        await self._refresh()
        subscribe(self, live.STAFF)

    async def _reload(self, error: StoreError) -> None:
        """A colleague has changed something in the meantime: show it, and let a second press decide."""
        await self._refresh()
        listed = await read(self, zones.list_all)
        self._seen = next((each.values() for each in listed if each.id == self.edited), {})

    @action(
        who=Permission.EDIT_DELIVERY,
        on_failure=(Fields("zone_errors", ZONE_FIELDS), On((NotFound, Conflict), _reload), FAILED),
    )
    async def save_zone(self, form: ZoneFormData) -> Updates:
        """A new zone, or the one that is edited."""
        self.is_saving, self.zone_errors = True, dict(ZONE_FIELDS)
        yield None
        try:
            parsed = parse(ZoneForm, _zone_fields(form))
            if self.edited:
                await write(self, zones.change, self.edited, parsed, seen=dict(self._seen))
            else:
                await write(self, zones.add, parsed)
        finally:
            self.is_saving = False
        self._fill_zone(None)
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def edit_zone(self, zone: int) -> None:
        number = parse(ZoneRef, {"id": zone}).id
        self._fill_zone(await read(self, zones.get, number))

    @action(who=Permission.EDIT_DELIVERY)
    async def cancel_edit(self) -> None:
        self._fill_zone(None)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def remove_zone(self, zone: int) -> None:
        number = parse(ZoneRef, {"id": zone}).id
        await write(self, zones.remove, number)
        if self.edited == number:
            self._fill_zone(None)
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    @action(
        who=Permission.EDIT_DELIVERY,
        on_failure=(Fields("window_errors", WINDOW_FIELDS), On((NotFound, Conflict), _reload), FAILED),
    )
    async def add_window(self, form: WindowFormData) -> None:
        self.window_errors = dict(WINDOW_FIELDS)
        await write(self, windows.add, parse(WindowForm, _window_fields(form)))
        self.window_key += 1
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def remove_window(self, window: int) -> None:
        await write(self, windows.remove, parse(ZoneRef, {"id": window}).id)
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    @action(
        who=Permission.EDIT_DELIVERY,
        on_failure=(Fields("closure_errors", CLOSURE_FIELDS), On((NotFound, Conflict), _reload), FAILED),
    )
    async def add_closure(self, form: ClosureFormData) -> None:
        self.closure_errors = dict(CLOSURE_FIELDS)
        parsed = parse(ClosureForm, {"day": form.get("day", ""), "reason": form.get("reason", "")})
        await write(self, closures.add, parsed)
        self.closure_key += 1
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def remove_closure(self, day: str) -> None:
        parsed = parse(ClosureForm, {"day": day})
        await write(self, closures.remove, parsed.day.isoformat())
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    async def _refresh(self) -> None:
        listed = await read(self, zones.list_all)
        names = {zone.id: zone.name for zone in listed}
        week = await read(self, windows.list_all)
        self.zones = [_zone_row(zone) for zone in listed]
        self.weekdays = [
            WeekdayRow(name, [_window_row(each, names) for each in week if each.weekday == number])
            for number, name in enumerate(WEEKDAYS)
        ]
        self.closures = [ClosureRow(each.day.isoformat(), each.reason) for each in await read(self, closures.list_all)]
        self.is_loading = False

    def _fill_zone(self, zone: ZoneView | None) -> None:
        self.edited, self._seen = (zone.id, zone.values()) if zone else (0, {})
        self.zone_errors = dict(ZONE_FIELDS)
        self.zone_values = ZONE_FIELDS | (_shown(zone) if zone else {})
        self.zone_key += 1


def _shown(zone: ZoneView) -> dict[str, str]:
    amounts = {"fee": zone.fee_cents, "minimum": zone.minimum_cents, "freeFrom": zone.free_from_cents}
    texts = {name: "" if cents is None else money.decimal(cents) for name, cents in amounts.items()}
    return {"name": zone.name, "zips": "\n".join(zone.zips)} | texts


def _zone_fields(form: ZoneFormData) -> dict[str, Any]:
    """ZIP codes may be pasted with anything between them; an empty amount is the shop's."""
    return {
        "name": form.get("zone_name", ""),
        "fee": form.get("fee", "").strip() or None,
        "minimum": form.get("minimum", "").strip() or None,
        "freeFrom": form.get("free_from", "").strip() or None,
        "zips": re.findall(r"[^\s,;]+", form.get("zips", "")),
    }


def _window_fields(form: WindowFormData) -> dict[str, Any]:
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


def _zone_row(zone: ZoneView) -> ZoneRow:
    def amount(cents: int | None) -> str:
        return "the shop's" if cents is None else money.show(cents)

    terms = f"Fee {amount(zone.fee_cents)} · minimum {amount(zone.minimum_cents)}"
    terms += f" · free from {amount(zone.free_from_cents)}"
    few = ", ".join(zone.zips[:6]) + (", …" if len(zone.zips) > 6 else "")
    return ZoneRow(zone.id, zone.name, terms, f"{counted(len(zone.zips), 'ZIP code')}: {few}")


def _window_row(window: WindowView, names: dict[int, str]) -> WindowRow:
    span = f"{names.get(window.zone_id, '')}, {window.opens} to {window.closes}"
    return WindowRow(
        window.id, f"{span}: {counted(window.capacity, 'order')}, until {window.cutoff_minutes} min before"
    )
