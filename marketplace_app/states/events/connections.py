"""The open connections of this process's tabs: the session cookie of each, and which of its packets are passed on.

Reflex finds the state of a tab by a token, which anybody who knows it can send. So the session cookie belongs to the
connection and not to the state: an event is judged by the cookie of the connection that sent it, a push goes only to
the connection that the state knows, and nothing secret is stored with a tab's state.
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import reflex as rx
from socketio.exceptions import ConnectionRefusedError

from marketplace_app.adapters import rates, request_ids
from marketplace_app.auth import cookies
from marketplace_app.auth.ip_addresses import client_address
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.framework import socket
from marketplace_app.framework.events import current_event_id, current_tab_token, is_handled
from marketplace_app.states.events import packets, subscriptions

STORED_HEADERS = ("host", "origin")
"""The handshake's headers that are stored with a tab's state: Reflex needs them to know the URL of a page. It gets no
others."""
NOTICE_INTERVAL_SECONDS = 1.0
"""A tab is told at most this often why its events are not handled."""
KEEP_CLOSED_SECONDS = 30.0
"""How long a closed connection is kept at least: its last events may still be waiting for their handlers."""
logger = logging.getLogger(__name__)


@dataclass
class Connection:
    session_token: str | None
    address: str
    request_id: str = ""
    """The id of the request that opened it. The proxy logs this one only: it does not see single events."""
    referral_code: str = ""
    """Of the referral link that was opened last in this browser."""
    route: dict[str, Any] = field(default_factory=dict)
    """The tab's route, from its last packet."""
    has_logged_drop: bool = False
    """Whether a dropped packet of this connection has been logged."""
    notified_at: float = 0.0
    closed_at: float = 0.0


_OPEN: dict[str, Connection] = {}
"""By socket.io's id of the connection, its `sid`."""
_CLOSED: dict[str, Connection] = {}
"""Those that closed recently, the oldest first. They are removed when another one closes."""


def of_tab(token: str) -> Connection | None:
    """The current connection of a tab's token, if this process has it."""
    sid = socket.connection_of(token)
    return _OPEN.get(sid) if sid else None


def session_token_of(state: rx.State) -> str | None:
    """The session cookie of the connection that sent this event; to be looked up in the database on every use."""
    connection = _sender(state)
    return connection.session_token if connection else None


def referral_code_of(state: rx.State) -> str:
    """The code of the referral link by which the sender of this event came, or nothing."""
    connection = _sender(state)
    return connection.referral_code if connection else ""


def count() -> int:
    return len(_OPEN)


def begin_event(state: rx.State) -> None:
    """Give this event an id of its own, which begins with that of its connection."""
    _set_event_id(_sender(state))


def restore_event_id() -> None:
    """Set a failed event's id again: where Reflex reports the failure, only the tab is known."""
    _set_event_id(of_tab(current_tab_token()))


def _set_event_id(connection: Connection | None) -> None:
    request_ids.begin(f"{connection.request_id}-{current_event_id()}" if connection else "")


def has_no_sender(state: rx.State) -> bool:
    """Whether the tab's connection closed long ago, so that its remaining events are ignored."""
    return bool(socket.last_connection(state)) and _sender(state) is None


def _sender(state: rx.State) -> Connection | None:
    """The connection that sent this event, even if it has just closed: an order that was sent is still placed, although
    nobody receives the answer."""
    sid = socket.last_connection(state)
    return _OPEN.get(sid) or _CLOSED.get(sid)


def install(app: rx.App, too_busy: str, outdated: str) -> None:
    """Check connections and packets before Reflex reads them.

    `too_busy` and `outdated` are names of events: the first is handled in place of an event beyond the rate limit, the
    second in place of an event that has no handler.
    """
    socket.install(app, ConnectionRules(too_busy, outdated))


@dataclass(frozen=True)
class ConnectionRules:
    """The `Rules` of `framework.socket`: who may connect, and which packets are passed on to Reflex."""

    too_busy: str
    outdated: str
    stored_headers = STORED_HEADERS

    async def open(self, sid: str, handshake: socket.Handshake) -> None:
        if not packets.is_tab_token(handshake.token):
            raise ConnectionRefusedError("no tab")
        cookie = handshake.headers().get("cookie")
        address = self.address(handshake.scope)
        connection = Connection(
            session_token=cookies.session_token(cookie),
            address=address,
            request_id=request_ids.of_request(handshake.scope),
            referral_code=cookies.referral_code(cookie),
        )
        if not await _is_within_rate(connection):
            raise ConnectionRefusedError("too many")
        _OPEN[sid] = connection

    def may_replace(self, old_sid: str, sid: str) -> bool:
        old, new = _OPEN.get(old_sid), _OPEN.get(sid)
        return old is None or (new is not None and old.session_token == new.session_token)

    def fail(self, sid: str) -> None:
        _OPEN.pop(sid, None)

    def close(self, sid: str, token: str | None) -> None:
        if token is not None:
            subscriptions.unsubscribe(token)
            subscriptions.set_tab_user(token, None)
        connection, now = _OPEN.pop(sid, None), time.monotonic()
        if connection is not None:
            connection.closed_at = now
            _CLOSED[sid] = connection
        for old in [each for each, closed in _CLOSED.items() if now - closed.closed_at > KEEP_CLOSED_SECONDS]:
            del _CLOSED[old]

    async def admit(self, sid: str, packet: object) -> socket.Packet | None:
        """Count and check a packet, and pass on what is valid. The rest is dropped, logged once per connection.

        The user is told why a valid event is not passed on, at most once a second.
        """
        connection = _OPEN.get(sid)
        if connection is None:
            return None
        is_within_rate, event = await _is_within_rate(connection), packets.validate(packet)
        if event is None:
            self.drop(sid, type(packet))
            return None
        if not (is_known := is_handled(event[socket.NAME])):
            self.drop(sid, event[socket.NAME])
        connection.route = event[socket.ROUTE] or connection.route
        if is_within_rate and is_known:
            return event
        if time.monotonic() - connection.notified_at < NOTICE_INTERVAL_SECONDS:
            return None
        connection.notified_at = time.monotonic()
        answer = self.outdated if is_within_rate else self.too_busy
        return {socket.NAME: answer, socket.PAYLOAD: {}, socket.ROUTE: event[socket.ROUTE]}

    def drop(self, sid: str, what: object) -> None:
        connection = _OPEN.get(sid)
        if connection is not None and not connection.has_logged_drop:
            connection.has_logged_drop = True
            with request_ids.during(connection.request_id):
                logger.warning("dropped a packet that is not an event of the store: %.120r", what)

    def address(self, scope: Mapping[str, Any]) -> str:
        """Found as for REST. Reflex's own value may be wrong: it reads only one line of the proxies' header."""
        return client_address(scope)


async def load_again(token: str) -> None:
    """Have a tab load its page anew: its state was lost, and the browser does not know."""
    connection = of_tab(token)
    if connection is not None and connection.route:
        await socket.load_again(token, connection.route)


async def _is_within_rate(connection: Connection) -> bool:
    try:
        await rates.count_use(get_settings().event_rate, "event", connection.address or "nobody")
    except StoreError:
        return False
    return True
