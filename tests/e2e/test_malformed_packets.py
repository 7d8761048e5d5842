"""Thousands of malformed packets leave the processor load, log and memory as they were.

`FUZZ_PACKETS` says how many; `make attack` sends 5,000.
"""

import json
import os
import random
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.e2e.conftest import Store
from tests.e2e.wire import STATES, tab

pytestmark = [pytest.mark.browser, pytest.mark.stores]

PACKETS = int(os.environ.get("FUZZ_PACKETS", "400"))
PACKETS_OF_A_TAB = 50
Figures = Callable[[str, object], None]
HYDRATE = "reflex___state____state.hydrate"
ODD: list[Any] = [None, 5, -1, 1.5, True, 10**25, "", "x" * 3_000, "\x00", "\ud800", [], [[]], [None] * 50]
ODD += [{}, {"": {}}, {"a": {"b": [1, {}]}}]
NAMES: list[Any] = [HYDRATE, STATES + "buying___cart____cart_state.add", "no.such_state.event", "state", ".", *ODD]


def packet(rng: random.Random) -> str:
    event: dict[str, Any] = {"name": rng.choice(NAMES)}
    if rng.random() < 0.7:
        event["payload"] = rng.choice([rng.choice(ODD), {"product_id": rng.choice(ODD)}])
    if rng.random() < 0.8:
        event["router_data"] = rng.choice(
            [
                rng.choice(ODD),
                {key: rng.choice(ODD) for key in ("asPath", "pathname", "query", "headers", "token", "ip")},
            ]
        )
    body: Any = rng.choice([event, event, event, event, rng.choice(ODD)])
    return "42/_event," + json.dumps([rng.choice(["event", "event", "event", "client_error", "ping", "x"]), body])


@pytest.mark.attack("an event that never ends")
def test_a_packet_with_an_invalid_route_does_nothing(store: Store, record_property: Figures) -> None:
    """A route that is a number made Reflex fail before any guard, and its error report fail the same way, endlessly."""
    before = store.log.stat().st_size
    with tab(store.url) as attacker:
        attacker.socket.send(
            "42/_event," + json.dumps(["event", {"name": HYDRATE, "payload": {}, "router_data": {"asPath": 5}}])
        )
    busy, grown = store.cpu_percent(2), store.log.stat().st_size - before
    assert busy < 40, f"still {busy} % busy"
    assert grown < 2_000
    record_property("figures", f"{busy} % of a core and {grown} bytes of log in the 2 s after")


@pytest.mark.attack("malformed packets")
def test_malformed_packets_leave_processor_log_and_memory_as_they_were(store: Store, record_property: Figures) -> None:
    rng = random.Random(20_251_123)
    with tab(store.url) as first:
        first.call("buying___cart____cart_state.load")
    log, memory = store.log.stat().st_size, store.memory()
    for _ in range(0, PACKETS, PACKETS_OF_A_TAB):
        with suppress(ConnectionClosed), tab(store.url, token=str(uuid.uuid4())) as attacker:
            for _ in range(PACKETS_OF_A_TAB):
                attacker.socket.send(packet(rng))
            attacker.gather(0.2)
    assert httpx.get(f"{store.url}/readyz").status_code == 200
    busy, grown, taken = store.cpu_percent(2), store.log.stat().st_size - log, (store.memory() - memory) / 2**20
    assert busy < 40
    assert grown < 60_000
    assert taken < 60
    record_property(
        "figures", f"{PACKETS} packets: {busy} % of a core after, {grown} bytes of log, {taken:.0f} MB more memory"
    )
    with tab(store.url) as somebody:
        assert "viewer_state.is_known" in somebody.call("buying___cart____cart_state.load")
