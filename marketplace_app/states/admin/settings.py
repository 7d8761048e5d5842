"""`/admin/settings`: the shop settings and the history of their changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages, money
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import EditedMeanwhile
from marketplace_app.limits import ADMIN_PAGE_SIZE
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import PageNumber
from marketplace_app.schemas.setting_fields import SETTINGS, Unit
from marketplace_app.schemas.settings import (
    HistoryQuery,
    SettingChangeAnswer,
    SettingsForm,
    SettingsPageParams,
    ShopSettings,
)
from marketplace_app.services import settings
from marketplace_app.states.events.base import Events, Updates, action, query_of, read, toast, write
from marketplace_app.states.events.choices import visit
from marketplace_app.states.events.failures import Explain, Fields, On, ShowPageFailed
from marketplace_app.states.events.last_page import read_page
from marketplace_app.states.events.subscriptions import subscribe
from marketplace_app.states.events.viewer import ViewerState

PATH = "/admin/settings"
NAMES = [each.wire_name for each in SETTINGS]
FIELDS = [*NAMES, "reason"]
_AMOUNTS = {each.wire_name for each in SETTINGS if each.unit is Unit.MONEY}
_SWITCHES = {each.wire_name for each in SETTINGS if each.unit is Unit.YES_NO}


@dataclass(frozen=True)
class ChangeRow:
    id: str
    what: str
    before: str
    after: str
    why: str
    who: str
    when: str


class SettingsFormData(TypedDict, total=False):
    form_key: str
    minimumOrder: str
    deliveryFee: str
    freeDelivery: str
    deliveryHours: str
    weekendDeliveryHours: str
    firstPurchasePercent: str
    referralDiscount: str
    referralCredit: str
    invitationDays: str
    supportOpensHour: str
    supportClosesHour: str
    offersRushDelivery: str
    enforceJurisdiction: str
    cashRounding: str
    keepChangeAsCredit: str
    reason: str


class AdminSettingsState(rx.State):
    is_loading: bool = True
    values: dict[str, str] = dict.fromkeys(NAMES, "")
    """The initial values of the fields: a submitted value that differs was changed."""
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    form_key: int = 0
    """The form's key (RULE sent-once). A refused form gets a new one, so that a second press does not repeat it."""
    react_key: int = 0
    """A new number rebuilds the form with the current values."""
    is_outdated: bool = False
    """A colleague changed a setting since the fields were filled."""
    is_saving: bool = False
    _seen: ShopSettings = ShopSettings()
    """The settings that the fields were filled with."""
    history: list[ChangeRow] = []
    range_label: str = ""
    page: int = 1
    pages: int = 1

    @action(who=Permission.SEE_SETTINGS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load. Paging through the history and a reconnect call it too, and keep what was typed."""
        subscribe(self, live.STAFF)
        if self.is_loading or not (await self.get_state(ViewerState))._keeps_forms():
            self._fill(await read(self, settings.show))
        await self._refresh()

    @action(who=Permission.SEE_SETTINGS)
    async def reload(self) -> None:
        """Fill the fields with the current values."""
        self._fill(await read(self, settings.show))

    @action(who=Permission.SEE_SETTINGS)
    async def go_to(self, page: int) -> Events:
        number = parse(PageNumber, {"page": page}).page
        return await visit(self, PATH if number == 1 else f"{PATH}?page={number}")

    async def _mark_conflicts(self, error: EditedMeanwhile) -> None:
        """Show the stored values beside the fields, and keep what was typed: saving again knowingly replaces them."""
        shop = await read(self, settings.show)
        now, marked = shop.values(), [each for each in SETTINGS if each.wire_name in error.fields]
        self._seen = self._seen.changed({each.name: now[each.name] for each in marked})
        self.values = self.values | {each.wire_name: _field_values(shop)[each.wire_name] for each in marked}
        self.errors = dict.fromkeys(FIELDS, "") | {
            each.wire_name: messages.changed_meanwhile(each.show(now[each.name])) for each in marked
        }

    @action(
        who=Permission.EDIT_SETTINGS,
        on_failure=(
            Fields("errors", FIELDS),
            On(EditedMeanwhile, _mark_conflicts),
            Explain(messages.ERROR, messages.SETTINGS_NOT_SAVED),
        ),
    )
    async def save(self, form: SettingsFormData) -> Updates:
        """Only changed fields are saved, so that changes made by a colleague meanwhile are kept."""
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            given: Mapping[str, Any] = form
            changes = {
                name: _parse_value(name, given[name])
                for name in NAMES
                if given.get(name, self.values[name]) != self.values[name]
            }
            if not changes:
                await toast(self, "info", messages.NOTHING_CHANGED)
                return
            parsed = parse(SettingsForm, changes | {"reason": form.get("reason", "")})
            self._fill(await write(self, settings.change, parsed, seen=self._seen))
        finally:
            self.is_saving = False
        await self._refresh()
        await toast(self, "success", messages.SETTINGS_SAVED)

    async def _refresh(self) -> None:
        wanted = HistoryQuery(limit=ADMIN_PAGE_SIZE, offset=(self._params().page - 1) * ADMIN_PAGE_SIZE)
        (_total, changes), paging = await read_page(
            wanted, lambda query: read(self, settings.list_history, query), itemgetter(0)
        )
        self.history = [_row(change) for change in changes]
        self.page, self.pages, self.range_label = paging.page, paging.pages, paging.range_label
        self.is_outdated = _field_values(await read(self, settings.show)) != self.values
        self.is_loading = False

    def _fill(self, shop: ShopSettings) -> None:
        self.values, self.errors, self._seen = _field_values(shop), dict.fromkeys(FIELDS, ""), shop
        self.is_outdated = False
        self.form_key, self.react_key = self.form_key + 1, self.react_key + 1

    def _params(self) -> SettingsPageParams:
        return query_of(self, SettingsPageParams)


def _field_values(shop: ShopSettings) -> dict[str, str]:
    """As the fields show them: `100`, `99.50`, `48`."""
    values = shop.values()
    return {
        each.wire_name: money.decimal(values[each.name]).removesuffix(".00")
        if each.unit is Unit.MONEY
        else str(values[each.name])
        for each in SETTINGS
    }


def _parse_value(name: str, text: str) -> str | int | bool:
    """Accepts `$1,000` too; what is not a number is passed on for the form to refuse."""
    if name in _SWITCHES and text in ("0", "1"):
        return text == "1"
    value = money.normalize_typed(text)
    is_whole = name not in _AMOUNTS and value.isascii() and value.isdigit() and len(value) <= 6
    return int(value) if is_whole else value


def _row(change: SettingChangeAnswer) -> ChangeRow:
    return ChangeRow(
        id=str(change.id),
        what=change.setting.label,
        before=change.setting.show(change.previous),
        after=change.setting.show(change.value),
        why=change.reason,
        who=change.by,
        when=clock.show_time(change.at, get_settings().timezone),
    )
