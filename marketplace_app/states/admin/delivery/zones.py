"""The zones of `/admin/delivery`, the dialog that adds or edits one, and the question before one is removed."""

import re
from dataclasses import dataclass
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import delivery_messages, messages, money
from marketplace_app.adapters import live
from marketplace_app.display.paging import counted
from marketplace_app.errors import EditedMeanwhile, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.delivery.zones import ZoneForm, ZoneRef, ZoneView
from marketplace_app.services.delivery import zones
from marketplace_app.states.events.base import Events, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields, On, ShowPageFailed, mark_changed
from marketplace_app.states.events.subscriptions import subscribe

FIELDS = dict.fromkeys(("name", "fee", "minimum", "freeFrom", "zips"), "")
FAILED = Explain(messages.ERROR, delivery_messages.DELIVERY_NOT_SAVED)
ZONES_ID = "zones"
"""Receives the focus when the focused row is removed."""
_ZIP4_DASH = re.compile(r"(?<=\d)\s*[-–—]\s*(?=\d)")
"""The dash of a ZIP+4 code such as `97201 – 1234`, with any spaces around it: it does not separate two codes."""


@dataclass(frozen=True)
class ZoneRow:
    id: int
    name: str
    terms: str
    """`Fee $12.00 · minimum (shop default) · free from $150.00`"""
    zips: str
    """`3 ZIP codes: 97201, 97202, 97203`"""


class ZoneFormData(TypedDict, total=False):
    form_key: str
    zone_name: str
    fee: str
    minimum: str
    free_from: str
    zips: str


class AdminZonesState(rx.State):
    is_loading: bool = True
    zones: list[ZoneRow] = []
    is_open: bool = False
    """The dialog with the form."""
    edited_id: int = 0
    """The zone in the form; 0 for a new one."""
    values: dict[str, str] = dict(FIELDS)
    """The initial values of the form."""
    errors: dict[str, str] = dict(FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number fills the form anew."""
    is_saving: bool = False
    removing_id: int = 0
    """The zone whose removal is to be confirmed; 0 if none is."""
    removing_name: str = ""
    removing_text: str = ""
    """What is removed with it, and what is left."""
    _seen: dict[str, Any] = {}
    """The values of the edited zone when the form was filled."""

    @action(who=Permission.SEE_SETTINGS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        await self._refresh()

    async def _close_and_reload(self, error: StoreError) -> None:
        """A colleague has removed the zone in the meantime."""
        self._close()
        await self._refresh()

    async def _mark_conflicts(self, error: EditedMeanwhile) -> None:
        """Show the stored values beside the fields, and keep what was typed: saving again knowingly replaces them."""
        zone = await read(self, zones.get, self.edited_id)
        stored, texts = zone.values(), _field_texts(zone) | {"zips": _zips_summary(zone)}
        self._seen = self._seen | {name: stored[name] for name in error.fields}
        self.errors = mark_changed(FIELDS, error.fields, texts)

    @action(who=Permission.EDIT_DELIVERY)
    async def open_new(self) -> None:
        self._fill(None)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def edit(self, zone_id: int) -> None:
        self._fill(await read(self, zones.get, parse(ZoneRef, {"id": zone_id}).id))

    @action(
        who=Permission.EDIT_DELIVERY,
        on_failure=(
            Fields("errors", FIELDS, without_toast=True),
            On(EditedMeanwhile, _mark_conflicts),
            On(NotFound, _close_and_reload),
            FAILED,
        ),
    )
    async def save(self, form: ZoneFormData) -> Updates:
        """A new zone, or the one that is edited."""
        self.is_saving, self.errors = True, dict(FIELDS)
        yield None
        try:
            parsed = parse(ZoneForm, _fields(form))
            if self.edited_id:
                await write(self, zones.change, self.edited_id, parsed, seen=dict(self._seen))
            else:
                await write(self, zones.add, parsed)
        finally:
            self.is_saving = False
        self._close()
        await self._refresh()
        await toast(self, "success", delivery_messages.DELIVERY_SAVED)

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def ask_to_remove(self, zone_id: int) -> None:
        number = parse(ZoneRef, {"id": zone_id}).id
        found = await read(self, zones.describe_removal, number)
        self.removing_id, self.removing_name = number, found.name
        self.removing_text = delivery_messages.zone_removal(
            counted(found.zips, "ZIP code"),
            counted(found.windows, "window"),
            found.open_orders,
            is_last=found.is_last,
        )

    @action(who=Permission.EDIT_DELIVERY, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def remove(self) -> Events:
        """Remove the zone whose removal was confirmed."""
        if not self.removing_id:
            return None
        await write(self, zones.remove, self.removing_id)
        self._close()
        await self._refresh()
        await toast(self, "success", delivery_messages.DELIVERY_SAVED)
        return rx.set_focus(ZONES_ID)

    @action(who=Permission.EDIT_DELIVERY)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog that is open, but not open one."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self._close()

    async def _refresh(self) -> None:
        self.zones = [_row(zone) for zone in await read(self, zones.list_all)]
        self.is_loading = False

    def _leave_page(self) -> None:
        if self.is_open or self.removing_id:
            self._close()

    def _close(self) -> None:
        self.is_open, self.removing_id = False, 0

    def _fill(self, zone: ZoneView | None) -> None:
        self.edited_id, self._seen = (zone.id, zone.values()) if zone else (0, {})
        self.errors = dict(FIELDS)
        self.values = FIELDS | (_field_texts(zone) if zone else {})
        self.form_key += 1
        self.is_open = True


def _field_texts(zone: ZoneView) -> dict[str, str]:
    amounts = {"fee": zone.fee_cents, "minimum": zone.minimum_cents, "freeFrom": zone.free_from_cents}
    texts = {name: "" if cents is None else money.decimal(cents) for name, cents in amounts.items()}
    return {"name": zone.name, "zips": "\n".join(zone.zips)} | texts


def _fields(form: ZoneFormData) -> dict[str, Any]:
    """What the schema parses: each ZIP code once, and None for an empty amount, which means the shop's default.

    ZIP codes are typed with spaces, commas or semicolons between them.
    """
    zips = re.findall(r"[^\s,;]+", _ZIP4_DASH.sub("-", form.get("zips", "")))
    return {
        "name": form.get("zone_name", ""),
        "fee": form.get("fee", "").strip() or None,
        "minimum": form.get("minimum", "").strip() or None,
        "freeFrom": form.get("free_from", "").strip() or None,
        "zips": list(dict.fromkeys(zips)),
    }


def _zips_summary(zone: ZoneView) -> str:
    few = ", ".join(zone.zips[:6]) + (", …" if len(zone.zips) > 6 else "")
    return f"{counted(len(zone.zips), 'ZIP code')}: {few}"


def _row(zone: ZoneView) -> ZoneRow:
    def amount(cents: int | None) -> str:
        return "(shop default)" if cents is None else money.show(cents)

    terms = f"Fee {amount(zone.fee_cents)} · minimum {amount(zone.minimum_cents)}"
    terms += f" · free from {amount(zone.free_from_cents)}"
    return ZoneRow(zone.id, zone.name, terms, _zips_summary(zone))
