"""Events: the registry of handlers, the events that report an opened page, and a filter that runs before each handler.

Relies on the middleware's `preprocess`, on `State._get_root_state()`, `_get_resolved_delta()` and `_clean()`, on the
registry of handlers, on the names and modules of Reflex's own events, on `EventContext`, and on the `hashes` that only
a page which was just loaded sends with its event to hydrate.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import reflex as rx
from reflex.state import BaseState, State, StateUpdate
from reflex_base.event import Event as Event  # for annotations elsewhere: `rx.event.Event` is not a type
from reflex_base.event import EventChainVar as EventChainVar
from reflex_base.event import EventSpec as EventSpec
from reflex_base.event.context import EventContext
from reflex_base.registry import RegistrationContext

HYDRATE_AND_LOAD, ON_LOAD = "hydrate_and_load", "on_load_internal"
REFLEX_EVENTS = frozenset(
    {"hydrate", HYDRATE_AND_LOAD, "set_is_hydrated", ON_LOAD, "update_vars_internal", "handle_frontend_exception"}
)
"""Reflex's own events that pages need to work."""
_REFLEX_MODULES = ("reflex.", "reflex_base.")


class Verdict(Enum):
    RUN = "the handler runs"
    ANSWER = "the handler does not run, and the tab gets what has changed in its state"
    IGNORE = "the handler does not run, and the tab gets nothing"


class PageEvent(Enum):
    """What an event says about the page that sent it."""

    LOADED = "the page was loaded"
    RECONNECTED = "the page was open already, and has a new connection"
    NAVIGATED = "another page was opened, or the same one with another query"
    OTHER = "nothing: it is not an event of opening a page"


class EventFilter(rx.Middleware):
    """Decides on every event before its handler runs: foreground, background and chained ones alike."""

    @abstractmethod
    async def judge(self, root: Any, event: Event) -> Verdict:
        """`root` is the root state of the tab that sent the event."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """None lets the handler run; anything else is the answer instead."""
        root = state._get_root_state()
        verdict = await self.judge(root, event)
        if verdict is Verdict.RUN:
            return None
        return await _changes(root) if verdict is Verdict.ANSWER else StateUpdate(delta={}, events=[])


async def _changes(root: BaseState) -> StateUpdate:
    delta = await root._get_resolved_delta()
    root._clean()  # type: ignore[no-untyped-call]
    return StateUpdate(delta=delta, events=[])


def handler_of(name: str) -> Callable[..., Any] | None:
    """The function that is run for an event of this name."""
    registered = RegistrationContext.get().event_handlers.get(name)
    return registered.handler.fn if registered is not None else None


def is_handled(name: str) -> bool:
    return name in RegistrationContext.get().event_handlers


def is_reflex_event(name: str) -> bool:
    """Whether it is one of `REFLEX_EVENTS`, and not a handler of the store with such a name."""
    module = getattr(handler_of(name), "__module__", "") or ""
    return name.rpartition(".")[2] in REFLEX_EVENTS and module.startswith(_REFLEX_MODULES)


def page_event_of(name: str, payload: Mapping[str, Any]) -> PageEvent:
    """A page that was just loaded sends `hashes`; one that has reconnected does not."""
    if name.endswith(f".{HYDRATE_AND_LOAD}"):
        return PageEvent.LOADED if "hashes" in payload else PageEvent.RECONNECTED
    return PageEvent.NAVIGATED if name.endswith(f".{ON_LOAD}") else PageEvent.OTHER


def event_name(event: Any) -> str:
    """The name by which the socket calls a handler; `event` is the result of calling it, as in `SomeState.load()`."""
    return Event.from_event_type(event)[0].name


def hydrate_event_name() -> str:
    """The name of the event by which a page asks for its whole state and runs its `on_load` handlers."""
    return f"{State.get_full_name()}.{State.event_handlers[HYDRATE_AND_LOAD].fn.__name__}"


def current_tab_token() -> str:
    """The token of the tab whose event is being handled."""
    return EventContext.get().token


def current_event_id() -> str:
    """The id that Reflex gave the event that is being handled: twelve random hexadecimal digits."""
    return EventContext.get().txid


async def reset_all(root: Any, *, but: type[BaseState] | None = None) -> None:
    """Reset every state of a tab to its initial values, also those that are not loaded; `but` stays as it is."""
    for state_class in descendants(State):
        state = await root.get_state(state_class)
        if state_class is not but:
            state.reset()


def descendants(state_class: type[BaseState]) -> list[type[BaseState]]:
    """All states below this one."""
    children = list(state_class.get_substates())
    return children + [descendant for child in children for descendant in descendants(child)]
