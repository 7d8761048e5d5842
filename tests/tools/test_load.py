"""What `make load` asks of the store, and what it computes from what it saw."""

import asyncio
import ssl
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from marketplace_app.schemas.base import parse_params
from marketplace_app.schemas.products.products import ProductQuery
from tools.faults.outcomes import Outcome
from tools.load import tabs
from tools.load.__main__ import Result
from tools.load.acts import Acts, percentiles
from tools.load.people import SEARCHES, People
from tools.load.watching import described


def test_percentiles_are_the_50th_95th_and_99th() -> None:
    assert percentiles([number / 1000 for number in range(101)]) == ("50 ms", "95 ms", "99 ms")
    assert percentiles([0.02]) == ("20 ms",) * 3


def test_memory_that_grows_has_a_slope_and_the_warm_up_does_not_count() -> None:
    samples = [(0.0, 50.0), (0.5, 100.0), *((minute, 200.0 + 3 * minute) for minute in (1.0, 2.0, 3.0))]
    assert described(samples, warm_up_minutes=1) == ("203 MB", "209 MB", "+3.00 MB a minute")
    assert described(samples[:3], warm_up_minutes=1)[2] == "too few samples"


@pytest.mark.parametrize("answer", [httpx.Response(503, text="busy"), None])
def test_an_unexpected_status_and_a_lost_connection_are_errors(answer: httpx.Response | None) -> None:
    def send() -> httpx.Response:
        if answer is None:
            raise httpx.ReadError("gone")
        return answer

    acts = Acts()
    assert acts.request("ordering", send, 201) is None
    assert dict(acts.errors) == {"ordering: ReadError" if answer is None else "ordering: 503 busy": 1}


def test_good_figures_without_an_attack_are_a_bad_result() -> None:
    outcome = Outcome("load", acknowledged=9, lost=0, doubled=0, wrong=0)

    def result(*, is_attacked: bool) -> Result:
        return Result("", outcome, errors={}, is_flooded=False, is_attacked=is_attacked)

    assert not result(is_attacked=True).is_bad
    assert result(is_attacked=False).is_bad


def test_the_store_recognizes_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of products ignores unknown parameters: with another name, lists without a search would be measured."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200)

    shoppers: Any = object.__new__(People)
    shoppers._acts = Acts()
    client = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://store.test")
    monkeypatch.setattr("tools.load.people.random.randrange", lambda _end: 2)  # the third of four acts: a search
    shoppers._browse(SimpleNamespace(client=client))
    assert parse_params(ProductQuery, dict(asked[0].url.params)).search in SEARCHES


def test_a_connection_without_a_handshake_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []

    class Connecting:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        async def __aenter__(self) -> "Connecting":
            events.append("open")
            return self

        async def __aexit__(self, *_: Any) -> None:
            events.append("closed")

        async def recv(self) -> str:
            raise TimeoutError

    async def open_one() -> None:
        async with tabs.socket_to("https://store.test", ssl.create_default_context(), "127.0.0.1"):
            events.append("used")

    monkeypatch.setattr(tabs, "connect", Connecting)
    with pytest.raises(TimeoutError):
        asyncio.run(open_one())
    assert events == ["open", "closed"]
