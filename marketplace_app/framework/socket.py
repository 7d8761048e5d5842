"""The event socket, before Reflex reads it: who may connect, which packets pass, and which tab has which connection.

A tab is identified by a token, a connection by socket.io's `sid`. Relies on:

- `app.sio`, and of `app.event_namespace` the `namespace`, `sid_to_token`, `_token_manager`, and the methods that
  `_required` names, which are looked up at each call,
- the token manager's `token_to_socket`, which stays the same dict, and, with Redis, all that `_claim` uses of it,
- the first event of a page being the `event` of its handshake,
- the form of a packet: `name`, `payload`, and `router_data` with the keys below.
"""

from collections.abc import Awaitable, Callable, Collection, Container, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qs

import reflex as rx
from reflex.state import BaseState
from reflex.utils.token_manager import RedisTokenManager, SocketRecord

from marketplace_app.framework import closed_tabs, sent_packets, socket_packets
from marketplace_app.framework.events import PageEvent, hydrate_event_name, page_event_of

Packet = dict[str, Any]
NAME, PAYLOAD, ROUTE = "name", "payload", "router_data"
PATHS, QUERY = ("pathname", "asPath"), "query"
"""Keys of a packet's route that the browser sends. Reflex itself adds the others: IP address, headers, connection."""
_namespace: Any = None


@dataclass(frozen=True)
class Handshake:
    token: str | None
    """The tab's token; None if the browser sent none or several."""
    scope: Mapping[str, Any]
    """The ASGI scope of the request."""
    headers: Callable[[], Mapping[str, str]]


class Rules(Protocol):
    @property
    def stored_headers(self) -> Collection[str]:
        """The names of the headers of a handshake that are stored with the state of its tab."""

    async def open(self, sid: str, handshake: Handshake) -> None:
        """Raises socketio's ConnectionRefusedError to refuse a connection."""

    def close(self, sid: str, token: str | None) -> None:
        """A connection was closed. `token` is that of its tab; None if the tab has another connection already."""

    def may_replace(self, old_sid: str, sid: str) -> bool:
        """Whether both connections are of one browser, so that the newer may continue with the older one's tab."""

    def fail(self, sid: str) -> None:
        """A connection that `open` accepted has failed in Reflex."""

    async def admit(self, sid: str, packet: object) -> Packet | None:
        """The packet that Reflex gets instead; None drops it."""

    def drop(self, sid: str, what: object) -> None:
        """A packet that no page sends was dropped; `what` describes it for the log."""

    def address(self, scope: Mapping[str, Any]) -> str:
        """The IP address that a request came from."""


