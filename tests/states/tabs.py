"""Puts the tab of some states at a URL, as the guard does, and says which URL a handler sends it to."""

from typing import Any

import reflex as rx
from reflex.event import Event
from reflex.istate.data import RouterData
from reflex_base.constants import CompileVars

from marketplace_app.states.events import guard


async def open_url(root: rx.State, url: str) -> None:
    """The tab of these states has opened a path with its query."""
    show_url(root, url)
    await guard._track_navigation(root, Event(name=f".{CompileVars.ON_LOAD_INTERNAL}"))


def show_url(root: rx.State, url: str) -> None:
    """The next event comes from this URL."""
    root.router = RouterData.from_router_data({"asPath": url, "headers": {"origin": "http://a"}})


async def press(state: rx.State, handler: str, *arguments: Any) -> dict[str, Any]:
    """What the tab is told to open, after this event; empty for nothing."""
    answer = await type(state).event_handlers[handler].fn(state, *arguments)
    return Event.from_event_type(answer)[0].payload if answer else {}
