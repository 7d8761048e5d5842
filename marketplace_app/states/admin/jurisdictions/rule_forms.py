"""The two dialogs of `/admin/rules` that add a version of a state's rules: one adds the draft that ships with the
store, the other a copy of a version with other amounts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, rule_messages
from marketplace_app.config import get_settings
from marketplace_app.errors import InvalidInput
from marketplace_app.models import Permission
from marketplace_app.places import STATE_NAMES
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm, VersionForm, VersionView
from marketplace_app.schemas.jurisdictions.rule_drafts import DraftForm, VersionRef
from marketplace_app.services.admin import rules
from marketplace_app.services.jurisdictions import versions
from marketplace_app.states.admin.jurisdictions.rule_cells import Cell, CellGroup, groups_of, with_texts
from marketplace_app.states.admin.jurisdictions.rules import FAILED, AdminRulesState
from marketplace_app.states.events.arguments import UNREADABLE
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Fields, Instead

DRAFT_FIELDS = dict.fromkeys(("state", "validFrom"), "")
COPY_FIELDS = dict.fromkeys(("validFrom", "checkedOn", "source"), "")


@dataclass(frozen=True)
class DraftRow:
    state: str
    text: str
    """`California, checked on Nov 20, 2026`"""


class DraftData(TypedDict, total=False):
    form_key: str
    draft_us_state: str
    draft_from: str


class AdminRuleDraftState(rx.State):
    drafts: list[DraftRow] = []
    valid_from: str = ""
    """The initial value of the field: today."""
    errors: dict[str, str] = dict(DRAFT_FIELDS)
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number fills the form anew."""
    is_saving: bool = False

    @action(who=Permission.EDIT_RULES, on_failure=FAILED)
    async def open_new(self) -> None:
        drafts = await read(self, rules.list_drafts)
        self.drafts = [
            DraftRow(each.state, f"{STATE_NAMES[each.state]}, checked on {clock.show_day(each.checked_on)}")
            for each in drafts
        ]
        self.valid_from, self.errors = _today().isoformat(), dict(DRAFT_FIELDS)
        self.form_key += 1
        (await self.get_state(AdminRulesState)).dialog = "draft"

    @action(who=Permission.EDIT_RULES, on_failure=(Fields("errors", DRAFT_FIELDS, without_toast=True), FAILED))
    async def save(self, form: DraftData) -> Updates:
        self.is_saving, self.errors = True, dict(DRAFT_FIELDS)
        yield None
        try:
            given = {"state": form.get("draft_us_state", ""), "validFrom": form.get("draft_from", "")}
            draft = parse(DraftForm, given)
            added = await write(self, rules.add_draft, draft.state, draft.valid_from)
        finally:
            self.is_saving = False
        await (await self.get_state(AdminRulesState))._show_added(added)
        await toast(self, "success", rule_messages.RULES_ADDED)


@dataclass(frozen=True)
class CellRow:
    id: str
    label: str
    value: str
    error: str
    is_wide: bool


@dataclass(frozen=True)
class GroupRow:
    label: str
    cells: list[CellRow]


class CopyData(TypedDict, total=False):
    form_key: str
    copy_from: str
    copy_checked: str
    copy_source: str
    cell: list[str]


class AdminRuleCopyState(rx.State):
    title: str = ""
    """`New version of California`"""
    values: dict[str, str] = dict(COPY_FIELDS)
    """The initial values of the fields that every copy has."""
    errors: dict[str, str] = dict(COPY_FIELDS)
    groups: list[GroupRow] = []
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number fills the form anew."""
    is_saving: bool = False
    _copied_id: int = 0
    """The id of the version that is copied."""

    async def _show_errors(self, error: InvalidInput) -> None:
        """Show each error beside its field, which keeps what was typed."""
        self.errors = {name: error.fields.get(name, "") for name in COPY_FIELDS}
        copied = await read(self, versions.get, self._copied_id)
        self.groups = _rows(groups_of(RulesForm.model_validate(copied.rules)), error.fields)

    @action(who=Permission.EDIT_RULES, on_failure=FAILED)
    async def open_copy(self, version: int) -> None:
        found = await read(self, versions.get, parse(VersionRef, {"id": version}).id)
        self._copied_id = found.id
        today = _today().isoformat()
        self.title = f"New version of {STATE_NAMES[found.state]}"
        self.values = {"validFrom": today, "checkedOn": today, "source": found.source}
        self.errors = dict(COPY_FIELDS)
        self.groups = _rows(groups_of(RulesForm.model_validate(found.rules)), {})
        self.form_key += 1
        (await self.get_state(AdminRulesState)).dialog = "copy"

    @action(who=Permission.EDIT_RULES, on_failure=(Instead(InvalidInput, _show_errors), FAILED))
    async def save(self, form: CopyData) -> Updates:
        self.is_saving = True
        yield None
        try:
            copied = await read(self, versions.get, self._copied_id)
            added = await write(self, versions.add, _version_form(copied, form))
        finally:
            self.is_saving = False
        await (await self.get_state(AdminRulesState))._show_added(added)
        await toast(self, "success", rule_messages.RULES_ADDED)


def _today() -> date:
    return clock.today(get_settings().timezone)


def _version_form(copied: VersionView, form: CopyData) -> VersionForm:
    """The new version: the copied rules with the texts that were typed.

    Raises InvalidInput, in which a field of the rules is named by its path.
    """
    rules_form = RulesForm.model_validate(copied.rules)
    paths = [cell.path for group in groups_of(rules_form) for cell in group.cells]
    texts = form.get("cell", [])
    if len(texts) != len(paths):
        raise InvalidInput({"validFrom": UNREADABLE})
    names = {"validFrom": "copy_from", "checkedOn": "copy_checked", "source": "copy_source"}
    given: Mapping[str, Any] = form
    about_version = {name: given.get(key, "") for name, key in names.items()}
    wire = with_texts(rules_form, dict(zip(paths, texts, strict=True)))
    return parse(VersionForm, about_version | {"state": copied.state, "rules": wire})


def _rows(groups: tuple[CellGroup, ...], errors: Mapping[str, str]) -> list[GroupRow]:
    return [
        GroupRow(
            group.label,
            [
                CellRow(f"cell-{cell.path}", cell.label, cell.value, _error(cell, errors), is_wide=cell.is_source)
                for cell in group.cells
            ],
        )
        for group in groups
    ]


def _error(cell: Cell, errors: Mapping[str, str]) -> str:
    """The error to show beside a field.

    `with_texts` reports a text that cannot be read, under the field's path. VersionForm reports a value that the rules
    do not allow, under `rules.` and the path. It may report a larger part instead: the hours, whose error is shown
    beside the opening time, or the taxes, whose error is shown beside every rate.
    """
    path = cell.path
    own = errors.get(f"rules.{path}")
    if own and cell.unit:  # the message names the largest amount, but in the unit that is stored
        own = cell.invalid_message
    is_rate = path.startswith("taxes.") and path.endswith(".value")
    whole = "rules.taxes" if is_rate else f"rules.{path.removesuffix('.opens')}"
    return errors.get(path) or own or errors.get(whole) or ""
