"""Puts the tab of some states at a URL, as the guard does, runs their handlers, and says what the tab is shown."""

import inspect
from typing import Any

import reflex as rx
from reflex.event import Event
from reflex.istate.data import RouterData
from reflex_base.constants import CompileVars

from marketplace_app.framework.events import hydrate_event_name
from marketplace_app.states.events import guard
from marketplace_app.states.events.signal import SignalState


async def open_url(root: rx.State, url: str) -> None:
    """The tab of these states has opened a path with its query."""
    show_url(root, url)
    await guard._track_navigation(root, Event(name=f".{CompileVars.ON_LOAD_INTERNAL}"), None, is_initial=False)


async def reload(root: rx.State) -> None:
    """The tab has loaded its document again, as a guest until the next event."""
    event = Event(name=hydrate_event_name(), payload={"hashes": []})
    await guard._track_navigation(root, event, None, is_initial=False)


def show_url(root: rx.State, url: str, **arguments: str) -> None:
    """The next event comes from this URL, whose route has these arguments."""
    root.router = RouterData.from_router_data({"asPath": url, "query": arguments, "headers": {"origin": "http://a"}})


async def send(state: rx.State, handler: str, *arguments: Any) -> list[Any]:
    """Run a handler to its end. What it tells the tab to do, such as to open a page."""
    running = type(state).event_handlers[handler].fn(state, *arguments)
    answers = [step async for step in running] if inspect.isasyncgen(running) else [await running]
    return [Event.from_event_type(each)[0].payload for each in answers if each]


def focus(element_id: str) -> Any:
    """What `send` returns of a handler that moves the focus."""
    return Event.from_event_type(rx.set_focus(element_id))[0].payload


async def press(state: rx.State, handler: str, *arguments: Any) -> dict[str, Any]:
    """What the tab is told to open, after this event; empty for nothing."""
    payload: dict[str, Any] = next(iter(await send(state, handler, *arguments)), {})
    return payload


async def toast(state: rx.State) -> tuple[str, str]:
    """Title and text of the tab's last one; empty before the first."""
    signal = await state.get_state(SignalState)
    return signal.title, signal.text
