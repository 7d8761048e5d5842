"""A raw client of the event socket, as an attacker would write it: no page, no framework."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.sync.client import ClientConnection, connect

STATES = "reflex___state____state.marketplace_app___states___"


def cookie_of(url: str, email: str) -> str:
    """Sign in without a browser; returns the value of the session cookie."""
    with httpx.Client(base_url=url, verify=False) as client:  # loopback; reading the authorities' files takes 30 ms
        started = client.get("/api/login")
        back = client.post(started.headers["location"], data={"sub": email})
        client.get(back.headers["location"])
        return client.cookies.get("__Host-session") or client.cookies["session"]  # the first over TLS


def hydrate(path: str = "/", **payload: Any) -> dict[str, Any]:
    """A page's first event. One that was just loaded, and has not reconnected, gives `hashes`."""
    router = {"pathname": path, "asPath": path, "query": {}}
    return {"name": "reflex___state____state.hydrate_and_load", "payload": payload, "router_data": router}


class Tab:
    """One connection of one tab."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, name: str, path: str = "/", **payload: Any) -> None:
        self.send_event(name, payload, path)

    def send_event(self, name: str, payload: dict[str, Any], path: str) -> None:
        """Also with arguments that are called `name` or `path`."""
        router = {"pathname": path, "asPath": path, "query": {}}
        event = {"name": name, "payload": payload, "router_data": router}
        self.socket.send("42/_event," + json.dumps(["event", event]))

    def call(self, name: str, path: str = "/", **payload: Any) -> dict[str, Any]:
        """Send an event to one of the store's handlers and gather what comes back until the socket is quiet."""
        self.send(STATES + name, path, **payload)
        return self.gather(first_within_seconds=3)

    def gather(self, quiet_seconds: float = 0.6, first_within_seconds: float = 0) -> dict[str, Any]:
        """Every var that arrives, by `state.var`, without Reflex's suffixes.

        A busy machine may take longer to begin an answer than between its parts.
        """
        seen: dict[str, Any] = {}
        while True:
            try:
                seen |= self._next(quiet_seconds if seen else max(quiet_seconds, first_within_seconds))
            except TimeoutError:
                return seen

    def until(self, condition: Callable[[dict[str, Any]], object], within_seconds: float = 20) -> dict[str, Any]:
        """Gather vars that the server pushes until `condition` holds of them; fails after the deadline."""
        seen: dict[str, Any] = {}
        deadline = time.monotonic() + within_seconds
        while not condition(seen):
            assert time.monotonic() < deadline, f"only this arrived: {seen}"
            with suppress(TimeoutError):
                seen |= self._next(0.5)
        return seen

    def _next(self, timeout_seconds: float) -> dict[str, Any]:
        """The vars in the next message, if any."""
        message = self.socket.recv(timeout=timeout_seconds)
        seen: dict[str, Any] = {}
        if message == "2":
            self.socket.send("3")
        elif isinstance(message, str) and message.startswith("42/_event,"):
            _, update = json.loads(message.removeprefix("42/_event,"))
            for state, values in (update.get("delta") or {}).items():
                short = state.rpartition("____")[2]
                seen |= {f"{short}.{name.removesuffix('_rx_state_')}": value for name, value in values.items()}
        return seen


@contextmanager
def tab(
    url: str,
    *,
    cookie: str | None = None,
    token: str | None = None,
    origin: str | None = None,
    first: dict[str, Any] | None = None,
    address: str | None = None,
) -> Iterator[Tab]:
    """`first`: the event that a page sends with its handshake; what answers it is gathered like the rest.

    `address`: one of 127.0.0.0/8 that the connection comes from.
    """
    headers = {"Cookie": f"session={cookie}"} if cookie else {}
    place = f"ws://{urlsplit(url).netloc}/_event/?EIO=4&transport=websocket&token={token or uuid.uuid4()}"
    source = {"source_address": (address, 0)} if address else {}
    with connect(place, additional_headers=headers, origin=origin or url, max_size=2**22, **source) as socket:  # type: ignore[arg-type]
        socket.recv(timeout=5)
        socket.send("40/_event," + (json.dumps({"event": first}) if first else ""))
        socket.recv(timeout=5)
        yield Tab(socket)
