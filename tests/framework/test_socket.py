"""Contract with Reflex: it has the methods of the socket that the store replaces, and calls them as expected."""

import asyncio
import inspect
import re
from collections.abc import Container, Iterator
from contextlib import closing
from socket import socket as free_socket
from typing import Any

import pytest
import socketio
from redis.asyncio import Redis
from reflex.app import EventNamespace
from reflex.istate.manager.memory import StateManagerMemory
from reflex.utils import token_manager
from reflex.utils.token_manager import LocalTokenManager, RedisTokenManager, SocketRecord, TokenManager
from reflex_base.constants import CompileVars, RouteVar
from reflex_base.event import Event

from marketplace_app.framework import closed_tabs, socket
from marketplace_app.framework.events import hydrate_event_name
from marketplace_app.marketplace_app import app
from tests.e2e.running import Redis as RedisServer

REPLACED = {
    "on_connect": ["self", "sid", "environ", "auth"],
    "on_disconnect": ["self", "sid"],
    "on_event": ["self", "sid", "data"],
    "on_ping": ["self", "sid"],
    "_build_static_router_data": ["self", "sid", "environ"],
}
ENVIRON = {
    "QUERY_STRING": "token=one&EIO=4",
    "asgi.scope": {"headers": [(b"host", b"localhost"), (b"cookie", b"secret=1")], "client": ("192.0.2.7", 1)},
}


class Namespace:
    """The part of Reflex's namespace that is used; records the calls that reach it."""

    namespace = "/_event"

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self._token_manager: TokenManager = LocalTokenManager()
        self.connect_tab("one", "1")

    @property
    def sid_to_token(self) -> dict[str, str]:
        return self._token_manager.sid_to_token

    def connect_tab(self, token: str, sid: str) -> None:
        manager = self._token_manager
        manager.token_to_socket[token] = SocketRecord(instance_id=manager.instance_id, sid=sid)
        manager.sid_to_token[sid] = token

    async def on_connect(self, sid: str, environ: Any, auth: Any) -> None:
        self.calls.append(("connect", sid, auth))

    def on_disconnect(self, sid: str) -> None:
        self.calls.append(("disconnect", sid))

    async def on_event(self, sid: str, data: Any) -> None:
        self.calls.append(("event", sid, data))

    async def on_ping(self, sid: str) -> None:
        self.calls.append(("ping", sid))

    def _build_static_router_data(self, sid: str, environ: Any) -> dict[str, Any]:
        headers = {name.decode(): value.decode() for name, value in environ["asgi.scope"]["headers"]}
        return {"sid": sid, "headers": headers, "ip": "somewhere"}


class Rules:
    stored_headers = ("host",)

    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def open(self, number: str, handshake: socket.Handshake) -> None:
        self.heard.append(("open", number, handshake.token, handshake.headers()["cookie"]))

    def close(self, number: str, token: str | None) -> None:
        self.heard.append(("close", number, token))

    def may_replace(self, old_number: str, number: str) -> bool:
        return True

    def fail(self, number: str) -> None:
        self.heard.append(("fail", number))

    async def admit(self, number: str, packet: Any) -> socket.Packet | None:
        return packet if isinstance(packet, dict) else None

    def drop(self, number: str, what: object) -> None:
        self.heard.append(("drop", number, what))

    def address(self, scope: Any) -> str:
        return str(scope["client"][0])


