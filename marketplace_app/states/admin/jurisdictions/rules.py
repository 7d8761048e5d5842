"""`/admin/rules`: the versions of states' rules, the lines of the opened one, and its review."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import reflex as rx

from marketplace_app import clock, messages, rule_messages
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display import rule_lines
from marketplace_app.errors import Conflict, InvalidInput, NotFound, StoreError
from marketplace_app.models import Permission
from marketplace_app.places import STATE_NAMES
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm, VersionView
from marketplace_app.schemas.jurisdictions.rule_drafts import ChosenOption, VersionRef
from marketplace_app.services.admin import rules
from marketplace_app.services.admin.rules import Overview
from marketplace_app.services.jurisdictions import versions
from marketplace_app.services.jurisdictions.versions import AlreadyReviewed
from marketplace_app.states.events.base import Events, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Instead, On, ShowPageFailed
from marketplace_app.states.events.subscriptions import subscribe

FAILED = Explain(messages.ERROR, rule_messages.RULES_NOT_SAVED)
OPENED_ID = "opened-rules"
"""Receives the focus when the button of a review is gone."""


@dataclass(frozen=True)
class RulesVersionRow:
    id: int
    name: str
    """`California, from Nov 25, 2026`"""
    status: str
    """`In force`, `Reviewed, counts from Nov 25, 2026`, `Reviewed, replaced` or `Draft: not reviewed`"""
    hue: str
    about: str
    """`No. 3 · Checked on Nov 20, 2026 · OAR 845-025-2880 · Reviewed by Ada on Nov 21, 2026`"""
    is_draft: bool


@dataclass(frozen=True)
class StateRow:
    name: str
    """`California`"""
    refusal: str
    """`Orders to California are refused: none of these versions counts today.`; empty if they are not."""
    versions: list[RulesVersionRow]


@dataclass(frozen=True)
class OptionRow:
    number: int
    text: str
    source: str
    is_chosen: bool


@dataclass(frozen=True)
class LineRow:
    path: str
    label: str
    note: str
    options: list[OptionRow]
    has_alternatives: bool
    error: str


class AdminRulesState(rx.State):
    is_loading: bool = True
    is_enforced: bool = True
    """The shop settings say that the rules of states apply to orders."""
    states: list[StateRow] = []
    opened: int = 0
    """The version whose lines are shown; 0 for none."""
    lines: list[LineRow] = []
    remarks: list[str] = []
    """Sentences: which categories count towards no limit, and which ones the store does not have."""
    missing: str = ""
    """A sentence that names the lines for which a value must be chosen first."""
    dialog: str = ""
    """The dialog that is open: `review`, `draft` or `copy`; empty if none is."""
    confirmation: str = ""
    """`I have read these rules. They will count from Nov 25, 2026.`"""
    _choices: dict[str, int] = {}
    _errors: dict[str, str] = {}
    _categories: tuple[str, ...] = ()

    @action(who=Permission.SEE_SETTINGS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        await self._refresh()

    async def _close_and_reload(self, error: StoreError) -> None:
        """A colleague has changed what the screen shows: close the dialog and reload."""
        self.dialog = ""
        await self._refresh()

    async def _mark_missing(self, error: InvalidInput) -> None:
        self._errors = dict(error.fields)
        version = await read(self, versions.get, self.opened)
        self._show_lines(version)
        self.missing = rule_messages.choices_missing([line.label for line in self.lines if line.path in self._errors])

    @action(who=Permission.SEE_SETTINGS, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def toggle(self, version: int) -> None:
        """Show the lines of a version, or hide them."""
        number = parse(VersionRef, {"id": version}).id
        self._open(0 if number == self.opened else number)
        if self.opened:
            self._show_lines(await read(self, versions.get, number))

    @action(who=Permission.EDIT_RULES, on_failure=(On(NotFound, _close_and_reload), FAILED))
    async def choose(self, line: str, option: int) -> None:
        chosen = parse(ChosenOption, {"line": line, "option": option})
        self._choices = self._choices | {chosen.line: chosen.option}
        self._errors = {path: message for path, message in self._errors.items() if path != chosen.line}
        self.missing = ""
        self._show_lines(await read(self, versions.get, self.opened))

    @action(
        who=Permission.EDIT_RULES,
        on_failure=(Instead(InvalidInput, _mark_missing), On((NotFound, Conflict), _close_and_reload), FAILED),
    )
    async def ask_to_review(self) -> None:
        version = await read(self, versions.get, self.opened)
        if version.reviewed_at is not None:
            raise AlreadyReviewed()
        RulesForm.model_validate(version.rules).chosen(self._choices)  # raises InvalidInput if a choice is missing
        found = await read(self, rules.show)
        first = rule_lines.first_day(version, found.versions, found.today)
        self.confirmation = rule_messages.counts_from(clock.show_day(first)) if first else rule_messages.COUNTS_NEVER
        self.missing, self.dialog = "", "review"

    @action(who=Permission.EDIT_RULES, on_failure=(On((InvalidInput, NotFound, Conflict), _close_and_reload), FAILED))
    async def review(self) -> Events:
        """Review the opened version, which the dialog asks about."""
        if self.dialog != "review":
            return None
        await write(self, versions.review, self.opened, dict(self._choices))
        self.dialog = ""
        await self._refresh()
        await toast(self, "success", rule_messages.RULES_REVIEWED)
        return rx.set_focus(OPENED_ID)

    @action(who=Permission.EDIT_RULES)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog that is open, but not open one."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.dialog = ""

    def _leave_page(self) -> None:
        if self.opened or self.dialog:
            self._open(0)

    async def _refresh(self) -> None:
        found = await read(self, rules.show)
        self.is_enforced, self._categories = found.is_enforced, found.categories
        rows = (
            _state_row(STATE_NAMES[state], tuple(listed), found)
            for state, listed in groupby(found.versions, lambda each: each.state)
        )
        self.states = sorted(rows, key=lambda row: row.name)
        opened = next((each for each in found.versions if each.id == self.opened), None)
        if opened:
            self._show_lines(opened)
        self.is_loading = False

    async def _show_added(self, version: VersionView) -> None:
        """Open a version that was just added, since it must be reviewed."""
        self._open(version.id)
        await self._refresh()

    def _open(self, version: int) -> None:
        self.opened, self.lines, self.remarks = version, [], []
        self.missing, self.dialog = "", ""
        self._choices, self._errors = {}, {}

    def _show_lines(self, version: VersionView) -> None:
        rules_form = RulesForm.model_validate(version.rules)
        chosen = self._choices if version.choices is None else version.choices
        errors = self._errors if version.choices is None else {}
        self.lines = [_line(line, chosen, errors) for line in rule_lines.lines(rules_form)]
        unlimited = rule_lines.unlimited_categories(rules_form, self._categories)
        unknown = rule_lines.unknown_categories(rules_form, self._categories)
        self.remarks = [rule_messages.unlimited_categories(unlimited)] if unlimited else []
        self.remarks += [rule_messages.unknown_categories(unknown)] if unknown else []


def _line(line: rule_lines.Line, chosen: Mapping[str, int], errors: Mapping[str, str]) -> LineRow:
    chosen_number = chosen.get(line.path, -1)
    options = [
        OptionRow(number, text, source, is_chosen=number == chosen_number)
        for number, (text, source) in enumerate(line.values)
    ]
    return LineRow(line.path, line.label, line.note, options, len(options) > 1, errors.get(line.path, ""))


def _state_row(name: str, listed: Sequence[VersionView], found: Overview) -> StateRow:
    is_refused = found.is_enforced and not any(each.id in found.in_force for each in listed)
    refusal = rule_messages.none_in_force(name) if is_refused else ""
    return StateRow(name, refusal, [_row(each, found) for each in listed])


def _row(version: VersionView, found: Overview) -> RulesVersionRow:
    status, hue = _status(version, found)
    about = f"No. {version.id} · Checked on {clock.show_day(version.checked_on)} · {version.source}"
    if version.reviewed_at is not None:
        when = clock.show_date(version.reviewed_at, get_settings().timezone)
        about += f" · Reviewed by {version.reviewed_by} on {when}"
    name = f"{STATE_NAMES[version.state]}, from {clock.show_day(version.valid_from)}"
    return RulesVersionRow(version.id, name, status, hue, about, version.reviewed_at is None)


def _status(version: VersionView, found: Overview) -> tuple[str, str]:
    if version.id in found.in_force:
        return "In force", "green"
    if version.reviewed_at is None:
        return "Draft: not reviewed", "yellow"
    first = rule_lines.first_day(version, found.versions, found.today)
    if first is not None:
        return f"Reviewed, counts from {clock.show_day(first)}", "blue"
    return "Reviewed, replaced", "grey"
