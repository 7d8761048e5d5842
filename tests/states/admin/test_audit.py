"""The check of the chain on the page of the audit trail (RULE audit-trail)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app.errors import Unavailable
from marketplace_app.schemas.admin.audit import ChainCheck
from marketplace_app.states.admin import audit
from marketplace_app.states.admin.audit import BATCHES_PER_EVENT, AdminAuditState
from marketplace_app.states.signal import SignalState


def test_a_check_that_fails_on_the_way_can_be_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = iter([ChainCheck(entries=number) for number in range(1, BATCHES_PER_EVENT + 1)])

    async def read(*_args: Any) -> ChainCheck:
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
