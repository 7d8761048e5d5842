"""Compresses each message of the event socket by itself.

uvicorn remembers earlier messages of a connection to compress the next one. That saves a few bytes, but takes 45 kB of
memory for every open tab. It has no setting that makes it forget them.
"""

from functools import partial
from typing import Any

from uvicorn.protocols.websockets import websockets_sansio_impl

_PROTOCOL: Any = websockets_sansio_impl
PROTOCOL_NAME = "websockets-sansio"
"""The WebSocket implementation of uvicorn that `install` changes."""


def install() -> None:
    """For the connections that this process accepts from now on."""
    make = _PROTOCOL.ServerPerMessageDeflateFactory
    _PROTOCOL.ServerPerMessageDeflateFactory = partial(
        make, server_no_context_takeover=True, client_no_context_takeover=True
    )
