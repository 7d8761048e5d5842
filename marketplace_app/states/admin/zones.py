"""The zones of `/admin/delivery`, and the form that adds or edits one."""

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
from marketplace_app.schemas.zones import ZoneForm, ZoneRef, ZoneView
from marketplace_app.services.delivery import zones
from marketplace_app.states.base import Updates, action, read, toast, write
from marketplace_app.states.failures import Explain, Fields, On
from marketplace_app.states.subscriptions import subscribe

FIELDS = dict.fromkeys(("name", "fee", "minimum", "freeFrom", "zips"), "")
FAILED = Explain(messages.ERROR, messages.DELIVERY_NOT_SAVED)


@dataclass(frozen=True)
class ZoneRow:
    id: int
    name: str
    terms: str
    """`Fee $12.00 · minimum the shop's · free from $150.00`"""
    zips: str
    """`3 ZIP codes: 97201, 97202, 97203`"""


class FormData(TypedDict, total=False):
    zone_name: str
    fee: str
    minimum: str
    free_from: str
    zips: str


class AdminZonesState(rx.State):
    is_loading: bool = True
    zones: list[ZoneRow] = []
    edited: int = 0
    """The zone in the form; 0 for a new one."""
    values: dict[str, str] = dict(FIELDS)
    """The initial values of the form."""
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """A React key: a new number fills the form anew."""
    is_saving: bool = False
    _seen: dict[str, Any] = {}
    """The values of the edited zone when the form was filled."""

    @action(who=Permission.SEE_SETTINGS)
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        self._fill(None)
        await self._refresh()

    async def _reload(self, error: StoreError) -> None:
        """A colleague has changed something in the meantime: show it, and let a second press decide."""
        await self._refresh()
        listed = await read(self, zones.list_all)
        self._seen = next((each.values() for each in listed if each.id == self.edited), {})

    @action(
        who=Permission.EDIT_DELIVERY,
        on_failure=(Fields("errors", FIELDS), On((NotFound, Conflict), _reload), FAILED),
    )
    async def save(self, form: FormData) -> Updates:
        """A new zone, or the one that is edited."""
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            parsed = parse(ZoneForm, _fields(form))
            if self.edited:
                await write(self, zones.change, self.edited, parsed, seen=dict(self._seen))
            else:
                await write(self, zones.add, parsed)
        finally:
            self.is_saving = False
        self._fill(None)
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def edit(self, zone: int) -> None:
        number = parse(ZoneRef, {"id": zone}).id
        self._fill(await read(self, zones.get, number))

    @action(who=Permission.EDIT_DELIVERY)
    async def cancel(self) -> None:
        self._fill(None)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On((NotFound, Conflict), _reload), FAILED))
    async def remove(self, zone: int) -> None:
        number = parse(ZoneRef, {"id": zone}).id
        await write(self, zones.remove, number)
        if self.edited == number:
            self._fill(None)
        await self._refresh()
        await toast(self, "success", messages.DELIVERY_SAVED)

    async def _refresh(self) -> None:
        self.zones = [_row(zone) for zone in await read(self, zones.list_all)]
        self.is_loading = False

    def _fill(self, zone: ZoneView | None) -> None:
        self.edited, self._seen = (zone.id, zone.values()) if zone else (0, {})
        self.errors = dict(FIELDS)
        self.values = FIELDS | (_shown(zone) if zone else {})
        self.form_key += 1


def _shown(zone: ZoneView) -> dict[str, str]:
    amounts = {"fee": zone.fee_cents, "minimum": zone.minimum_cents, "freeFrom": zone.free_from_cents}
    texts = {name: "" if cents is None else money.decimal(cents) for name, cents in amounts.items()}
    return {"name": zone.name, "zips": "\n".join(zone.zips)} | texts


def _fields(form: FormData) -> dict[str, Any]:
    """ZIP codes may be pasted with anything between them; an empty amount is the shop's."""
    return {
        "name": form.get("zone_name", ""),
        "fee": form.get("fee", "").strip() or None,
        "minimum": form.get("minimum", "").strip() or None,
        "freeFrom": form.get("free_from", "").strip() or None,
        "zips": re.findall(r"[^\s,;]+", form.get("zips", "")),
    }


def _row(zone: ZoneView) -> ZoneRow:
    def amount(cents: int | None) -> str:
        return "the shop's" if cents is None else money.show(cents)

    terms = f"Fee {amount(zone.fee_cents)} · minimum {amount(zone.minimum_cents)}"
    terms += f" · free from {amount(zone.free_from_cents)}"
    few = ", ".join(zone.zips[:6]) + (", …" if len(zone.zips) > 6 else "")
    return ZoneRow(zone.id, zone.name, terms, f"{counted(len(zone.zips), 'ZIP code')}: {few}")
