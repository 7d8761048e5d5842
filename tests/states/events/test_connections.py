"""Connections and tabs: which cookie is used, what the rate limits count, and what is dropped."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from marketplace_app.framework.events import event_name
from marketplace_app.marketplace_app import app
from marketplace_app.states.events import connections
from marketplace_app.states.events.connections import Connection, ConnectionRules
from marketplace_app.states.unexpected import UnexpectedFailureState

OURS = event_name(UnexpectedFailureState.say_too_busy())
Configure = Callable[..., None]


@pytest.fixture
def connection() -> Iterator[str]:
    """The number of an open connection, which Reflex calls sid."""
    connections._OPEN["a-sid"] = Connection("cookie", "192.0.2.7")
    yield "a-sid"
    connections._OPEN.clear()


def passed(sid: str, *packets: Any) -> list[Any]:
    """The names of the events that are passed on to Reflex."""
    rules = ConnectionRules("too_busy", "outdated")

    async def send() -> list[Any]:
        admitted = [await rules.admit(sid, packet) for packet in packets]
        return [event["name"] for event in admitted if event]

    return asyncio.run(send())


def test_events_beyond_the_rate_are_answered_once_a_second_and_dropped(connection: str, configure: Configure) -> None:
    configure(EVENT_RATE="2/minute")
    assert passed(connection, *[{"name": OURS}] * 6) == [OURS, OURS, "too_busy"]


def test_an_event_without_a_handler_is_answered_once_a_second_and_dropped(connection: str) -> None:
    assert passed(connection, *[{"name": "no_such_state.event"}] * 3, {"name": OURS}) == ["outdated", OURS]


def test_events_without_a_handler_count_too(connection: str, configure: Configure) -> None:
    configure(EVENT_RATE="2/minute")
    connections._OPEN[connection].notified_at = time.monotonic()
    assert passed(connection, *[{"name": "no_such_state.event"}] * 2) == []
    connections._OPEN[connection].notified_at = 0.0
    assert passed(connection, {"name": OURS}) == ["too_busy"]


def test_malformed_packets_are_counted_dropped_and_logged_once(
    connection: str, configure: Configure, caplog: pytest.LogCaptureFixture
) -> None:
    configure(EVENT_RATE="3/minute")
    with caplog.at_level(logging.WARNING):
        assert passed(connection, 7, {"name": 7}, None, {"name": OURS}) == ["too_busy"]
    assert len(caplog.records) == 1


def test_packets_of_a_closed_connection_are_dropped() -> None:
    assert passed("gone", {"name": "event"}) == []


def test_a_tabs_state_never_holds_the_cookie() -> None:
    headers = [(b"host", b"localhost"), (b"cookie", b"session=secret"), (b"authorization", b"secret")]
    namespace: Any = app.event_namespace
    stored = namespace._build_static_router_data("1", {"asgi.scope": {"headers": headers, "client": ("192.0.2.7", 1)}})
    assert stored["headers"] == {"host": "localhost"}
    assert "secret" not in str(stored)