@pytest.fixture
def namespace(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(socket, "_namespace", None)
    return Namespace()


@pytest.fixture
def rules(namespace: Any) -> Rules:
    class App:
        event_namespace = namespace
        sio = socketio.AsyncServer()
        state_manager = None  # not the one in memory

    rules = Rules()
    socket.install(App(), rules)  # type: ignore[arg-type]
    return rules


@pytest.mark.parametrize(("name", "parameters"), REPLACED.items())
def test_reflex_has_the_methods_that_are_replaced(name: str, parameters: list[str]) -> None:
    method = getattr(EventNamespace, name)
    assert list(inspect.signature(method).parameters) == parameters
    assert inspect.iscoroutinefunction(method) == (name not in ("on_disconnect", "_build_static_router_data"))
    assert getattr(app.event_namespace, name).__module__ == socket.__name__


def test_no_other_message_of_a_browser_is_answered() -> None:
    """Each `on_...` is one that any client may send. Reflex itself limits how often errors of pages are logged."""
    answered = {name for name in dir(EventNamespace) if name.startswith("on_")}
    assert answered - set(REPLACED) == {"on_client_error"}


def test_reflex_calls_them_by_their_names() -> None:
    """If Reflex kept a reference to one of them, the store's would be bypassed."""
    assert "self._build_static_router_data(" in inspect.getsource(EventNamespace)
    assert "self.on_event(" in inspect.getsource(EventNamespace.on_connect)  # what came with the handshake


def test_reflex_tells_which_connection_a_tab_has() -> None:
    assert LocalTokenManager().token_to_socket == {}
    assert isinstance(EventNamespace.sid_to_token, property)
    described = app.event_namespace._build_static_router_data("1", ENVIRON)
    assert {RouteVar.SESSION_ID, RouteVar.HEADERS, RouteVar.CLIENT_IP} == set(described)
    assert (RouteVar.HEADERS, RouteVar.CLIENT_IP) == ("headers", "ip")


def test_reflex_keeps_which_connection_a_tab_has_in_its_token_managers() -> None:
    assert "self._token_manager.link_token_to_sid(" in inspect.getsource(EventNamespace.link_token_to_sid)
    assert list(inspect.signature(TokenManager.disconnect_token).parameters) == ["self", "token", "sid"]
    assert inspect.getsource(token_manager).count("self.token_to_socket: dict[str, SocketRecord] = {}") == 1
    assert not re.findall(r"token_to_socket = ", inspect.getsource(token_manager)), "it stays the same dict"
    assert CompileVars.CONNECT_AUTH_EVENT == "event"


def test_a_packet_has_the_keys_that_reflex_reads() -> None:
    assert {socket.NAME, socket.PAYLOAD, socket.ROUTE} <= set(Event.__dataclass_fields__)
    assert (*socket.PATHS, socket.QUERY) == (RouteVar.PATH, RouteVar.ORIGIN, RouteVar.QUERY)


def test_a_namespace_without_one_of_them_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class App:
        event_namespace = object()

    monkeypatch.setattr(socket, "_namespace", None)
    with pytest.raises(AttributeError, match=r"on_connect.*upgrading"):
        socket.install(App(), Rules())  # type: ignore[arg-type]


def test_the_rules_come_first(namespace: Any, rules: Rules) -> None:
    async def scenario() -> None:
        await namespace.on_connect("1", ENVIRON, {"event": "boot"})
        await namespace.on_event("1", "nonsense")
        await namespace.on_event("1", {"name": "ours"})
        await namespace.on_ping("1")
        namespace.on_disconnect("1", "gone")

    asyncio.run(scenario())
    assert rules.heard == [("open", "1", "one", "secret=1"), ("close", "1", "one")]
    assert namespace.calls == [
        ("connect", "1", {"event": "boot"}),
        ("event", "1", {"name": "ours"}),
        ("disconnect", "1"),
    ]
    assert namespace._build_static_router_data("1", ENVIRON) == {
        "sid": "1",
        "headers": {"host": "localhost"},
        "ip": "192.0.2.7",
    }


def test_closing_the_old_connection_of_a_tab_does_not_close_the_tab(namespace: Any, rules: Rules) -> None:
    namespace.connect_tab("one", "2")
    namespace.on_disconnect("1")
    assert rules.heard == [("close", "1", None)]


def test_a_tab_is_asked_to_load_again_where_it_is(namespace: Any, rules: Rules) -> None:
    asyncio.run(socket.load_again("one", {"pathname": "/faq"}))
    [(_, number, packet)] = namespace.calls
    assert number == "1"
    assert packet["name"].endswith(".hydrate_and_load")
    assert packet["router_data"] == {"pathname": "/faq"}


def test_a_tab_that_is_back_when_its_state_would_be_packed_is_known_to_be(
    namespace: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class App:
        event_namespace = namespace
        sio = socketio.AsyncServer()
        state_manager = StateManagerMemory()

    given: list[Container[str]] = []
    monkeypatch.setattr(closed_tabs, "make", lambda _manager, connected: given.append(connected))
    socket.install(App(), Rules())  # type: ignore[arg-type]
    namespace.connect_tab("back", "2")
    assert "back" in given[0]


class Worker(Namespace):
    """One of several processes with the same Redis."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._token_manager = RedisTokenManager(Redis.from_url(url))
        self.disconnected: list[str] = []
        self.tokens: list[str | None] = []

    async def on_connect(self, sid: str, environ: Any, auth: Any) -> None:
        await asyncio.sleep(0.1)  # meanwhile the other process hears what happened
        self.tokens.append(await self._token_manager.link_token_to_sid("one", sid))

    async def disconnect(self, sid: str) -> None:
        self.disconnected.append(sid)


@pytest.fixture
def redis_url() -> Iterator[str]:
    with closing(free_socket()) as free:
        free.bind(("127.0.0.1", 0))
        server = RedisServer(free.getsockname()[1])
    server.start()
    yield server.url
    server.kill()


def test_a_tab_that_reconnects_to_any_process_keeps_its_token(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise Reflex gives it a new one, and with it an empty state."""
    monkeypatch.setattr(socket, "_namespace", None)
    page = {"event": {"name": hydrate_event_name(), "payload": {}}}

    async def scenario() -> tuple[Worker, Worker]:
        first, second = workers = Worker(redis_url), Worker(redis_url)
        for each in workers:

            class App:
                event_namespace = each
                sio = socketio.AsyncServer()
                state_manager = None

            socket.install(App(), Rules())  # type: ignore[arg-type]
        for number, worker in enumerate((first, second, first, first, second, second)):
            monkeypatch.setattr(socket, "_namespace", worker)
            await worker.on_connect(f"sid-{number}", ENVIRON, page)
            assert socket.connection_of("one") == f"sid-{number}"
        for worker in workers:
            await worker._token_manager.close()
        return workers

    first, second = asyncio.run(scenario())
    assert first.tokens + second.tokens == [None] * 6
    assert "sid-2" in first.disconnected
    assert "sid-4" in second.disconnected
