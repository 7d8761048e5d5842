"""Limits hold, with Redis and while it is away."""

import asyncio
import socket
from collections.abc import Callable

import pytest

from marketplace_app.adapters import rates
from marketplace_app.errors import TooManyRequests

Configure = Callable[..., None]


def spend(times: int, rate: str = "2/minute") -> list[int]:
    """Seconds to wait, for each that was refused."""

    async def each() -> list[int]:
        refused = []
        for _ in range(times):
            try:
                await rates.spend(rate, "test", "somebody")
            except TooManyRequests as error:
                refused.append(error.retry_after_seconds)
        return refused

    return asyncio.run(each())


def test_what_is_beyond_a_rate_is_refused(configure: Configure) -> None:
    configure(REDIS_URL="")
    assert len(spend(5)) == 3


def test_limits_hold_in_the_process_while_redis_is_away(configure: Configure, caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = free.getsockname()[1]
    configure(REDIS_URL=f"redis://127.0.0.1:{nobody}/0")
    assert len(spend(5)) == 3
    assert len(caplog.records) == 1


def test_a_clock_that_was_set_back_makes_nobody_wait_longer_than_the_window(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(REDIS_URL="")
    spend(3)
    an_hour_ago = rates.time.time() - 3_600
    monkeypatch.setattr(rates.time, "time", lambda: an_hour_ago)
    assert spend(1) == [60]
