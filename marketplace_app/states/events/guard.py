"""Decides on every event, before its handler runs: foreground, background and chained ones alike.

The socket is a public interface: any client can name any method of any state with any arguments, and the token that
restores a tab's state needs no cookie. So each event is checked against its handler's policy, and a tab whose user
changed (signed out, banned, somebody else) loses all of its state.
"""

import inspect
import logging
from functools import lru_cache
from typing import Any

from marketplace_app.auth import acting
from marketplace_app.auth.callers import refusal
from marketplace_app.errors import StoreError, TooManyRequests
from marketplace_app.framework.events import (
    Event,
    EventFilter,
    PageEvent,
    Verdict,
    handler_of,
    is_reflex_event,
    page_event_of,
    reset_all,
)
from marketplace_app.messages import TOO_BUSY, Notice
from marketplace_app.models import PERMISSIONS, User
from marketplace_app.services.accounts import has_access
from marketplace_app.states.events import connections
from marketplace_app.states.events.base import Policy, policy_of, refuse_guest, toast, url_of
from marketplace_app.states.events.choices import note_arrival
from marketplace_app.states.events.connections import session_token_of
from marketplace_app.states.events.failures import ShowPageFailed, ShowView
from marketplace_app.states.events.leaving import leave_page
from marketplace_app.states.events.rate import count_use
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.events.subscriptions import set_tab_user, unsubscribe
from marketplace_app.states.events.viewer import ViewerState

logger = logging.getLogger(__name__)


class Guard(EventFilter):
    async def judge(self, root: Any, event: Event) -> Verdict:
        if connections.has_no_sender(root):
            return Verdict.IGNORE
        connections.begin_event(root)
        try:
            return await self._decide(root, event)
        except TooManyRequests:
            await toast(root, "error", TOO_BUSY)
            return Verdict.ANSWER
        except StoreError as error:
            await toast(root, "error", Notice(error.message))
            await _note_unidentified(root, event)
            return Verdict.ANSWER

    async def _decide(self, root: Any, event: Event) -> Verdict:
        user = await acting.actor_of_async(session_token_of(root))
        is_initial = await _identify(root, user)
        policy, is_from_reflex = _policy(event.name), is_reflex_event(event.name)
        if not (policy or is_from_reflex):
            logger.warning("refused event %.120r: no handler with @action", event.name)
            return Verdict.IGNORE
        if not _arguments_fit(event.name, frozenset(event.payload)):
            logger.warning("refused event %.120r: its arguments do not fit", event.name)
            return Verdict.IGNORE
        if policy is None:
            await _track_navigation(root, event, user, is_initial=is_initial)
            return Verdict.RUN
        if refusal(policy.who, user) is None:
            if policy.rate is not None and not policy.rate.is_counted_by_handler:
                await count_use(root, policy.rate, user.id if user else None)
            return Verdict.RUN
        if user is None:
            await refuse_guest(root, policy)
        return Verdict.ANSWER


async def identify_again(root: Any) -> bool:
    """Between two events of a tab: whether it still has a user. A ban or sign-out elsewhere shows at once."""
    user = await acting.actor_of_async(session_token_of(root))
    await _identify(root, user)
    return user is not None


async def _identify(root: Any, user: User | None) -> bool:
    """Update the viewer. If the user changed, or lost permissions, reset all states of the tab.

    Returns whether all other states have their initial values: the tab is new, or has been reset.
    """
    viewer = await root.get_state(ViewerState)
    user_id = str(user.id) if user else ""
    lost = set(viewer.permissions) - (PERMISSIONS[user.role] if user else set())
    is_new, is_changed = viewer._user_id is None, bool(viewer._user_id not in (None, user_id) or lost)
    if is_changed:
        await reset_all(root)
    viewer._set_user(user, has_access=user is not None and has_access(user))
    viewer._user_id = user_id
    set_tab_user(root.router.session.client_token, user.id if user else None)
    return is_new or is_changed


async def _track_navigation(root: Any, event: Event, user: User | None, *, is_initial: bool) -> None:
    """Note whether another page was opened, which subscribes to its own topics, or the same one has reconnected.

    A page that was loaded starts with the initial values of all states. Otherwise it would first show what the tab
    showed before, which may belong to another URL, and a press would meet the wrong product. A toast that the browser
    has not received is still shown. A page that reconnects keeps its states, wherever it has moved meanwhile: what
    was pressed without a connection is still to be carried out.
    """
    page_event = page_event_of(event.name, event.payload)
    viewer = await root.get_state(ViewerState)
    if page_event is PageEvent.LOADED:
        viewer._is_reconnecting = False
        unsubscribe(root.router.session.client_token)
        if not is_initial:  # resetting takes some milliseconds
            await reset_all(root, but=SignalState)
            await _identify(root, user)
    elif page_event is PageEvent.RECONNECTED:
        viewer._is_reconnecting = True
    elif page_event is PageEvent.NAVIGATED:
        is_shown = not viewer.has_load_failed
        viewer._has_reconnected, viewer._is_reconnecting = viewer._is_reconnecting and is_shown, False
        note_arrival(viewer, url_of(root))
        path = root.router.url.path
        if viewer._path not in ("", path):
            await leave_page(root)
        viewer._is_same_page, viewer._path = path == viewer._path and is_shown, path
        viewer.has_load_failed = False  # sent even if already False: the page may show a failure this process forgot
        unsubscribe(root.router.session.client_token)


async def _note_unidentified(root: Any, event: Event) -> None:
    """The viewer of this event could not be identified. If the event opens a page, note that the page failed to load.

    A page that was just loaded shows the initial values of all states, so the states are reset to these; what is sent
    later is what has changed since.
    """
    page_event, policy, path = page_event_of(event.name, event.payload), _policy(event.name), root.router.url.path
    if page_event is PageEvent.LOADED:
        await reset_all(root, but=SignalState)
    viewer = await root.get_state(ViewerState)
    if not viewer.is_known:
        viewer.is_unverifiable = True
    if page_event is PageEvent.LOADED:
        viewer.has_load_failed = True
    elif page_event is PageEvent.NAVIGATED and not viewer._is_reconnecting and viewer._path != path:
        await leave_page(root)
        viewer._path, viewer.has_load_failed = path, True
    elif policy is not None and any(isinstance(each, (ShowPageFailed, ShowView)) for each in policy.on_failure):
        viewer._note_failed_load()


def _policy(name: str) -> Policy | None:
    handler = handler_of(name)
    return policy_of(handler) if handler is not None else None


@lru_cache(maxsize=1024)
def _arguments_fit(name: str, arguments: frozenset[str]) -> bool:
    handler = handler_of(name)
    if handler is None:
        return False
    try:
        inspect.signature(handler).bind(None, **dict.fromkeys(arguments))
    except TypeError:
        return False
    return True
