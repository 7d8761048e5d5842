"""The open connections of this process's tabs: who sent the handshake, and what of its packets gets through.

A tab is named by a token, by which Reflex keeps its state, and which anybody may send who knows it. So the session
cookie belongs to the connection and not to the state: an event is judged by the cookie of the connection that sent it,
a push goes only to the connection that the state knows, and nothing secret is stored with a tab's state.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import reflex as rx
from reflex.event import Event
from reflex_base.registry import RegistrationContext
from socketio.exceptions import ConnectionRefusedError

from marketplace_app.adapters import rates
from marketplace_app.auth import cookies
from marketplace_app.auth.addresses import client_address
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.states import packets, subscriptions

KEPT_HEADERS = ("host", "origin")
"""All that Reflex needs, to know a page's address. The rest of a handshake stays out of stored states."""
NOTICE_SECONDS = 1.0
LINGER_SECONDS = 30.0
"""What a tab sent is done within this time after its connection closed."""
logger = logging.getLogger(__name__)


@dataclass
class Connection:
    session_token: str | None
    address: str
    referral_code: str = ""
    """Of the referral link that was opened last in this browser."""
    route: dict[str, Any] = field(default_factory=dict)
    """Where its last packet said the tab was."""
    is_logged: bool = False
    """Whether a packet of it that was dropped has been logged."""
    told_at: float = 0.0
    closed_at: float = 0.0


_OPEN: dict[str, Connection] = {}
"""By Reflex's number of the connection."""
_CLOSED: dict[str, Connection] = {}
"""Those that closed a moment ago, the oldest first."""
_namespace: Any = None


def behind(token: str) -> Connection | None:
    """The connection that a tab's token stands for now, if it is one of this process."""
    number = _namespace.token_to_sid.get(token) if _namespace is not None else None
    return _OPEN.get(number) if number else None


def session_token_of(state: rx.State) -> str | None:
    """The session cookie of the connection that sent this event; to be looked up in the database on every use."""
    connection = _sender(state)
    return connection.session_token if connection else None


def referral_code_of(state: rx.State) -> str:
    """The code of the referral link that led whoever sent this event here, or nothing."""
    connection = _sender(state)
    return connection.referral_code if connection else ""


def is_nobodys(state: rx.State) -> bool:
    """Whether the connection that this tab's state knows is long gone: what was still to be done is nobody's."""
    return bool(state.router.session.session_id) and _sender(state) is None


def is_of(state: rx.State, token: str) -> bool:
    """Whether a tab's state knows the connection that is behind its token now; another one has to say who it is."""
    return bool(state.router_data) and _namespace.token_to_sid.get(token) == state.router.session.session_id


def _sender(state: rx.State) -> Connection | None:
    """Also one that has just closed: an order that was sent is placed, though its answer is lost."""
    number = state.router.session.session_id
    return _OPEN.get(number) or _CLOSED.get(number)


def install(app: rx.App, too_busy: Callable[[], str]) -> None:
    """Stand before Reflex's own reading of the socket. `too_busy` names the event that says so to a person."""
    global _namespace
    namespace: Any = app.event_namespace
    connect, disconnect, on_event = namespace.on_connect, namespace.on_disconnect, namespace.on_event
    describe = namespace._build_static_router_data
    _namespace = namespace

    async def on_connect(number: str, environ: dict[str, Any], auth: Any = None) -> None:
        if not packets.is_tab_token(_token_of(environ)):
            raise ConnectionRefusedError("no tab")
        described = describe(number, environ)
        cookie = described["headers"].get("cookie")
        connection = Connection(cookies.session_token(cookie), _address_of(environ), cookies.referral_code(cookie))
        if not await _is_within_rate(connection):
            raise ConnectionRefusedError("too many")
        _OPEN[number] = connection
        try:
            await connect(number, environ, auth if isinstance(auth, dict) else None)
        except BaseException:
            _OPEN.pop(number, None)
            raise

    def on_disconnect(number: str, *reason: Any) -> Any:
        token = namespace.sid_to_token.get(number)
        if token is not None and namespace.token_to_sid.get(token) == number:
            subscriptions.unsubscribe(token)
            subscriptions.set_owner(token, None)
        _close(number)
        return disconnect(number)

    async def judged(number: str, packet: Any = None) -> None:
        await _pass_on(number, packet, on_event, too_busy)

    def described(number: str, environ: dict[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = describe(number, environ)
        kept = {name: value for name, value in whole["headers"].items() if name in KEPT_HEADERS}
        return whole | {"headers": kept, "ip": _address_of(environ)}

    async def on_ping(_number: str, *_more: Any) -> None:
        """Reflex answers it for tools; no page of ours asks."""

    namespace.on_connect, namespace.on_disconnect, namespace.on_event = on_connect, on_disconnect, judged
    namespace.on_ping = on_ping
    namespace._build_static_router_data = described


async def load_again(token: str) -> None:
    """Have a tab load its page anew: its state was lost, and the browser does not know."""
    connection = behind(token)
    if connection is None or not connection.route:
        return
    hydrate = rx.State.event_handlers["hydrate_and_load"]
    name = f"{rx.State.get_full_name()}.{hydrate.fn.__name__}"
    await _namespace.on_event(_namespace.token_to_sid[token], {"name": name, "router_data": dict(connection.route)})


def _address_of(environ: Mapping[str, Any]) -> str:
    """As for REST: Reflex reads only one line of the proxies'."""
    return client_address(environ.get("asgi.scope") or {})


def _close(number: str) -> None:
    connection, now = _OPEN.pop(number, None), time.monotonic()
    if connection is not None:
        connection.closed_at = now
        _CLOSED[number] = connection
    for old in [each for each, closed in _CLOSED.items() if now - closed.closed_at > LINGER_SECONDS]:
        del _CLOSED[old]


def _token_of(environ: dict[str, Any]) -> str | None:
    given = parse_qs(str(environ.get("QUERY_STRING", ""))).get("token", [])
    return given[0] if len(given) == 1 else None


async def _pass_on(
    number: str, packet: Any, on_event: Callable[[str, Any], Awaitable[None]], too_busy: Callable[[], str]
) -> None:
    """Count a packet, judge it, and hand on what is left. What is wrong is logged once a connection and dropped."""
    connection = _OPEN.get(number)
    if connection is None:
        return
    is_within_rate, event = await _is_within_rate(connection), packets.judge(packet)
    if event is None or event["name"] not in RegistrationContext.get().event_handlers:
        if not connection.is_logged:
            connection.is_logged = True
            logger.warning(
                "dropped a packet that is no event of ours: %.120r", event["name"] if event else type(packet)
            )
        return
    connection.route = event["router_data"] or connection.route
    if not is_within_rate:
        if time.monotonic() - connection.told_at < NOTICE_SECONDS:
            return
        connection.told_at = time.monotonic()
        event = {"name": too_busy(), "payload": {}, "router_data": event["router_data"]}
    await on_event(number, event)


async def _is_within_rate(connection: Connection) -> bool:
    try:
        await rates.spend(get_settings().event_rate, "event", connection.address or "nobody")
    except StoreError:
        return False
    return True


def event_name(event: Any) -> str:
    """The name under which the socket calls a handler."""
    return Event.from_event_type(event)[0].name
