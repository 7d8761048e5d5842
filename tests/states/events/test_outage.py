"""Tabs recover by themselves after an outage of Redis."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex_base.event.context import EventContext

from marketplace_app.adapters import rates
from marketplace_app.states import unexpected
from marketplace_app.states.events import connections, outage


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The tabs that were asked to load again."""
    tokens: list[str] = []

    async def load_again(token: str) -> None:
        tokens.append(token)

    monkeypatch.setattr(connections, "load_again", load_again)
    monkeypatch.setattr(outage, "RETRY_SECONDS", 0.0)
    yield tokens
    outage._waiting.clear()


async def until_nobody_waits() -> None:
    assert outage._task is not None
    await asyncio.wait_for(outage._task, 5)


def test_tabs_that_lost_events_load_once_when_redis_is_back(loaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([False, False, True])
    monkeypatch.setattr(rates, "is_redis_up", lambda: next(answers))

    async def scenario() -> None:
        for token in ("one", "two", "one"):
            outage.reload_when_over(token)
        await until_nobody_waits()

    asyncio.run(scenario())
    assert sorted(loaded) == ["one", "two"]
    assert list(answers) == []


def test_a_tab_that_fails_to_load_does_not_stop_the_others(loaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    remember = connections.load_again

    async def load_again(token: str) -> None:
        await remember(token)
        raise RedisConnectionError

    monkeypatch.setattr(connections, "load_again", load_again)

    async def scenario() -> None:
        outage.reload_when_over("one")
        outage.reload_when_over("two")
        await until_nobody_waits()

    asyncio.run(scenario())
    assert sorted(loaded) == ["one", "two"]


def test_an_event_lost_to_redis_is_not_answered_by_another_that_is_lost_too(
    loaded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EventContext, "get", lambda: SimpleNamespace(token="one"))

    async def scenario() -> None:
        assert unexpected.on_unexpected_failure(RedisConnectionError()) is None
        await until_nobody_waits()

    asyncio.run(scenario())
    assert loaded == ["one"]
