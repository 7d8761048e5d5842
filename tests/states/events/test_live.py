"""Changes reach the tabs that show them (RULE live-pages)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import reflex as rx
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.istate.data import RouterData
from reflex.state import State

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.errors import NotFound, Unavailable
from marketplace_app.framework import socket
from marketplace_app.models import Role, User
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.events import connections, guard, outage, subscriptions
from marketplace_app.states.events import live as live_states
from marketplace_app.states.events.live import live_tabs
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.support.support import SupportState
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
        self.loads: list[Any] = []
        """What the page of each tab loads."""

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

    def get_load_events(self, _path: str) -> list[Any]:
        return self.loads

    def refresh_of(self, state_class: type[rx.State]) -> Callable[[Any], Awaitable[None]]:
        async def refresh(state: Any) -> None:
            key = state.router.session.client_token, state_class.__name__
            self.refreshed.append(key)
            if key in self.failures:
                raise self.failures.pop(key)

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
def test_a_change_during_a_moment_without_database_is_shown_after_it(
    alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live_states, "RETRY_SECONDS", 0.01)
    tabs.open("one", "staff", OrderState)
    tabs.failures = {("one", "OrderState"): Unavailable()}
    identify, unavailable = guard.acting.actor_of_async, [Unavailable()]

    async def identify_at_the_second_try(token: str | None) -> User | None:
        if unavailable:
            raise unavailable.pop()
        return await identify(token)

    monkeypatch.setattr(guard.acting, "actor_of_async", identify_at_the_second_try)
    assert asyncio.run(tabs.after(["staff"], tabs=3)) == [("one", "OrderState")] * 2
    said = [record.message for record in caplog.records]
    assert said == ["changes are shown later: the database cannot be reached"] * 2


@pytest.mark.parametrize("steps", range(5))
def test_a_change_right_before_the_end_does_not_hold_it_up(tabs: Tabs, steps: int) -> None:
    async def announce_and_end() -> None:
        async with live_tabs(tabs):  # type: ignore[arg-type]
            await asyncio.sleep(0)
            live.call_listeners(["staff"])
            for _ in range(steps):
                await asyncio.sleep(0)

    async def ends() -> bool:
        _, unfinished = await asyncio.wait([asyncio.create_task(announce_and_end())], timeout=2)
        return not unfinished

    assert asyncio.run(ends())


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


def loaded_again(
    alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch, change: Callable[[], None], *loads: Any
) -> list[str]:
    """The tabs that load their page again, of one whose page loads these, after something of hers has changed."""
    loaded: list[str] = []

    async def load_again(token: str) -> None:
        loaded.append(token)

    async def run() -> None:
        await guard.identify_again(tabs.roots["hers"])
        change()
        await tabs.after([live.user(alice.id)], tabs=1)

    monkeypatch.setattr(connections, "load_again", load_again)
    tabs.open("hers", live.user(alice.id), CartState)
    tabs.loads = [*loads, CartState.load]
    asyncio.run(run())
    return loaded


@ON_SQLITE
@pytest.mark.parametrize(("before", "after"), [(Role.CUSTOMER, Role.SUPPORT), (Role.SUPPORT, Role.CUSTOMER)])
def test_a_tab_whose_user_may_see_more_or_less_loads_its_page_again(
    before: Role, after: Role, alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page now shows what it has never loaded, or was cleared."""
    alice.role = before
    assert loaded_again(alice, tabs, monkeypatch, partial(setattr, alice, "role", after)) == ["hers"]
    assert tabs.refreshed == []


@ON_SQLITE
def test_a_tab_whose_user_has_accepted_an_invitation_elsewhere_loads_the_shop(
    alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch, configure: Callable[..., None]
) -> None:
    configure(ACCESS_MODE="invite_only")
    accept = partial(setattr, alice, "invited_at", clock.now())
    assert loaded_again(alice, tabs, monkeypatch, accept) == ["hers"]


@ON_SQLITE
def test_a_tab_whose_user_sees_the_same_as_before_is_only_refreshed(
    alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert loaded_again(alice, tabs, monkeypatch, lambda: None) == []
    assert tabs.refreshed == [("hers", "CartState")]


@ON_SQLITE
@pytest.mark.parametrize(("load", "loaded"), [(SupportState.load, ["hers"]), (OrderState.load, [])])
def test_a_tab_that_was_signed_out_elsewhere_loads_only_a_page_for_guests(
    load: Any, loaded: list[str], alice: User, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another page would send the tab to sign in, by itself: it has a button for that."""
    sign_out = partial(setattr, alice, "banned_at", clock.now())  # stands in for it: nobody is identified any more
    assert loaded_again(alice, tabs, monkeypatch, sign_out, load) == loaded


@ON_SQLITE
def test_a_closed_tab_is_forgotten_with_the_next_change(alice: User, tabs: Tabs) -> None:
    for token in ("closed", "open"):
        tabs.open(token, "staff", OrderState)
    del tabs.roots["closed"]
    assert asyncio.run(tabs.after(["staff"], tabs=1)) == [("open", "OrderState")]
    assert list(subscriptions.subscribers(frozenset({"staff"}))) == ["open"]
