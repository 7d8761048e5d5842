"""Tabs that stay open and hear of changes, all in one thread."""

import asyncio
import json
import random
import ssl
import threading
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tests.e2e.wire import STATES, hydrate
from tools.cluster.control import Cluster
from tools.load.acts import Acts

LOAD_CART = STATES + "buying___cart____cart_state.load"
CART_COUNT = '"count_rx_state_"'
PING, PONG = "2", "3"
"""Packets of Engine.IO."""
REOPEN_SECONDS = 1
OPENED_A_SECOND = 20
LATE_SECONDS = 20
SETTLED_AFTER_SECONDS = 5


class OpenTab:
    def __init__(self, cookie: str, address: str) -> None:
        self.cookie, self.address = cookie, address
        self.opened_at: float | None = None
        self._heard = threading.Event()

    @property
    def is_settled(self) -> bool:
        """Whether its page has had the time to load and to subscribe to changes."""
        opened_at = self.opened_at
        return opened_at is not None and time.perf_counter() - opened_at > SETTLED_AFTER_SECONDS

    def expect_change(self) -> None:
        self._heard.clear()

    def hear(self) -> None:
        self._heard.set()

    def wait_for_change(self) -> bool:
        """Whether the tab hears of the expected change in time."""
        return self._heard.wait(LATE_SECONDS)


class Tabs:
    def __init__(self, cluster: Cluster, acts: Acts, tabs: Sequence[OpenTab]) -> None:
        self._cluster, self._acts, self.tabs = cluster, acts, tabs
        self._context = cluster.ssl_context()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=[self._run_all()])
        self._ending = asyncio.Event()  # used in that thread alone

    def open(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()
        self._loop.close()

    async def _run_all(self) -> None:
        running = [
            asyncio.create_task(self._keep_open(each, number / OPENED_A_SECOND))
            for number, each in enumerate(self.tabs)
        ]
        await self._ending.wait()
        for each in running:
            each.cancel()
        for result in await asyncio.gather(*running, return_exceptions=True):
            if isinstance(result, Exception):
                self._acts.record_error("a tab's task", repr(result))

    async def _keep_open(self, tab: OpenTab, delay: float) -> None:
        await asyncio.sleep(delay)
        while True:
            try:
                await self._connect_and_listen(tab)
                self._acts.record_error("an open tab's connection", "closed by the store")
            except (OSError, WebSocketException, TimeoutError) as error:
                self._acts.record_error("an open tab's connection", f"{type(error).__name__} {error}"[:100])
            tab.opened_at = None
            await asyncio.sleep(REOPEN_SECONDS + random.random())

    async def _connect_and_listen(self, tab: OpenTab) -> None:
        started = time.perf_counter()
        async with socket_to(self._cluster.url, self._context, tab.address, tab.cookie) as socket:
            await send(socket, hydrate())
            await send(socket, {**hydrate(), "name": LOAD_CART, "payload": {}})
            async for message in socket:
                if message == PING:
                    await socket.send(PONG)
                elif isinstance(message, str) and message.startswith("42/_event,"):
                    if tab.opened_at is None:
                        self._acts.record_time("a tab opens", time.perf_counter() - started)
                        tab.opened_at = time.perf_counter()
                    if CART_COUNT in message:
                        tab.hear()


@asynccontextmanager
async def socket_to(
    url: str, context: ssl.SSLContext, address: str, cookie: str = ""
) -> AsyncIterator[ClientConnection]:
    """The connection of one tab from this address, after its handshake."""
    connecting = connect(
        f"wss://{url.removeprefix('https://')}/_event/?EIO=4&transport=websocket&token={uuid.uuid4()}",
        ssl=context,
        local_addr=(address, 0),
        additional_headers={"Cookie": f"__Host-session={cookie}"} if cookie else {},
        origin=Origin(url),
        max_size=2**22,
        open_timeout=30,
        ping_interval=None,
        proxy=None,
    )
    async with connecting as socket:
        await asyncio.wait_for(socket.recv(), 30)
        await socket.send("40/_event,")
        await asyncio.wait_for(socket.recv(), 30)
        yield socket


async def send(socket: ClientConnection, event: Mapping[str, object]) -> None:
    await socket.send("42/_event," + json.dumps(["event", event]))
