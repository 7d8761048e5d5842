"""Calls that are collected on an event loop and run several at a time, in one worker thread."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from anyio import to_thread

C = TypeVar("C")


@dataclass
class _WaitingCall(Generic[C]):
    call: C
    outcome: asyncio.Future[Any]
    since: float = field(default_factory=time.monotonic)


class CallBatches(Generic[C]):
    """Calls that come while a batch runs wait for the next one: the busier the store, the larger the batches."""

    def __init__(self, run_batch: Callable[[Sequence[C]], Sequence[Any]], *, max_size: int, max_wait: float) -> None:
        """`run_batch` returns the results of the calls in their order; an exception among them is raised to the caller
        of that call."""
        self._run_batch, self._max_size, self._max_wait = run_batch, max_size, max_wait
        self._waiting: deque[_WaitingCall[C]] = deque()
        self._runner: asyncio.Task[None] | None = None

    async def run(self, call: C) -> Any:
        """Raises TimeoutError, without running the call, if its turn comes after more than `max_wait` seconds."""
        waiting = _WaitingCall(call, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._runner is None:
            self._runner = asyncio.create_task(self._run())
        return await waiting.outcome

    async def _run(self) -> None:
        try:
            while batch := self._next_batch():
                for each, outcome in zip(batch, await self._outcomes(batch), strict=True):
                    _settle(each.outcome, outcome)
        finally:
            self._runner = None

    def _next_batch(self) -> list[_WaitingCall[C]]:
        """The calls that have waited longest, without those that waited too long or whose caller has gone."""
        batch: list[_WaitingCall[C]] = []
        while self._waiting and len(batch) < self._max_size:
            each = self._waiting.popleft()
            if time.monotonic() - each.since > self._max_wait:
                _settle(each.outcome, TimeoutError())
            elif not each.outcome.done():
                batch.append(each)
        return batch

    async def _outcomes(self, batch: list[_WaitingCall[C]]) -> Sequence[Any]:
        try:
            return await to_thread.run_sync(self._run_batch, [each.call for each in batch])
        except Exception as error:
            return [error] * len(batch)


def _settle(future: asyncio.Future[Any], outcome: Any) -> None:
    if future.done():  # the caller has gone
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
