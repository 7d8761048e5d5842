"""The event socket spoken by hand, as an attacker would: no page, no framework."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.sync.client import ClientConnection, connect

STATES = "reflex___state____state.marketplace_app___states___"


def cookie_of(url: str, email: str) -> str:
    """Signed in as a script does it; the session cookie's value."""
    with httpx.Client(base_url=url) as client:
        started = client.get("/api/login")
        back = httpx.post(started.headers["location"], data={"sub": email})
        client.get(back.headers["location"])
        return client.cookies["session"]


class Tab:
    """One connection of one tab."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, name: str, path: str = "/", **payload: Any) -> None:
        router = {"pathname": path, "asPath": path, "query": {}}
        event = {"name": name, "payload": payload, "router_data": router}
        self.socket.send("42/_event," + json.dumps(["event", event]))

    def call(self, name: str, path: str = "/", **payload: Any) -> dict[str, Any]:
        """Send an event of ours and gather what comes back until the line is quiet."""
        self.send(STATES + name, path, **payload)
        return self.gather()

    def gather(self, quiet_seconds: float = 0.6) -> dict[str, Any]:
        """Every var that arrives, by `state.var`, without Reflex's suffixes."""
        seen: dict[str, Any] = {}
        while True:
            try:
                message = self.socket.recv(timeout=quiet_seconds)
            except TimeoutError:
                return seen
            if message == "2":
                self.socket.send("3")
            elif isinstance(message, str) and message.startswith("42/_event,"):
                _, update = json.loads(message.removeprefix("42/_event,"))
                for state, values in (update.get("delta") or {}).items():
                    short = state.rpartition("____")[2]
                    seen |= {f"{short}.{name.removesuffix('_rx_state_')}": value for name, value in values.items()}


@contextmanager
def tab(url: str, *, cookie: str | None = None, token: str | None = None, origin: str | None = None) -> Iterator[Tab]:
    headers = {"Cookie": f"session={cookie}"} if cookie else {}
    address = f"ws://{urlsplit(url).netloc}/_event/?EIO=4&transport=websocket&token={token or uuid.uuid4()}"
    with connect(address, additional_headers=headers, origin=origin or url, max_size=2**22) as socket:  # type: ignore[arg-type]
        socket.recv(timeout=5)
        socket.send("40/_event,")
        socket.recv(timeout=5)
        yield Tab(socket)
