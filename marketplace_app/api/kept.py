"""Answers of the public catalogue, kept for as long as the catalogue stays as it is (docs/decisions/0006)."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from marketplace_app.auth import acting
from marketplace_app.services import products

MAX_BYTES = 16 * 1024 * 1024
MAX_ANSWER_BYTES = 256 * 1024


@dataclass(frozen=True)
class Kept:
    body: bytes
    headers: dict[str, str]


class KeptAnswers:
    """One process's. Whether they still hold is asked of the database, so other processes' changes count at once.

    Everything but reading the database happens on the event loop, one thing at a time.
    """

    def __init__(self) -> None:
        self._version = -1
        self._answers: OrderedDict[str, Kept] = OrderedDict()
        self._bytes = 0
        self._reading = asyncio.Lock()
        self._next_version: asyncio.Task[int] | None = None

    async def get(self, address: str, make: Callable[[], Kept]) -> Kept:
        """The answer kept for an address, or a new one, made in a worker thread."""
        version = await self._read_version()
        if version != self._version:
            self._forget(version)
        if (kept := self._answers.get(address)) is not None:
            self._answers.move_to_end(address)
            return kept
        made = await run_in_threadpool(make)
        if version == self._version and _size(address, made) <= MAX_ANSWER_BYTES:
            self._keep(address, made)
        return made

    async def _read_version(self) -> int:
        """Requests that wait share one reading, which begins after the last of them came: none sees an older one."""
        if self._next_version is None:
            self._next_version = asyncio.create_task(self._read_when_free())
        return await asyncio.shield(self._next_version)

    async def _read_when_free(self) -> int:
        async with self._reading:
            self._next_version = None
            return await run_in_threadpool(acting.read, None, products.version)

    def _forget(self, version: int) -> None:
        self._version, self._bytes = version, 0
        self._answers.clear()

    def _keep(self, address: str, made: Kept) -> None:
        if address not in self._answers:
            self._answers[address] = made
            self._bytes += _size(address, made)
        while self._bytes > MAX_BYTES:
            self._bytes -= _size(*self._answers.popitem(last=False))


def _size(address: str, made: Kept) -> int:
    return len(address) + len(made.body)
