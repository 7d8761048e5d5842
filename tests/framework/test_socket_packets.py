"""Contract with python-socketio: only what a page sends reaches a handler, and nothing a client sends piles up."""

import asyncio
import inspect
from typing import Any

import pytest
import socketio
from socketio import packet
from socketio.async_server import AsyncServer

from marketplace_app.framework import socket_packets
from marketplace_app.marketplace_app import app

OPEN = "0/_event,"


class Server:
    """A server of python-socketio with one open connection, and what reaches its namespace."""

    def __init__(self) -> None:
        self.server = AsyncServer(async_handlers=False)
        self.dropped: list[str] = []
        self.reached: list[Any] = []
        server = self

        class Namespace(socketio.AsyncNamespace):
            async def on_connect(self, sid: str, environ: Any, _auth: Any = None) -> None:
                server.reached.append(("connect", environ))

            async def on_event(self, sid: str, data: Any) -> None:
                server.reached.append(("event", data))

            def on_disconnect(self, sid: str, _reason: Any = None) -> None:
                server.reached.append(("disconnect",))

        self.server.register_namespace(Namespace("/_event"))
        socket_packets.install(self.server, "/_event", self.dropped.append)

    def receive(self, *messages: str | bytes) -> None:
        async def scenario() -> None:
            self.server.environ["transport"] = {"of": "the server"}
            for message in (OPEN, *messages):
                await self.server._handle_eio_message("transport", message)

        async def send(*_args: Any) -> None:
            """Answers are not needed."""

        self.server._send_packet = send
        self.server._send_eio_packet = send
        asyncio.run(scenario())


@pytest.fixture
def server() -> Server:
    return Server()


def event(*data: Any, kind: str = "2") -> str:
    return f"{kind}/_event," + packet.Packet.json.dumps(list(data))


def test_an_event_reaches_its_handler(server: Server) -> None:
    server.receive(event("event", {"name": "ours"}))
    assert server.reached == [("connect", {"of": "the server"}), ("event", {"name": "ours"})]
    assert server.dropped == []


@pytest.mark.attack("rate limits bypassed")
@pytest.mark.parametrize("name", ["connect", "disconnect", "ping", "*", "", 5, None])
def test_a_client_cannot_call_what_is_the_servers_own(server: Server, name: Any) -> None:
    """A forged `connect` would give the connection another address, whose rate is not used up."""
    server.receive(event(name, {"asgi.scope": {"client": ["203.0.113.7", 1]}}))
    assert server.reached == [("connect", {"of": "the server"})]
    assert len(server.dropped) == 1


@pytest.mark.parametrize(
    "message",
    [
        "2/_event,",
        "2/_event,5",
        "2/_event,{}",
        "2/_event,[]",
        '2/_event,["event"]',
        '2/_event,["event", 1, 2]',
        "2/_event,[" * 2_000,
        "3/_event,1[]",
        "4/_event,{}",
        "9",
        "x",
        b"x",
        "2/_event," + "1" * 200,
    ],
)
def test_a_message_that_is_no_packet_is_dropped_without_an_error(server: Server, message: str | bytes) -> None:
    server.receive(message)
    assert server.reached == [("connect", {"of": "the server"})]
    assert len(server.dropped) == 1


def test_a_file_in_a_form_arrives(server: Server) -> None:
    server.receive(event("event", {"_placeholder": True, "num": 0}, kind="51-"), b"file")
    assert server.reached[1:] == [("event", b"file")]


@pytest.mark.attack("malformed packets")
@pytest.mark.parametrize(
    ("announced", "placeholder", "attachments"),
    [
        (999_999, {"_placeholder": True, "num": 0}, [b"x" * 60_000] * 20),
        (4, {"_placeholder": True, "num": 0}, [b"x" * 60_000] * 4),
        (1, {"_placeholder": True, "num": 7}, [b"x"]),
        (1, {"_placeholder": True, "num": "x"}, [b"x"]),
        (1, {"_placeholder": True, "num": 0}, [b"x", b"x"]),
    ],
)
def test_attachments_do_not_pile_up(server: Server, announced: int, placeholder: Any, attachments: list[bytes]) -> None:
    server.receive(event("event", placeholder, kind=f"5{announced}-"), *attachments)
    assert server.dropped
    assert server.server._binary_packet == {}


def test_the_stores_server_is_bounded() -> None:
    assert app.sio is not None
    assert app.sio._handle_event.__module__ == socket_packets.__name__
    assert app.sio.packet_class.__module__ == socket_packets.__name__
    assert app.sio.async_handlers is False


def test_python_socketio_looks_up_what_is_replaced_at_each_message() -> None:
    """If it kept a reference to `packet_class` or `_handle_event`, the store's would be bypassed."""
    source = inspect.getsource(AsyncServer._handle_eio_message)
    assert "self.packet_class(encoded_packet=" in source
    assert source.count("self._handle_event(") == 2
    assert list(inspect.signature(AsyncServer._handle_event).parameters)[1:] == ["eio_sid", "namespace", "id", "data"]


def test_a_server_without_what_is_replaced_is_refused() -> None:
    with pytest.raises(AttributeError, match="upgrading"):
        socket_packets.install(object(), "/_event", lambda _sid: None)
