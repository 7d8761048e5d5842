"""Filters and the check of the chain on the page of the audit trail (RULE audit-trail, RULE event-policy)."""

import asyncio
from typing import Any
from urllib.parse import urlencode

import pytest
from reflex.state import State

from marketplace_app.errors import Unavailable
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.schemas.admin.audit import CHAIN_START, ChainAnswer
from marketplace_app.states.admin import audit
from marketplace_app.states.admin.audit import BATCHES_PER_EVENT, PATH, AdminAuditState
from marketplace_app.states.events.signal import SignalState
from tests.states.tabs import press, show_url, toast


def test_a_check_that_fails_on_the_way_can_be_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = iter([CHAIN_START.model_copy(update={"entries": number}) for number in range(1, BATCHES_PER_EVENT + 1)])

    async def read(*_args: Any) -> ChainAnswer:
        if (found := next(batches, None)) is None:
            raise Unavailable()
        return found

    async def run() -> tuple[str, tuple[str, str], str]:
        root = State()
        state, signal = await root.get_state(AdminAuditState), await root.get_state(SignalState)
        await AdminAuditState.event_handlers["verify"].fn(state)
        on_the_way = state.chain
        await AdminAuditState.event_handlers["verify_next"].fn(state)
        return on_the_way, (state.chain, state.chain_text), signal.title

    monkeypatch.setattr(audit, "read", read)
    assert asyncio.run(run()) == ("checking", ("", ""), Unavailable.message)


def test_a_check_that_was_cut_off_can_be_started_again_once_the_page_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chained event that finds no database, or a restarted process, is lost without a word to the handler."""

    async def refreshed(_state: Any) -> None:
        pass

    async def run(chain: str) -> tuple[str, str]:
        state = await State().get_state(AdminAuditState)
        state.chain, state.chain_text = chain, "10,000 entries checked…"
        await AdminAuditState.event_handlers["load"].fn(state)
        return state.chain, state.chain_text

    monkeypatch.setattr(AdminAuditState, "_refresh", refreshed)
    monkeypatch.setattr(audit, "subscribe", lambda *_: None)
    assert asyncio.run(run("checking")) == ("", "")
    assert asyncio.run(run("whole")) == ("whole", "10,000 entries checked…")


async def choose(control: str, value: str, url: str = PATH) -> str:
    """The address that a filter leads to; empty if it leads nowhere."""
    root = State()
    show_url(root, url)
    opened = await press(await root.get_state(AdminAuditState), "choose", control, value)
    return str(opened.get("path", ""))


@pytest.mark.parametrize("control", ["path", "params", "page", "__class__", "model_config", ""])
def test_a_filter_that_the_page_does_not_have_leads_nowhere(control: str) -> None:
    assert asyncio.run(choose(control, "")) == ""


@pytest.mark.parametrize("control", ["actor", "action", "dayFrom", "dayTo"])
def test_a_filter_of_the_page_is_removed_and_the_others_stay(control: str) -> None:
    filters = {"actor": "3", "action": "order.status", "dayFrom": "2026-01-01", "dayTo": "2026-01-31"}
    left = {name: value for name, value in filters.items() if name != control}
    assert (
        asyncio.run(choose(control, "", f"{PATH}?{urlencode(filters | {'page': '2'})}")) == f"{PATH}?{urlencode(left)}"
    )


@pytest.mark.parametrize("day", ["0002-11-20", "0202-11-20"])
def test_a_day_whose_year_is_being_typed_is_neither_a_filter_nor_an_error(day: str) -> None:
    async def typed() -> tuple[dict[str, Any], tuple[str, str]]:
        root = State()
        show_url(root, f"{PATH}?dayFrom=2026-11-20")
        state = await root.get_state(AdminAuditState)
        return await press(state, "choose", "dayFrom", day), await toast(state)

    assert asyncio.run(typed()) == ({}, ("", ""))