def install(app: rx.App, rules: Rules) -> None:
    """Apply the rules before Reflex handles anything from the socket."""
    global _namespace
    _namespace = namespace = _required(app.event_namespace)
    describe = namespace._build_static_router_data

    def describe_trusted(sid: str, environ: dict[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = describe(sid, environ)
        headers = {name: value for name, value in whole["headers"].items() if name in rules.stored_headers}
        return whole | {"headers": headers, "ip": rules.address(_scope(environ))}

    async def on_ping(_sid: str, *_more: Any) -> None:
        """Ignored. Reflex answers pings for tools; the store's pages send none."""

    namespace.on_connect = _on_connect(rules, namespace.on_connect, describe)
    tab_closed = closed_tabs.make(app.state_manager, connected_tabs())
    namespace.on_disconnect = _on_disconnect(rules, namespace.on_disconnect, tab_closed)
    namespace.on_event = _on_event(rules, namespace.on_event)
    namespace.on_ping = on_ping
    namespace._build_static_router_data = describe_trusted
    sent_packets.install()
    socket_packets.install(app.sio, namespace.namespace, lambda sid: rules.drop(sid, "not an event"))


def _required(namespace: Any) -> Any:
    """Checks that the methods to be replaced exist; otherwise the replacement would be a new method nobody calls."""
    for name in ("on_connect", "on_disconnect", "on_event", "on_ping", "_build_static_router_data"):
        if not hasattr(namespace, name):
            raise AttributeError(f"Reflex's event namespace has no {name}. See docs/upgrading.md.")
    return namespace


def _on_connect(rules: Rules, connect: Callable[..., Awaitable[None]], describe: Any) -> Any:
    async def on_connect(sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        def headers() -> Mapping[str, str]:
            described: Mapping[str, str] = describe(sid, environ)["headers"]
            return described

        token = _token(environ)
        await rules.open(sid, Handshake(token, _scope(environ), headers))
        try:
            if token is not None and _has_reconnected(auth):
                await _release(rules, token, sid)
            await connect(sid, environ, auth if isinstance(auth, dict) else None)
        except BaseException:
            rules.fail(sid)
            raise

    return on_connect


def _has_reconnected(auth: object) -> bool:
    """Whether the page was open already, as its first event says. In a copied tab it has just been loaded."""
    event = auth.get("event") if isinstance(auth, dict) else None
    name, payload = (event.get(NAME), event.get(PAYLOAD)) if isinstance(event, dict) else (None, None)
    return isinstance(name, str) and isinstance(payload, dict) and page_event_of(name, payload) is PageEvent.RECONNECTED


async def _release(rules: Rules, token: str, sid: str) -> None:
    """Take a tab from the connection that it had before, which may be dead without the store knowing it.

    Finding out can take minutes after a phone has changed networks and, in Redis, an hour after a process was killed.
    Until then, Reflex would take the new connection for that of a copy of the tab, and give it a new, empty state.
    """
    manager = _namespace._token_manager
    old_sid = connection_of(token)
    if old_sid is not None:
        if not rules.may_replace(old_sid, sid):
            return
        await manager.disconnect_token(token, old_sid)  # first, or the old connection's end would take the tab along
        await _namespace.disconnect(old_sid)
    if isinstance(manager, RedisTokenManager):
        await _claim(manager, token, sid)


async def _claim(manager: RedisTokenManager, token: str, sid: str) -> None:
    """Make this the tab's connection for all processes.

    If its record in Redis were deleted instead, the process that had the tab would write it again, to keep it alive.
    """
    manager._ensure_socket_record_task()  # `link_token_to_sid` will not: it returns early for a tab that is claimed
    record = SocketRecord(instance_id=manager.instance_id, sid=sid)
    await manager._store_socket_record(token, record)
    manager.token_to_socket[token], manager.sid_to_token[sid] = record, token


def _on_disconnect(rules: Rules, disconnect: Callable[[str], Any], tab_closed: Callable[[str], None]) -> Any:
    def on_disconnect(sid: str, *_reason: Any) -> Any:
        token = _namespace.sid_to_token.get(sid)
        is_tabs_connection = token is not None and connection_of(token) == sid
        rules.close(sid, token if is_tabs_connection else None)
        if token is not None:
            tab_closed(token)
        return disconnect(sid)

    return on_disconnect


def _on_event(rules: Rules, on_event: Callable[[str, Packet], Awaitable[None]]) -> Any:
    async def on_any_event(sid: str, packet: object = None) -> None:
        event = await rules.admit(sid, packet)
        if event is not None:
            await on_event(sid, event)

    return on_any_event


def connection_of(token: str) -> str | None:
    """The sid of the connection that a tab has now, as far as this process knows."""
    record = _records().get(token) if _namespace is not None else None
    return record.sid if record is not None else None


def connected_tabs() -> Container[str]:
    """Their tokens, which change as tabs come and go."""
    return _records()


def _records() -> dict[str, SocketRecord]:
    records: dict[str, SocketRecord] = _namespace._token_manager.token_to_socket
    return records


def last_connection(state: BaseState) -> str:
    """The sid of the connection that sent the last event of this tab; empty when there was none."""
    return state.router.session.session_id


def is_current(state: BaseState, token: str) -> bool:
    """Whether this state knows its tab's current connection. It does not if the state was lost and created anew."""
    return bool(state.router_data) and connection_of(token) == last_connection(state)


async def load_again(token: str, route: Mapping[str, Any]) -> None:
    """Make a tab load its page again. `route` is the route of its last packet."""
    await _namespace.on_event(_records()[token].sid, {NAME: hydrate_event_name(), ROUTE: dict(route)})


def _scope(environ: Mapping[str, Any]) -> Mapping[str, Any]:
    return environ.get("asgi.scope") or {}


def _token(environ: Mapping[str, Any]) -> str | None:
    given = parse_qs(str(environ.get("QUERY_STRING", ""))).get("token", [])
    return given[0] if len(given) == 1 else None
