"""Lets through only packets of a known kind and size, with an event that a page sends. Others are dropped; one that is
malformed or too large becomes an event without data first.

python-socketio dispatches whatever event a client names, also `connect` with an environment that the client wrote
itself; it keeps any number of binary attachments until a packet is complete; and it raises, with a traceback in the
log, on a message that is no packet.

Relies on `packet_class` and `_handle_event` of its server being looked up at each message, on its manager's
`sid_from_eio_sid`, and on a packet's `decode`, `add_attachment`, `attachments`, `packet_type`, `data` and `id`.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from socketio import packet

ALLOWED_KINDS = (packet.CONNECT, packet.DISCONNECT, packet.EVENT, packet.BINARY_EVENT)
"""Without acknowledgements: the server asks for none, so a browser sends none."""
ALLOWED_EVENTS = ("event", "client_error")
"""All that a page sends: an event of a state, and an error in the browser."""
MAX_ATTACHMENTS = 4
"""A browser sends the files that were chosen in a form as attachments, although no form of ours reads them."""
MAX_ATTACHED_BYTES = 64 * 1024


def install(server: Any, namespace: str, on_drop: Callable[[str], None]) -> None:
    """`on_drop` is called with the sid of a connection whose packet was dropped, since no page sends such a packet."""
    for name in ("packet_class", "_handle_event"):
        if not hasattr(server, name):
            raise AttributeError(f"python-socketio's server has no {name}. See docs/upgrading.md.")
    handle = server._handle_event

    async def handle_allowed(transport: str, to: str | None, id: Any, data: Any) -> None:
        sid = server.manager.sid_from_eio_sid(transport, namespace)
        if is_allowed(data):
            await handle(transport, to, id, data)
        elif sid:
            on_drop(sid)

    server._handle_event = handle_allowed
    server.packet_class = _bounded(server.packet_class)


def is_allowed(data: object) -> bool:
    return isinstance(data, list) and len(data) == 2 and data[0] in ALLOWED_EVENTS


def _bounded(base: type[packet.Packet]) -> type[packet.Packet]:
    """A packet class that turns a malformed or too large packet into an event without data."""

    class BoundedPacket(base):  # type: ignore[misc, valid-type]
        def decode(self, encoded_packet: Any) -> int:
            with suppress(Exception):  # of any kind, because the message may be anything
                count: int = super().decode(encoded_packet)
                if self.packet_type in ALLOWED_KINDS and count <= MAX_ATTACHMENTS:
                    return count
            self._empty(packet.EVENT)
            return 0

        def add_attachment(self, attachment: Any) -> bool:
            try:
                is_complete: bool = super().add_attachment(attachment)
            except Exception:  # the packet has no place for it
                self._empty(packet.BINARY_EVENT)
                return True
            if sum(len(each) for each in self.attachments) > MAX_ATTACHED_BYTES:
                self._empty(packet.BINARY_EVENT)
                return True
            return is_complete

        def _empty(self, kind: int) -> None:
            self.packet_type, self.data, self.id = kind, None, None
            self.attachments.clear()

    return BoundedPacket
