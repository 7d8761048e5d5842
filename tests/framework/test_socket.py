"""Contract with Reflex: it has the methods of the socket that the store replaces, and calls them as expected."""

import asyncio
import inspect
from typing import Any

import pytest
import socketio
from reflex.app import EventNamespace
from reflex.utils.token_manager import RedisTokenManager, TokenManager
from reflex_base.constants import CompileVars, RouteVar
from reflex_base.event import Event

from marketplace_app.framework import socket
from marketplace_app.marketplace_app import app

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
        self.sid_to_token = {"1": "one"}
        self.token_to_sid = {"one": "1"}

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
    assert isinstance(EventNamespace.token_to_sid, property)
    assert isinstance(EventNamespace.sid_to_token, property)
    described = app.event_namespace._build_static_router_data("1", ENVIRON)
    assert {RouteVar.SESSION_ID, RouteVar.HEADERS, RouteVar.CLIENT_IP} == set(described)
    assert (RouteVar.HEADERS, RouteVar.CLIENT_IP) == ("headers", "ip")


def test_reflex_keeps_which_connection_a_tab_has_in_its_token_managers() -> None:
    assert "self._token_manager.link_token_to_sid(" in inspect.getsource(EventNamespace.link_token_to_sid)
    assert list(inspect.signature(TokenManager.disconnect_token).parameters) == ["self", "token", "sid"]
    assert "self.redis.exists(redis_key)" in inspect.getsource(RedisTokenManager.link_token_to_sid)
    assert "self._get_redis_key(token)" in inspect.getsource(RedisTokenManager.link_token_to_sid)
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
    namespace.token_to_sid["one"] = "2"
    namespace.on_disconnect("1")
    assert rules.heard == [("close", "1", None)]


def test_a_tab_is_asked_to_load_again_where_it_is(namespace: Any, rules: Rules) -> None:
    asyncio.run(socket.load_again("one", {"pathname": "/faq"}))
    [(_, number, packet)] = namespace.calls
    assert number == "1"
    assert packet["name"].endswith(".hydrate_and_load")
    assert packet["router_data"] == {"pathname": "/faq"}
