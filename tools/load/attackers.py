"""Two attackers, each in a process and at an address of its own. They stop by themselves.

python -m tools.load.attackers events|sockets URL CERTIFICATE SECONDS COUNT
"""

import asyncio
import json
import ssl
import sys
import time
from contextlib import AsyncExitStack, suppress

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from tests.e2e.wire import STATES
from tools.load.tabs import PING, PONG, send, socket_to

BURST = 100
"""How many events are sent at once, before a pause that keeps the rate."""
EVENTS_ADDRESS, SOCKETS_ADDRESS = "127.0.4.1", "127.0.4.2"
ADD = {
    "name": STATES + "buying___cart____cart_state.add",
    "payload": {"product_id": 1},
    "router_data": {"pathname": "/"},
}
FAILURES = (OSError, TimeoutError, WebSocketException)


async def send_events(url: str, context: ssl.SSLContext, seconds: float, per_second: int) -> dict[str, int]:
    """Send `per_second` events a second, on one connection after the other: the store may close each of them."""
    deadline, sent, connections = time.monotonic() + seconds, 0, 0
    while time.monotonic() < deadline:
        with suppress(*FAILURES):
            async with socket_to(url, context, EVENTS_ADDRESS) as socket:
                connections += 1
                answering = asyncio.create_task(_answer_pings(socket))
                try:
                    while (started := time.monotonic()) < deadline:
                        for _ in range(BURST):
                            await send(socket, ADD)
                        sent += BURST
                        await asyncio.sleep(max(0, BURST / per_second - (time.monotonic() - started)))
                finally:
                    answering.cancel()
        await asyncio.sleep(0.1)
    return {"sent": sent, "connections": connections}


async def hold_sockets(url: str, context: ssl.SSLContext, seconds: float, count: int) -> dict[str, int]:
    """Try to open `count` sockets, each once, and keep the ones that open."""
    deadline, opened, refused = time.monotonic() + seconds, 0, 0
    async with AsyncExitStack() as stack:
        answering = []
        for _ in range(count):
            if time.monotonic() > deadline:
                break
            try:
                socket = await stack.enter_async_context(socket_to(url, context, SOCKETS_ADDRESS))
            except FAILURES:
                refused += 1
                continue
            opened += 1
            answering.append(asyncio.create_task(_answer_pings(socket)))
        await asyncio.sleep(max(0, deadline - time.monotonic()))
        for each in answering:
            each.cancel()
    return {"opened": opened, "refused": refused}


async def _answer_pings(socket: ClientConnection) -> None:
    with suppress(*FAILURES):
        async for message in socket:
            if message == PING:
                await socket.send(PONG)


def main() -> None:
    kind, url, certificate, seconds, count = sys.argv[1:]
    attack = {"events": send_events, "sockets": hold_sockets}[kind]
    context = ssl.create_default_context(cafile=certificate)
    print(json.dumps(asyncio.run(attack(url, context, float(seconds), int(count)))))


if __name__ == "__main__":
    main()
