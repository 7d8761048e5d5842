"""Calls that are run several at a time."""

import asyncio
import time
from collections.abc import Sequence

import pytest

from marketplace_app.adapters.call_batches import CallBatches


def test_calls_that_come_while_a_batch_runs_are_the_next_one() -> None:
    sizes: list[int] = []

    def run(calls: Sequence[int]) -> list[int]:
        sizes.append(len(calls))
        time.sleep(0.05)
        return [-call for call in calls]

    async def scene() -> list[int]:
        batches: CallBatches[int] = CallBatches(run, max_size=3, max_wait=10)
        first = asyncio.create_task(batches.run(0))
        await asyncio.sleep(0.01)
        later = [batches.run(number) for number in range(1, 6)]
        return [await first, *await asyncio.gather(*later)]

    assert asyncio.run(scene()) == [0, -1, -2, -3, -4, -5]
    assert sizes == [1, 3, 2]


def test_each_caller_gets_its_own_exception() -> None:
    async def scene() -> None:
        batches: CallBatches[int] = CallBatches(
            lambda calls: [KeyError(call) for call in calls], max_size=3, max_wait=10
        )
        raised = await asyncio.gather(*(batches.run(number) for number in range(3)), return_exceptions=True)
        assert [(type(error), error.args) for error in raised] == [(KeyError, (number,)) for number in range(3)]

    asyncio.run(scene())


def test_a_batch_that_fails_as_a_whole_fails_for_all_and_the_next_one_runs() -> None:
    failures = [OSError("disk")]

    def run(calls: Sequence[int]) -> Sequence[int]:
        if failures:
            raise failures.pop()
        return calls

    async def scene() -> None:
        batches: CallBatches[int] = CallBatches(run, max_size=2, max_wait=10)
        answers = await asyncio.gather(*(batches.run(number) for number in range(4)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [OSError, OSError, int, int]
        assert await batches.run(4) == 4

    asyncio.run(scene())


def test_a_call_that_has_waited_too_long_is_not_run() -> None:
    seen: list[int] = []

    def run(calls: Sequence[int]) -> Sequence[int]:
        seen.extend(calls)
        time.sleep(0.1)
        return calls

    async def scene() -> None:
        batches: CallBatches[int] = CallBatches(run, max_size=2, max_wait=0.05)
        first = asyncio.create_task(batches.run(1))
        await asyncio.sleep(0.01)
        with pytest.raises(TimeoutError):
            await batches.run(2)
        assert await first == 1

    asyncio.run(scene())
    assert seen == [1]
