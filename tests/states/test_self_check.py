"""The self-check page (RULE self-check-page)."""

import asyncio

import pytest
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.self_check import SelfCheckState
from tests.conftest import ON_SQLITE
from tests.states.tabs import send


@ON_SQLITE
@pytest.mark.parametrize(("has_reconnected", "shown"), [(True, "ready"), (False, "loading")])
def test_an_answer_stays_on_the_screen_through_a_reconnect(has_reconnected: bool, shown: str, engine: Engine) -> None:
    async def load_again() -> list[str]:
        state = await State().get_state(SelfCheckState)
        await send(state, "load")
        (await state.get_state(ViewerState))._has_reconnected = has_reconnected
        return [state.view async for _ in SelfCheckState.event_handlers["load"].fn(state)] or [state.view]

    assert asyncio.run(load_again()) == [shown]
