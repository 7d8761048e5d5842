"""Contract with Reflex: the state of a closed tab is packed, and unchanged when the tab comes back."""

import asyncio

import pytest
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from marketplace_app.framework import closed_tabs
from marketplace_app.framework.closed_tabs import ClosedTabs
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.products.catalogue import CatalogueState

TAB = BaseStateToken(ident="tab-1", cls=State)
CONNECTED: set[str] = set()


@pytest.fixture(autouse=True)
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PACK_AFTER_SECONDS", "RETRY_SECONDS", "TRIM_AFTER_SECONDS"):
        monkeypatch.setattr(closed_tabs, name, 0.01)
    CONNECTED.clear()


def is_packed(manager: StateManagerMemory) -> bool:
    return isinstance(dict.get(manager.states, TAB.ident), bytes)


async def make_state(manager: StateManagerMemory) -> None:
    async with manager.modify_state(TAB) as root:
        (await root.get_state(CartState)).count = 3
        (await root.get_state(CatalogueState)).count_label = "37 products found"
        (await root.get_state(ViewerState))._user_id = "7"


def test_a_closed_tab_is_packed_and_comes_back_as_it_was() -> None:
    async def close_and_come_back() -> None:
        manager = StateManagerMemory()
        tabs = ClosedTabs(manager, CONNECTED)
        await make_state(manager)
        before = (await manager.get_state(TAB)).dict()
        tabs.pack_later(TAB.ident)
        await asyncio.sleep(0.05)
        assert is_packed(manager)
        async with manager.modify_state(TAB) as root:
            assert root.dict() == before
            assert (await root.get_state(CartState)).count == 3
            assert (await root.get_state(ViewerState))._user_id == "7"
            cart = await root.get_state(CartState)
            cart.count = 4
            assert root.get_delta(), "a change after unpacking is sent to the browser"
        assert not is_packed(manager)
        await manager.close()

    asyncio.run(close_and_come_back())


def test_a_tab_that_is_connected_again_stays_unpacked() -> None:
    async def close_and_connect() -> None:
        manager = StateManagerMemory()
        tabs = ClosedTabs(manager, CONNECTED)
        await make_state(manager)
        tabs.pack_later(TAB.ident)
        CONNECTED.add(TAB.ident)
        await asyncio.sleep(0.05)
        assert not is_packed(manager)
        await manager.close()

    asyncio.run(close_and_connect())


def test_a_tab_whose_event_is_still_handled_is_packed_afterwards() -> None:
    async def close_meanwhile() -> None:
        manager = StateManagerMemory()
        tabs = ClosedTabs(manager, CONNECTED)
        await make_state(manager)
        async with manager.modify_state(TAB) as root:
            tabs.pack_later(TAB.ident)
            await asyncio.sleep(0.05)
            assert not is_packed(manager)
            (await root.get_state(CartState)).count = 5
        await asyncio.sleep(0.05)
        assert is_packed(manager)
        assert (await (await manager.get_state(TAB)).get_state(CartState)).count == 5
        await manager.close()

    asyncio.run(close_meanwhile())


def test_a_packed_state_expires_like_any_other() -> None:
    async def expire() -> None:
        manager = StateManagerMemory()
        tabs = ClosedTabs(manager, CONNECTED)
        await make_state(manager)
        tabs.pack_later(TAB.ident)
        await asyncio.sleep(0.05)
        manager._purge_token(TAB)
        assert TAB.ident not in manager.states
        await manager.close()

    asyncio.run(expire())


def test_a_tab_that_never_had_a_state_is_not_packed() -> None:
    async def close() -> None:
        manager = StateManagerMemory()
        tabs = ClosedTabs(manager, CONNECTED)
        tabs._pack(TAB.ident)  # at once: an exception in a delayed call would only be logged
        assert TAB.ident not in manager.states
        await manager.close()

    asyncio.run(close())


def test_states_in_redis_are_left_to_redis() -> None:
    closed_tabs.make(object(), CONNECTED)(TAB.ident)
