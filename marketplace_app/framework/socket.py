"""The event socket, before Reflex reads it: who connects, which packets get through, and which tab is connected how.

Relies on the methods of `app.event_namespace` being looked up at each call (`on_connect`, `on_disconnect`, `on_event`,
`on_ping`, `_build_static_router_data`), on its `token_to_sid` and `sid_to_token`, and on the form of a packet: `name`,
`payload` and `router_data` with the keys below. A tab is named by a token, a connection by a number.
"""

from collections.abc import Awaitable, Callable, Collection, Container, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qs

import reflex as rx
from reflex.state import BaseState

from marketplace_app.framework.events import hydrate_event_name

Packet = dict[str, Any]
NAME, PAYLOAD, ROUTE = "name", "payload", "router_data"
PATHS, QUERY = ("pathname", "asPath"), "query"
"""Where a packet's route says that the tab is. Reflex itself adds the rest: address, headers, connection."""
_namespace: Any = None


@dataclass(frozen=True)
class Handshake:
    token: str | None
    """Of the tab, unless it sent none or several."""
    scope: Mapping[str, Any]
    """As ASGI describes the request."""
    headers: Callable[[], Mapping[str, str]]


class Rules(Protocol):
    @property
    def kept_headers(self) -> Collection[str]:
        """Those of a handshake that are stored with a tab's state."""

    async def open(self, number: str, handshake: Handshake) -> None:
        """Raises socketio's ConnectionRefusedError for a connection that may not be."""

    def close(self, number: str, token: str | None) -> None:
        """A connection is closed. `token`: of the tab that has no other one."""

    def fail(self, number: str) -> None:
        """Reflex itself has refused a connection that was opened."""

    async def admit(self, number: str, packet: object) -> Packet | None:
        """What Reflex reads in the place of a packet, if anything."""

    def address(self, scope: Mapping[str, Any]) -> str:
        """Where a request came from."""


def install(app: rx.App, rules: Rules) -> None:
    """Stand before Reflex's own reading of the socket."""
    global _namespace
    _namespace = namespace = _required(app.event_namespace)
    describe = namespace._build_static_router_data

    def described(number: str, environ: dict[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = describe(number, environ)
        headers = {name: value for name, value in whole["headers"].items() if name in rules.kept_headers}
        return whole | {"headers": headers, "ip": rules.address(_scope(environ))}

    async def on_ping(_number: str, *_more: Any) -> None:
        """Reflex answers it for tools; no page asks."""

    namespace.on_connect = _on_connect(rules, namespace.on_connect, describe)
    namespace.on_disconnect = _on_disconnect(rules, namespace.on_disconnect)
    namespace.on_event = _on_event(rules, namespace.on_event)
    namespace.on_ping = on_ping
    namespace._build_static_router_data = described


def _required(namespace: Any) -> Any:
    """Its methods are replaced: a name that is not there any more must not become a new one that nobody calls."""
    for name in ("on_connect", "on_disconnect", "on_event", "on_ping", "_build_static_router_data"):
        if not hasattr(namespace, name):
            raise AttributeError(f"Reflex's event namespace has no {name}. See docs/upgrading.md.")
    return namespace


def _on_connect(rules: Rules, connect: Callable[..., Awaitable[None]], describe: Any) -> Any:
    async def on_connect(number: str, environ: dict[str, Any], auth: Any = None) -> None:
        def headers() -> Mapping[str, str]:
            described: Mapping[str, str] = describe(number, environ)["headers"]
            return described

        await rules.open(number, Handshake(_token(environ), _scope(environ), headers))
        try:
            await connect(number, environ, auth if isinstance(auth, dict) else None)
        except BaseException:
            rules.fail(number)
            raise

    return on_connect


def _on_disconnect(rules: Rules, disconnect: Callable[[str], Any]) -> Any:
    def on_disconnect(number: str, *_reason: Any) -> Any:
        token = _namespace.sid_to_token.get(number)
        is_its = token is not None and connection_of(token) == number
        rules.close(number, token if is_its else None)
        return disconnect(number)

    return on_disconnect


def _on_event(rules: Rules, on_event: Callable[[str, Packet], Awaitable[None]]) -> Any:
    async def admitted(number: str, packet: object = None) -> None:
        event = await rules.admit(number, packet)
        if event is not None:
            await on_event(number, event)

    return admitted


def connection_of(token: str) -> str | None:
    """The number of the connection that a tab has now, as far as this process knows."""
    return _namespace.token_to_sid.get(token) if _namespace is not None else None


def connected_tabs() -> Container[str]:
    tabs: Container[str] = _namespace.token_to_sid
    return tabs


def last_connection(state: BaseState) -> str:
    """The number of the connection that sent the last event of this tab; empty when there was none."""
    return state.router.session.session_id


def is_current(state: BaseState, token: str) -> bool:
    """Whether this state has heard of the connection that its tab has now: it has not when it was lost meanwhile."""
    return bool(state.router_data) and connection_of(token) == last_connection(state)


async def load_again(token: str, route: Mapping[str, Any]) -> None:
    """Have a tab load its page anew. `route`: of its last packet."""
    await _namespace.on_event(_namespace.token_to_sid[token], {NAME: hydrate_event_name(), ROUTE: dict(route)})


def _scope(environ: Mapping[str, Any]) -> Mapping[str, Any]:
    return environ.get("asgi.scope") or {}


def _token(environ: Mapping[str, Any]) -> str | None:
    given = parse_qs(str(environ.get("QUERY_STRING", ""))).get("token", [])
    return given[0] if len(given) == 1 else None
