"""Frees the messages to a tab as soon as they are sent.

engine.io's writer of a connection keeps the last packet that it has sent, as data and as text, until the next one. For
an open tab that is usually its list of products, twice.

Relies on the writer taking packets from `AsyncSocket.poll()`, and on it calling nothing but `encode()`, once for each.
"""

from functools import wraps
from typing import Any

from engineio.async_socket import AsyncSocket

_Socket: Any = AsyncSocket


class _Once:
    """A packet that is let go as soon as it is encoded."""

    def __init__(self, packet: Any) -> None:
        self._packet = packet

    def encode(self) -> Any:
        packet, self._packet = self._packet, None
        return packet.encode()


def install() -> None:
    poll = unpatched(_Socket.poll)

    @wraps(poll)
    async def poll_once(socket: Any) -> list[_Once]:
        return [_Once(packet) for packet in await poll(socket)]

    _Socket.poll = poll_once


def unpatched(poll: Any) -> Any:
    """engine.io's own `poll`."""
    return getattr(poll, "__wrapped__", poll)
