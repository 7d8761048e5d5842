"""Contract with Reflex: its own events, their payloads, and what a middleware may do with the others."""

import asyncio
import inspect
from typing import Any

import pytest
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, OnLoadInternalState, State, StateUpdate
from reflex_base.constants import CompileVars
from reflex_base.event import Event
from reflex_base.event.context import EventContext
from reflex_base.registry import RegistrationContext

from marketplace_app.framework import events
from marketplace_app.framework.events import EventFilter, PageEvent, Verdict, page_event_of
from marketplace_app.marketplace_app import app
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.events.signal import SignalState


class WritingFilter(EventFilter):
    """Changes the state, and then gives the verdict that it was made with."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    async def judge(self, root: Any, event: Event) -> Verdict:
        (await root.get_state(SignalState)).title = event.name
        return self.verdict


def filter_event(verdict: Verdict) -> tuple[StateUpdate | None, Any]:
    """What Reflex is told to send in place of running the handler, and the root of the state."""
    root: Any = State()
    state = root.get_substate(SignalState.get_full_name().split("."))
    event = Event(name="asked", payload={})
    return asyncio.run(WritingFilter(verdict).preprocess(app, state, event)), root


def test_reflex_has_what_the_filter_calls() -> None:
    assert list(inspect.signature(Middleware.preprocess).parameters) == ["self", "app", "state", "event"]
    assert inspect.iscoroutinefunction(BaseState._get_resolved_delta)
    assert list(inspect.signature(BaseState._get_resolved_delta).parameters) == ["self"]
    assert list(inspect.signature(BaseState._clean).parameters) == ["self"]
    assert {"token", "txid"} <= set(EventContext.__dataclass_fields__)


def test_a_verdict_decides_what_is_run_and_what_is_sent() -> None:
    assert filter_event(Verdict.RUN)[0] is None
    assert filter_event(Verdict.IGNORE)[0] == StateUpdate(delta={}, events=[])
    update, root = filter_event(Verdict.ANSWER)
    assert update is not None
    assert [changes for name, changes in update.delta.items() if name.endswith("signal_state")][0]
    assert asyncio.run(root._get_resolved_delta()) == {}  # nothing is sent twice


def test_a_handler_is_found_by_the_name_that_the_socket_calls_it_by() -> None:
    name = events.event_name(CartState.add(1))
    assert name in RegistrationContext.get().event_handlers
    assert events.is_handled(name)
    handler = events.handler_of(name)
    assert handler is not None
    assert handler.__qualname__ == "CartState.add"
    assert events.handler_of("no.such.event") is None


@pytest.mark.parametrize("name", sorted(events.REFLEX_EVENTS))
def test_reflexs_own_events_exist_and_no_handler_of_the_store_is_one(name: str) -> None:
    registered = [each for each in RegistrationContext.get().event_handlers if each.endswith(f".{name}")]
    assert [each for each in registered if events.is_reflex_event(each)]
    assert not events.is_reflex_event(events.event_name(CartState.add(1)).replace("add", name))


def test_an_event_says_how_its_page_was_opened() -> None:
    hydrate = events.hydrate_event_name()
    assert hydrate.endswith(f".{CompileVars.HYDRATE_AND_LOAD}")
    assert events.is_handled(hydrate)
    assert "hashes" in inspect.signature(State.hydrate_and_load.fn).parameters
    assert CompileVars.PAYLOAD_HASHES == "hashes"
    assert page_event_of(hydrate, {"hashes": []}) is PageEvent.LOADED
    assert page_event_of(hydrate, {}) is PageEvent.RECONNECTED
    assert events.is_handled(f"{OnLoadInternalState.get_full_name()}.{events.ON_LOAD}")
    assert CompileVars.ON_LOAD_INTERNAL.endswith(f".{events.ON_LOAD}")
    assert page_event_of(CompileVars.ON_LOAD_INTERNAL, {}) is PageEvent.NAVIGATED
    assert page_event_of("other.event", {}) is PageEvent.OTHER


def test_everything_a_tab_holds_is_reset() -> None:
    async def scenario() -> str:
        root: Any = State()
        signal = await root.get_state(SignalState)
        signal.title = "private"
        await events.reset_all(root)
        return str(signal.title)

    assert asyncio.run(scenario()) == ""


def test_one_state_can_be_kept() -> None:
    async def scenario() -> tuple[str, int]:
        root: Any = State()
        signal, cart = await root.get_state(SignalState), await root.get_state(CartState)
        signal.title, cart.count = "Added to Cart", 3
        await events.reset_all(root, but=SignalState)
        return str(signal.title), int(cart.count)

    assert asyncio.run(scenario()) == ("Added to Cart", 0)
