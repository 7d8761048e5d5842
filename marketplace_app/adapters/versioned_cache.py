"""Answers kept for as long as what they were made from stays as it is (docs/decisions/0006)."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from anyio import to_thread

T = TypeVar("T")
_CACHES: "WeakSet[AsyncVersionedCache[Any] | VersionedCache[Any]]" = WeakSet()


def clear_all() -> None:
    """As a process that has just started: for tests and benchmarks."""
    for cache in _CACHES:
        cache.clear()


class AsyncVersionedCache(Generic[T]):
    """One process's. Whether they still hold is asked of the database, so other processes' changes count at once.

    `read_version` and what makes an answer run in worker threads; all else on the event loop, one thing at a time.
    """

    def __init__(
        self,
        read_version: Callable[[], int],
        *,
        max_size: int,
        size_of: Callable[[T], int] = lambda _: 1,
        read_change_mark: Callable[[], int | None] = lambda: None,
    ) -> None:
        """`max_size` bounds the sum of all answers' sizes; an answer over a sixteenth of it is not stored.

        While `read_change_mark` answers the same number, nothing was written at all, and the version need not be read.
        """
        self._read_version_now, self._max_size, self._size_of, self._read_change_mark = (
            read_version,
            max_size,
            size_of,
            read_change_mark,
        )
        self._version = -1
        self._mark: int | None = None
        self._answers: OrderedDict[Hashable, T] = OrderedDict()
        self._size = 0
        self._reading = asyncio.Lock()
        self._next_version: asyncio.Task[tuple[int, int | None]] | None = None
        _CACHES.add(self)

    def __contains__(self, question: Hashable) -> bool:
        """Whether there is an answer to a question, which may no longer hold: `find` tells."""
        return question in self._answers

    async def find(self, question: Hashable) -> T | None:
        """The answer kept for a question."""
        await self._find_version()
        if (cached := self._answers.get(question)) is not None:
            self._answers.move_to_end(question)
        return cached

    async def get(self, question: Hashable, make: Callable[[], T]) -> T:
        """The answer kept for a question, or a new one."""
        if (cached := await self.find(question)) is not None:
            return cached
        version = self._version
        made = await to_thread.run_sync(make)
        if version == self._version and self._size_of(made) <= self._max_size // 16:
            self._store(question, made)
        return made

    async def _find_version(self) -> int:
        """What holds now; answers of another version are forgotten."""
        mark = self._read_change_mark()
        if mark is None or mark != self._mark:
            version, mark = await self._read_version()
            if version != self._version:
                self.clear(version)
            self._mark = mark
        return self._version

    async def _read_version(self) -> tuple[int, int | None]:
        """Those who wait share one reading, which begins after the last of them came: none sees an older one."""
        if self._next_version is None:
            self._next_version = asyncio.create_task(self._read_when_free())
        return await asyncio.shield(self._next_version)

    async def _read_when_free(self) -> tuple[int, int | None]:
        async with self._reading:
            self._next_version = None
            mark = self._read_change_mark()  # before the version: what is written meanwhile makes another mark
            return await to_thread.run_sync(self._read_version_now), mark

    def clear(self, version: int = -1) -> None:
        self._version, self._mark, self._size = version, None, 0
        self._answers.clear()

    def _store(self, question: Hashable, made: T) -> None:
        if question not in self._answers:
            self._answers[question] = made
            self._size += self._size_of(made)
        while self._size > self._max_size:
            self._size -= self._size_of(self._answers.popitem(last=False)[1])


class VersionedCache(Generic[T]):
    """The last few answers, each with the version of its data. For worker threads, which never wait for one another.

    Two that ask at once for a missing answer both compute it.
    """

    def __init__(self, *, max_size: int) -> None:
        self._max_size, self._lock = max_size, Lock()
        self._answers: OrderedDict[Hashable, tuple[Hashable, T]] = OrderedDict()
        _CACHES.add(self)

    def clear(self) -> None:
        with self._lock:
            self._answers.clear()

    def get(self, question: Hashable, version: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            cached = self._answers.get(question)
        if cached is not None and cached[0] == version:
            return cached[1]
        made = make()
        with self._lock:
            self._answers[question] = version, made
            self._answers.move_to_end(question)
            if len(self._answers) > self._max_size:
                self._answers.popitem(last=False)
        return made
