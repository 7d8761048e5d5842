"""Changes reach the tabs that show them (RULE live-pages)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
import reflex as rx
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.istate.data import RouterData
from reflex.state import State

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.errors import NotFound
from marketplace_app.framework import socket
from marketplace_app.models import User
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.events import connections, guard, outage, subscriptions
from marketplace_app.states.events.live import live_tabs
from marketplace_app.states.events.signal import SignalState
from tests.conftest import ON_SQLITE, Cast

LOST = "lost"
"""The token of a tab whose state is no longer there."""


class Tabs:
    """Stands in for the app: open tabs, and which of their states were refreshed."""

    def __init__(self) -> None:
        self.roots: dict[str, Any] = {}
        self.refreshed: list[tuple[str, str]] = []
        self.failures: dict[tuple[str, str], Exception] = {}
        self.pushed: asyncio.Queue[str] = asyncio.Queue()

    def open(self, token: str, topic: str, *state_classes: type[rx.State]) -> None:
        root = self.roots[token] = State()
        root.router = RouterData.from_router_data({"token": token})
        for state_class in state_classes:
            subscriptions._SUBSCRIPTIONS.setdefault(token, {})[state_class] = frozenset({topic})

    @asynccontextmanager
    async def modify_state(self, token: rx.BaseStateToken) -> AsyncIterator[Any]:
        try:
            yield self.roots[token.ident]
        finally:
            self.pushed.put_nowait(token.ident)

    def refresh_of(self, state_class: type[rx.State]) -> Callable[[Any], Awaitable[None]]:
        async def refresh(state: Any) -> None:
            key = state.router.session.client_token, state_class.__name__
            self.refreshed.append(key)
            if key in self.failures:
                raise self.failures[key]

        return refresh

    async def after(self, *changes: Sequence[str], tabs: int) -> list[tuple[str, str]]:
        """What is refreshed: each of the changes is announced once the one before has reached so many tabs."""
        async with live_tabs(self):  # type: ignore[arg-type]
            for topics in changes:
                for topic in topics:
                    live.call_listeners([topic])
                for _ in range(tabs):
                    await asyncio.wait_for(self.pushed.get(), 5)
                await asyncio.sleep(0.02)  # for one too many
        return self.refreshed


@pytest.fixture
def tabs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tabs]:
    opened = Tabs()
    for state_class in (CartState, OrderState):
        monkeypatch.setattr(state_class, "_refresh", opened.refresh_of(state_class))
    monkeypatch.setattr(connections, "of_tab", lambda _token: connections.Connection("cookie", ""))
    monkeypatch.setattr(socket, "is_current", lambda _root, token: token != LOST)
    monkeypatch.setattr(socket, "connected_tabs", lambda: opened.roots)
    yield opened
    subscriptions.retain_connected(())


@pytest.fixture
def alice(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> User:
    """Every tab is hers."""

    async def actor_of(_token: str | None) -> User | None:
        return cast.alice if cast.alice.banned_at is None else None

    monkeypatch.setattr(guard.acting, "actor_of_async", actor_of)
    return cast.alice


@ON_SQLITE
def test_only_what_shows_the_change_is_read_again(alice: User, tabs: Tabs) -> None:
    tabs.open("theirs", "cart:2", CartState)
    tabs.open("mine", "cart:1", CartState)
    assert asyncio.run(tabs.after(["cart:1"], tabs=1)) == [("mine", "CartState")]


@ON_SQLITE
def test_changes_that_come_together_are_shown_once(alice: User, tabs: Tabs) -> None:
    """A recall announces to each of its buyers."""
    tabs.open("one", "staff", OrderState)
    tabs.open("two", "cart:1", CartState)
    shown = asyncio.run(tabs.after(["staff", "staff", "person:1", "staff"], ["cart:1"], tabs=1))
    assert shown == [("one", "OrderState"), ("two", "CartState")]


@ON_SQLITE
def test_of_changes_that_come_together_none_is_lost(alice: User, tabs: Tabs) -> None:
    tabs.open("one", "staff", OrderState)
    tabs.open("two", "cart:1", CartState)
    shown = asyncio.run(tabs.after(["cart:1", "staff"], tabs=2))
    assert shown == [("one", "OrderState"), ("two", "CartState")]


@ON_SQLITE
def test_a_tab_that_cannot_be_refreshed_does_not_keep_the_others_waiting(
    alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waiting: list[str] = []
    monkeypatch.setattr(outage, "reload_when_over", waiting.append)
    for token in ("broken", "without redis", "fine"):
        tabs.open(token, "staff", OrderState)
    tabs.failures = {
        ("broken", "OrderState"): ZeroDivisionError(),
        ("without redis", "OrderState"): RedisConnectionError(),
    }
    assert ("fine", "OrderState") in asyncio.run(tabs.after(["staff"], tabs=3))
    assert waiting == ["without redis"]
    assert [record.message for record in caplog.records] == ["a tab could not be shown a change"]


@ON_SQLITE
def test_what_is_gone_does_not_keep_the_rest_of_its_tab_from_being_refreshed(alice: User, tabs: Tabs) -> None:
    tabs.open("one", "person:1", OrderState, CartState)
    tabs.failures = {("one", "OrderState"): NotFound()}
    assert asyncio.run(tabs.after(["person:1"], tabs=1)) == [("one", "OrderState"), ("one", "CartState")]


@ON_SQLITE
def test_a_tab_whose_state_was_lost_loads_its_page_again(
    alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    async def load_again(token: str) -> None:
        loaded.append(token)

    monkeypatch.setattr(connections, "load_again", load_again)
    for token in (LOST, "fine"):
        tabs.open(token, "staff", OrderState)
    assert asyncio.run(tabs.after(["staff"], tabs=2)) == [("fine", "OrderState")]
    assert loaded == [LOST]


@ON_SQLITE
def test_a_tab_of_a_user_who_was_banned_is_cleared_whatever_it_shows(alice: User, tabs: Tabs) -> None:
    tabs.open("hers", "cart:1", CartState)

    async def title_after_the_ban() -> str:
        root = tabs.roots["hers"]
        signal = await root.get_state(SignalState)
        await guard.identify_again(root)
        signal.title = "private"
        alice.banned_at = clock.now()
        await tabs.after([live.user(alice.id)], tabs=1)
        return str(signal.title)

    assert asyncio.run(title_after_the_ban()) == ""
    assert tabs.refreshed == []


@ON_SQLITE
def test_a_closed_tab_is_forgotten_with_the_next_change(alice: User, tabs: Tabs) -> None:
    for token in ("closed", "open"):
        tabs.open(token, "staff", OrderState)
    del tabs.roots["closed"]
    assert asyncio.run(tabs.after(["staff"], tabs=1)) == [("open", "OrderState")]
    assert list(subscriptions.subscribers(frozenset({"staff"}))) == ["open"]
