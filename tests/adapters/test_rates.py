"""Limits hold with Redis and while Redis is down."""

import asyncio
import socket
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from redis.exceptions import ConnectionError as RedisConnectionError

from marketplace_app.adapters import rates
from marketplace_app.errors import TooManyRequests, Unavailable

Configure = Callable[..., None]


def count_uses(times: int, rate: str = "2/minute") -> list[int]:
    """Seconds to wait, for each that was refused."""

    async def each() -> list[int]:
        refused = []
        for _ in range(times):
            try:
                await rates.count_use(rate, "test", "somebody")
            except TooManyRequests as error:
                refused.append(error.retry_after_seconds)
        return refused

    return asyncio.run(each())


def test_calls_above_a_rate_are_refused(configure: Configure) -> None:
    configure(REDIS_URL="")
    assert len(count_uses(5)) == 3


def test_limits_hold_in_the_process_while_redis_is_away(configure: Configure, caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        unused_port = free.getsockname()[1]
    configure(REDIS_URL=f"redis://127.0.0.1:{unused_port}/0")
    assert len(count_uses(5)) == 3
    assert len(caplog.records) == 1


@pytest.mark.attack("a clock set back")
def test_a_clock_set_back_does_not_extend_the_wait(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(REDIS_URL="")
    count_uses(3)
    an_hour_ago = rates.time.time() - 3_600
    monkeypatch.setattr(rates.time, "time", lambda: an_hour_ago)
    assert count_uses(3) == [60], "the window begun before the clock was set back is dropped; a new one lasts a minute"


def test_only_one_request_at_a_time_waits_for_redis(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(REDIS_URL="redis://127.0.0.1:1/0")
    monkeypatch.setattr(rates, "RETRY_SECONDS", 0.2)
    tries: list[str] = []

    async def hangs(*_: object) -> bool:
        tries.append("try")
        await asyncio.sleep(0.05)
        raise RedisConnectionError

    async def scenario() -> None:
        limiter = rates._limiter()
        assert limiter.shared is not None
        monkeypatch.setattr(limiter.shared, "hit", hangs)
        await rates.count_use("100/minute", "test", "somebody")
        limiter.retry_at = 0.0
        await asyncio.gather(*[rates.count_use("100/minute", "test", "somebody") for _ in range(20)])

    asyncio.run(scenario())
    assert tries == ["try", "try"]


def test_any_other_failure_of_redis_is_a_503(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> None:
        raise RedisConnectionError

    monkeypatch.setattr(rates, "count_use", fails)
    answer = client.get("/api/products")
    assert (answer.status_code, answer.json()) == (503, {"message": Unavailable.message, "code": "unavailable"})
