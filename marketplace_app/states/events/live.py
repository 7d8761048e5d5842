"""Pushes changes to the tabs that show them: nothing is polled."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import reflex as rx
from redis.exceptions import RedisError

from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError, Unavailable
from marketplace_app.framework import socket
from marketplace_app.framework.events import event_name, handler_of
from marketplace_app.states.events import connections, outage
from marketplace_app.states.events.base import policy_of
from marketplace_app.states.events.guard import identify_again
from marketplace_app.states.events.subscriptions import StateClass, retain_connected, subscribers, tabs_of_users
from marketplace_app.states.events.viewer import ViewerState

SWEEP_SECONDS = 60
"""Closed tabs are removed at least this often, even if nothing they subscribed to has changed."""
RETRY_SECONDS = 3.0
"""When a push that could not reach the database is first tried again. The wait doubles with each further failure."""
logger = logging.getLogger(__name__)


@asynccontextmanager
async def live_tabs(app: rx.App) -> AsyncIterator[None]:
    """Runs with the server: receives changes and refreshes the tabs that are subscribed to them."""
    settings = get_settings()
    pending = _PendingTopics(asyncio.get_running_loop())
    unsubscribe = live.subscribe(pending.add)
    stop_listening = None if settings.is_sqlite else live.listen(settings.database_direct_url)
    task = asyncio.create_task(_push_forever(app, pending), name="live tabs")
    try:
        yield
    finally:
        unsubscribe()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        if stop_listening is not None:
            await asyncio.to_thread(stop_listening)


class _PendingTopics:
    """Topics published since they were last taken, from any thread; each counts once."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._topics, self._has_topics = loop, set[str](), asyncio.Event()

    def add(self, topics: frozenset[str]) -> None:
        with suppress(RuntimeError):  # the server has stopped
            self._loop.call_soon_threadsafe(self._add, topics)

    def _add(self, topics: frozenset[str]) -> None:
        self._topics |= topics
        self._has_topics.set()

    async def take(self) -> frozenset[str]:
        await self._has_topics.wait()
        self._has_topics.clear()
        topics, self._topics = frozenset(self._topics), set()
        return topics


async def _push_forever(app: rx.App, pending: _PendingTopics) -> None:
    failures = 0
    while True:
        topics: frozenset[str] = frozenset()
        with suppress(TimeoutError):
            async with asyncio.timeout(SWEEP_SECONDS):  # Python 3.11's `wait_for` ignores being cancelled at its end
                topics = await pending.take()
        retain_connected(socket.connected_tabs())
        if await _push_all(app, topics):
            failures = 0
        else:
            logger.warning("changes are shown later: the database cannot be reached")
            pause = min(RETRY_SECONDS * 2 ** min(failures, 5), SWEEP_SECONDS)
            asyncio.get_running_loop().call_later(pause, pending.add, topics)
            failures += 1


async def _push_all(app: rx.App, topics: frozenset[str]) -> bool:
    """Returns whether the database could be reached for each tab."""
    is_complete, subscribed = True, subscribers(topics)
    for token in dict.fromkeys([*subscribed, *tabs_of_users(topics)]):
        try:
            await _push(app, token, subscribed.get(token, []))
        except Unavailable:
            is_complete = False
        except RedisError:
            outage.reload_when_over(token)
        except Exception:
            logger.exception("a tab could not be shown a change")
    return is_complete


async def _push(app: rx.App, token: str, state_classes: list[StateClass]) -> None:
    """Refresh what the tab is subscribed to, or clear the tab if its user is no longer signed in or lost permissions.

    The tab loads its page again if the server no longer has its state, or if its user may see more or less than before:
    what the page must show then has never been loaded, or was cleared.
    """
    if connections.of_tab(token) is None:
        return
    first = state_classes[0] if state_classes else ViewerState
    async with app.modify_state(rx.BaseStateToken(ident=token, cls=first)) as root:
        must_load = not socket.is_current(root, token)
        if not must_load:
            viewer = await root.get_state(ViewerState)
            before = viewer._user_and_access()
            is_signed_in = await identify_again(root)
            has_changed = before is not None and viewer._user_and_access() != before
            must_load = has_changed and (is_signed_in or _can_guests_load(app, root.router.url.path))
            if is_signed_in and not must_load:
                await _refresh(root, state_classes)
    if must_load:
        await connections.load_again(token)


async def _refresh(root: Any, state_classes: list[StateClass]) -> None:
    """Raises Unavailable. Any other refusal means that what the page shows is gone, or no longer theirs to see."""
    for state_class in state_classes:
        state: Any = await root.get_state(state_class)
        try:
            await state._refresh()
        except Unavailable:
            raise
        except StoreError:
            pass


def _can_guests_load(app: rx.App, path: str) -> bool:
    """Whether guests can load this page, or are sent to the identity provider to sign in.

    Somebody who has just signed out everywhere must not be sent there: a provider that still knows them might sign them
    in again. So such a page is not loaded again; it asks on the screen to sign in.
    """
    handlers = [handler_of(event_name(each)) for each in app.get_load_events(path)]
    policies = [policy for policy in map(policy_of, filter(None, handlers)) if policy is not None]
    return not any(policy.must_sign_in for policy in policies)
