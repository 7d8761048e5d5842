"""Contract with uvicorn: messages of the socket are compressed one by one."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.websockets import websockets_sansio_impl
from websockets.sync.client import connect

from marketplace_app.web import websocket_compression


async def echo(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    # Set to itself, so that it is put back after the test: `install` replaces it.
    factory = websockets_sansio_impl.ServerPerMessageDeflateFactory
    monkeypatch.setattr(websockets_sansio_impl, "ServerPerMessageDeflateFactory", factory)
    websocket_compression.install()
    config = uvicorn.Config(echo, port=0, ws=websocket_compression.PROTOCOL_NAME, lifespan="off", log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_no_compressor_is_kept_between_messages(url: str) -> None:
    with connect(url) as socket:
        assert socket.response is not None
        agreed = socket.response.headers["Sec-WebSocket-Extensions"]
        assert {"server_no_context_takeover", "client_no_context_takeover"} <= {*agreed.replace(" ", "").split(";")}
        for text in ("fern " * 500, "fern " * 500):
            socket.send(text)
            assert socket.recv() == text
