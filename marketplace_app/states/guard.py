"""Decides on every event, before its handler runs: foreground, background and chained ones alike.

The socket is a public interface: any client can name any method of any state with any arguments, and the token that
restores a tab's state needs no cookie. So each event is measured against its handler's policy, and a tab whose person
changed (signed out, banned, somebody else) forgets everything it held.
"""

import inspect
import logging
from functools import lru_cache
from typing import Any

import reflex as rx
from anyio import to_thread
from reflex.event import Event
from reflex.state import BaseState, State, StateUpdate
from reflex_base.registry import RegistrationContext

from marketplace_app.adapters import rates
from marketplace_app.auth import acting
from marketplace_app.auth.addresses import counted_as
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError, TooManyRequests
from marketplace_app.messages import TOO_BUSY, Notice
from marketplace_app.models import PERMISSIONS, Permission, User
from marketplace_app.services.accounts import has_access
from marketplace_app.states import connections
from marketplace_app.states.base import Caller, Policy, Who, policy_of, toast, turn_away
from marketplace_app.states.connections import session_token_of
from marketplace_app.states.subscriptions import set_owner, unsubscribe
from marketplace_app.states.viewer import ViewerState

FRAMEWORK_EVENTS = frozenset(
    {
        "hydrate",
        "hydrate_and_load",
        "set_is_hydrated",
        "on_load_internal",
        "update_vars_internal",
        "handle_frontend_exception",
    }
)
FRAMEWORK_MODULES = ("reflex.state", "reflex_base.", "reflex.")
logger = logging.getLogger(__name__)


class Guard(rx.Middleware):
    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """None lets the handler run; anything else is the answer in its place."""
        root: Any = state._get_root_state()
        if connections.is_nobodys(root):
            return StateUpdate(delta={}, events=[])
        try:
            return await self._rule(root, event)
        except StoreError as error:
            await toast(root, "error", TOO_BUSY if isinstance(error, TooManyRequests) else Notice(error.message))
            viewer = await root.get_state(ViewerState)
            viewer.is_unverifiable = not viewer.is_known
            return await _update(root)

    async def _rule(self, root: Any, event: Event) -> StateUpdate | None:
        user = await _who(root)
        await _identify(root, user)
        if is_framework_event(event.name):
            await _arrive(root, event)
            return None
        policy = _policy(event.name)
        if policy is None or not _arguments_fit(event.name, frozenset(event.payload)):
            logger.warning("refused event %.120r", event.name)
            return StateUpdate(delta={}, events=[])
        if _may(policy.who, user):
            if policy.rate:
                await rates.spend(
                    getattr(get_settings(), policy.rate),
                    "orders",
                    counted_as(user.id if user else None, root.router.session.client_ip),
                )
            return None
        if user is None:
            await turn_away(root, policy)
        return await _update(root)


async def identify_again(root: Any) -> bool:
    """Between two events of a tab: whether its person is still here. A ban or sign-out elsewhere shows at once."""
    user = await _who(root)
    await _identify(root, user)
    return user is not None


async def _who(root: Any) -> User | None:
    token = session_token_of(root)
    return await to_thread.run_sync(acting.look_up, token) if token else None


async def _identify(root: Any, user: User | None) -> None:
    """Tell the header who this is. When it is somebody else, or may do less than before, forget all the tab held."""
    viewer = await root.get_state(ViewerState)
    known_as = str(user.id) if user else ""
    lost = set(viewer.permissions) - (PERMISSIONS[user.role] if user else set())
    if viewer._known_as not in (None, known_as) or lost:
        await _forget(root)
    viewer._see(user, has_access=user is not None and has_access(user))
    viewer._known_as = known_as
    set_owner(root.router.session.client_token, user.id if user else None)


async def _arrive(root: Any, event: Event) -> None:
    """Another page, which says itself what it watches; or the same one, on a new line.

    A page that has just been loaded tells what it was built with. One whose line is back is past that.
    """
    viewer = await root.get_state(ViewerState)
    if event.name.endswith(".hydrate_and_load"):
        viewer._is_connection_new = "hashes" not in event.payload
        if not viewer._is_connection_new:
            viewer._path = ""
    elif event.name.endswith(".on_load_internal"):
        viewer._has_reconnected, viewer._is_connection_new = viewer._is_connection_new, False
        path = root.router.url.path
        viewer._has_stayed, viewer._path = path == viewer._path, path
        unsubscribe(root.router.session.client_token)


async def _forget(root: Any) -> None:
    for state_class in _all_states(State):
        await root.get_state(state_class)
    root.reset()


def _all_states(state_class: type[BaseState]) -> list[type[BaseState]]:
    children = list(state_class.get_substates())
    return children + [below for child in children for below in _all_states(child)]


def _may(who: Caller, user: User | None) -> bool:
    if who is Who.ANYONE:
        return True
    if user is None:
        return False
    if isinstance(who, Permission):
        return user.may(who)
    return who is Who.SIGNED_IN or has_access(user)


async def _update(root: Any) -> StateUpdate:
    delta = await root._get_resolved_delta()
    root._clean()
    return StateUpdate(delta=delta, events=[])


def _handler(name: str) -> Any:
    registered = RegistrationContext.get().event_handlers.get(name)
    return registered.handler.fn if registered is not None else None


def is_framework_event(name: str) -> bool:
    handler = _handler(name)
    module = getattr(handler, "__module__", "") or ""
    return name.rpartition(".")[2] in FRAMEWORK_EVENTS and module.startswith(FRAMEWORK_MODULES)


def _policy(name: str) -> Policy | None:
    handler = _handler(name)
    return policy_of(handler) if handler is not None else None


@lru_cache(maxsize=1024)
def _arguments_fit(name: str, arguments: frozenset[str]) -> bool:
    try:
        inspect.signature(_handler(name)).bind(None, **dict.fromkeys(arguments))
    except TypeError:
        return False
    return True
