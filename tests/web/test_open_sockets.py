"""An address and a session hold a limited number of sockets; a refused one may try again."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from marketplace_app.web import open_sockets, websocket_compression
from marketplace_app.web.open_sockets import OpenSockets

HERE, THERE = "127.0.7.1", "127.0.7.2"
Open = Callable[..., AbstractContextManager[ClientConnection]]


async def stay_open(_scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": "here"})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[uvicorn.Server]:
    monkeypatch.setattr(open_sockets, "MAX_SOCKETS_OF_ADDRESS", 3)
    monkeypatch.setattr(open_sockets, "MAX_SOCKETS_OF_SESSION", 2)
    limited = OpenSockets(stay_open)
    config = uvicorn.Config(
        limited,
        port=0,
        ws=websocket_compression.PROTOCOL_NAME,
        lifespan="off",
        log_level="warning",
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server
    server.should_exit = True
    thread.join()
    assert limited._open == {}, "what is closed is forgotten"


@pytest.fixture
def open_socket(server: uvicorn.Server) -> Open:
    url = f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"

    def open_from(address: str, **headers: str) -> AbstractContextManager[ClientConnection]:
        return connect(url, additional_headers=headers, source_address=(address, 0), proxy=None)

    return open_from


def wait_until_accepted(open_socket: Open, address: str) -> None:
    """The server hears of the closed ones a moment later."""
    for _ in range(100):
        try:
            with open_socket(address):
                return
        except InvalidStatus:
            time.sleep(0.05)
    raise AssertionError("refused for ever")


def test_the_socket_beyond_the_limit_of_an_address_is_refused_until_one_closes(open_socket: Open) -> None:
    with ExitStack() as held:
        first = held.enter_context(open_socket(HERE))
        for _ in range(2):
            held.enter_context(open_socket(HERE))
        with pytest.raises(InvalidStatus) as refused, open_socket(HERE):
            pass
        assert refused.value.response.status_code == 429
        assert refused.value.response.headers["Retry-After"] == "5"
        with open_socket(THERE) as of_others:
            of_others.send("still")
            assert of_others.recv() == "here"
        first.close()
        wait_until_accepted(open_socket, HERE)


def test_a_session_is_limited_whatever_addresses_it_comes_from(open_socket: Open) -> None:
    with open_socket(HERE, Cookie="session=a"), open_socket(THERE, Cookie="session=a"):
        with pytest.raises(InvalidStatus), open_socket("127.0.7.3", Cookie="session=a"):
            pass
        with open_socket(HERE, Cookie="session=b"), open_socket(HERE):
            pass


def test_behind_a_proxy_the_clients_own_address_counts(open_socket: Open, configure: Callable[..., None]) -> None:
    configure(TRUSTED_PROXIES="1")
    with ExitStack() as held:
        for number in range(3):
            made_up = f"192.0.2.{number}, 198.51.100.7"
            held.enter_context(open_socket(HERE, **{"X-Forwarded-For": made_up}))
        with pytest.raises(InvalidStatus), open_socket(HERE, **{"X-Forwarded-For": "192.0.2.9, 198.51.100.7"}):
            pass
        with open_socket(HERE, **{"X-Forwarded-For": "198.51.100.8"}):
            pass
