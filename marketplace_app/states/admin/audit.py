"""`/admin/audit`: who did what, and whether the hash chain is intact. Filters and pages are in the URL."""

import json
from dataclasses import dataclass
from operator import itemgetter

import reflex as rx
from pydantic.alias_generators import to_camel

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display.paging import counted
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.audit import (
    CHAIN_START,
    NO_ACTOR,
    AuditControlValue,
    AuditParams,
    ChainAnswer,
    EntryView,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import PageNumber, is_unfinished_day
from marketplace_app.services.admin import audit
from marketplace_app.states.events.base import Events, action, query_of, read
from marketplace_app.states.events.choices import refine, visit
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.last_page import read_page
from marketplace_app.states.events.subscriptions import subscribe

PATH = "/admin/audit"
BATCHES_PER_EVENT = 5
"""How much of the chain one event checks, so that other events of the tab run in between."""
_CONTROLS = {to_camel(name): name for name in AuditControlValue.model_fields}


@dataclass(frozen=True)
class ActorOption:
    value: str
    label: str


@dataclass(frozen=True)
class EntryRow:
    id: str
    when: str
    who: str
    predicate: str
    href: str
    action: str
    subject: str
    details: str
    """JSON, one value per line."""
    hash: str


class AdminAuditState(rx.State):
    is_loading: bool = True
    entries: list[EntryRow] = []
    count_label: str = ""
    range_label: str = ""
    page: int = 1
    pages: int = 1
    actors: list[ActorOption] = []
    actor: str = ""
    act: str = ""
    """The action that the entries are filtered by."""
    subject: str = ""
    day_from: str = ""
    day_to: str = ""
    is_filtered: bool = False
    chain: str = ""
    """checking, whole, broken, or empty before the check is asked for"""
    chain_text: str = ""
    _checked: ChainAnswer = CHAIN_START

    @action(who=Permission.SEE_AUDIT, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load, and again after a reconnect. A restart may have cut off a check of the chain, so the button that
        starts one is enabled; a check that is still running sets `chain` back to checking with its next event."""
        if self.chain == "checking":
            self.chain = self.chain_text = ""
        subscribe(self, live.STAFF)
        await self._refresh()

    @action(who=Permission.SEE_AUDIT)
    async def choose(self, control: str, value: str) -> Events:
        """Set a filter; an empty value removes it."""
        if is_unfinished_day(value):
            return None
        choice = parse(AuditControlValue, {control: value} if value else {})
        name = _CONTROLS.get(control)
        return await self._refine(**{name: getattr(choice, name)}) if name else None

    @action(who=Permission.SEE_AUDIT)
    async def search(self, text: str) -> Events:
        subject = parse(AuditControlValue, {"subject": text.strip()}).subject
        return await self._refine(subject=subject, is_typed=True)

    @action(who=Permission.SEE_AUDIT)
    async def clear(self) -> Events:
        return await visit(self, PATH)

    @action(who=Permission.SEE_AUDIT)
    async def go_to(self, page: int) -> Events:
        return await self._refine(page=parse(PageNumber, {"page": page}).page)

    @action(who=Permission.SEE_AUDIT)
    async def verify(self) -> Events:
        """Start checking the chain from its beginning."""
        self._checked = CHAIN_START
        return await self._verify_next()

    @action(who=Permission.SEE_AUDIT)
    async def verify_next(self) -> Events:
        """Check the next part of the chain."""
        return await self._verify_next()

    async def _verify_next(self) -> Events:
        try:
            for _ in range(BATCHES_PER_EVENT):
                self._checked = await read(self, audit.check_next_batch, self._checked)
                if self._checked.is_done:
                    break
        except Exception:
            self.chain = self.chain_text = ""  # the button is disabled while this is "checking"
            raise
        self._show_result(self._checked)
        return None if self._checked.is_done else AdminAuditState.verify_next()

    def _show_result(self, checked: ChainAnswer) -> None:
        count = counted(checked.entries, "entry")
        if checked.broken is not None:
            place = f"Entry {checked.broken.entry_id:,}. " if checked.broken.entry_id is not None else ""
            self.chain, self.chain_text = "broken", f"The chain is broken. {place}{checked.broken.why}"
        elif checked.is_done:
            self.chain, self.chain_text = "whole", f"Chain verified: {count}, none changed or missing."
        else:
            self.chain, self.chain_text = "checking", f"{count} checked…"

    async def _refresh(self) -> None:
        params = self._params()
        (total, entries), paging = await read_page(
            params.query(), lambda query: read(self, audit.list_entries, query), itemgetter(0)
        )
        colleagues = await read(self, audit.list_colleagues)
        self.actors = [ActorOption(str(each.id), each.name) for each in colleagues]
        self._show(params)
        self.entries = [_row(entry) for entry in entries]
        self.count_label = counted(total, "entry")
        self.page, self.pages, self.range_label = paging.page, paging.pages, paging.range_label
        self.is_loading = False

    def _show(self, params: AuditParams) -> None:
        self.actor = "" if params.actor is None else str(params.actor)
        self.act, self.subject, self.is_filtered = params.action, params.subject, params.is_filtered
        self.day_from, self.day_to = str(params.day_from or ""), str(params.day_to or "")
        if self.actor not in ("", str(NO_ACTOR), *(each.value for each in self.actors)):
            self.actors = [*self.actors, ActorOption(self.actor, f"Person {self.actor}")]

    def _params(self) -> AuditParams:
        return query_of(self, AuditParams)

    async def _refine(self, *, is_typed: bool = False, **changes: object) -> Events:
        return await refine(self, PATH, AuditParams, is_typed=is_typed, **changes)


def _row(entry: EntryView) -> EntryRow:
    return EntryRow(
        id=str(entry.id),
        when=clock.show_time(entry.at, get_settings().timezone),
        who=entry.actor,
        predicate=entry.words,
        href=entry.href,
        action=entry.action,
        subject=entry.subject,
        details="\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in entry.details.items()),
        hash=entry.hash,
    )
