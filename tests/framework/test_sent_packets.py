"""Contract with engine.io: its writer takes packets from `poll`, and nothing else keeps what was sent."""

import asyncio
import weakref
from collections.abc import Iterator

import engineio
import pytest
from engineio.async_socket import AsyncSocket
from engineio.packet import MESSAGE, Packet

from marketplace_app.framework import sent_packets

SENT = ("2[1]", "2[2]")


class Browser:
    """The other end of a connection."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.has_all, self.is_gone = asyncio.Event(), asyncio.Event()

    async def send(self, text: str) -> None:
        self.received.append(text)
        if len(self.received) == len(SENT):
            self.has_all.set()

    async def wait(self) -> None:
        await self.is_gone.wait()

    async def close(self) -> None:
        """Nothing to do."""


@pytest.fixture(params=["as it is", "with ours"])
def is_installed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    monkeypatch.setattr(AsyncSocket, "poll", sent_packets.unpatched(AsyncSocket.poll))
    if request.param == "with ours":
        sent_packets.install()
    yield request.param == "with ours"


def test_a_packet_is_freed_once_it_is_sent(is_installed: bool) -> None:
    async def scenario() -> tuple[list[str], bool]:
        browser, socket = Browser(), AsyncSocket(engineio.AsyncServer(async_mode="asgi"), "sid")
        handling = asyncio.create_task(socket._websocket_handler(browser))
        packets = [Packet(MESSAGE, text) for text in SENT]
        last = weakref.ref(packets[-1])
        for packet in packets:
            await socket.queue.put(packet)
        del packets, packet
        await asyncio.wait_for(browser.has_all.wait(), 5)
        await asyncio.sleep(0)  # the writer waits for the next packet now
        is_kept = last() is not None
        browser.is_gone.set()
        await handling
        return browser.received, is_kept

    received, is_kept = asyncio.run(scenario())
    assert received == [f"{MESSAGE}{text}" for text in SENT]
    assert is_kept != is_installed
