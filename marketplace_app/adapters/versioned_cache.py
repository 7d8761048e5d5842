"""Caches whose values are valid as long as the version of their data stays the same.

Why: docs/decisions/0006-cached-answers.md.
"""

import asyncio
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet, WeakValueDictionary

from anyio import to_thread
from cachetools import LRUCache

from marketplace_app.errors import Unavailable

T = TypeVar("T")
WAIT_SECONDS = 10.0
"""How long a thread waits for another one that computes the same value."""
_CACHES: "WeakSet[AsyncVersionedCache[Any] | VersionedCache[Any]]" = WeakSet()


def clear_all() -> None:
    """Empty all caches, as in a process that has just started: for tests and benchmarks."""
    for cache in _CACHES:
        cache.clear()


class AsyncVersionedCache(Generic[T]):
    """A cache in this process. The version is read from the database, so changes by other processes count immediately.

    `read_version` and `make` run in worker threads, everything else on the event loop: also `make_on_loop`, which
    therefore must not wait for anything.
    """

    def __init__(
        self,
        read_version: Callable[[], int],
        *,
        max_size: int,
        size_of: Callable[[T], int] = lambda _: 1,
        read_change_mark: Callable[[], int | None] = lambda: None,
    ) -> None:
        """`max_size` bounds the sum of all values' sizes; a value over a sixteenth of it is not stored.

        While `read_change_mark` returns the same number, nothing was written at all, and the version need not be read.
        """
        self._read_version, self._read_change_mark = read_version, read_change_mark
        self._max_size, self._size_of = max_size, size_of
        self._version = -1
        self._mark: int | None = None
        self._values: LRUCache[Hashable, T] = LRUCache(max_size, size_of)
        self._making: dict[tuple[int, Hashable], asyncio.Task[T]] = {}
        self._loading = asyncio.Lock()
        self._next_load: asyncio.Task[tuple[int, int | None]] | None = None
        _CACHES.add(self)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a value is cached; it may be outdated: only `find` checks that."""
        return key in self._values

    async def find(self, key: Hashable) -> T | None:
        """The cached value, if it is not outdated."""
        await self._refresh()
        return self._values.get(key)

    async def get(
        self, key: Hashable, make: Callable[[], T], make_on_loop: Callable[[int], T | None] = lambda _version: None
    ) -> T:
        """The cached value, or a new one, which simultaneous callers share.

        `make_on_loop` is asked first. It takes the version, and returns None if making the value needs a thread.
        """
        if (cached := await self.find(key)) is not None:
            return cached
        if (made := make_on_loop(self._version)) is not None:
            self._store(key, made)
            return made
        wanted = self._version, key
        if wanted not in self._making:
            self._making[wanted] = asyncio.create_task(self._make(key, make))
            self._making[wanted].add_done_callback(lambda _: self._making.pop(wanted))
        return await asyncio.shield(self._making[wanted])

    async def _make(self, key: Hashable, make: Callable[[], T]) -> T:
        version = self._version
        value = await to_thread.run_sync(make)
        if version == self._version:
            self._store(key, value)
        return value

    def _store(self, key: Hashable, value: T) -> None:
        if self._size_of(value) <= self._max_size // 16:
            self._values[key] = value

    async def _refresh(self) -> None:
        """Empty the cache if the version has changed."""
        mark = self._read_change_mark()
        if mark is None or mark != self._mark:
            version, mark = await self._load_version()
            if version != self._version:
                self.clear(version)
            self._mark = mark

    async def _load_version(self) -> tuple[int, int | None]:
        """The version and its change mark.

        Simultaneous callers share one read, which begins after the last of them called: none sees an old version.
        """
        if self._next_load is None:
            self._next_load = asyncio.create_task(self._load_when_free())
        return await asyncio.shield(self._next_load)

    async def _load_when_free(self) -> tuple[int, int | None]:
        async with self._loading:
            self._next_load = None
            mark = self._read_change_mark()  # before the version: a write in between changes the mark
            return await to_thread.run_sync(self._read_version), mark

    def clear(self, version: int = -1) -> None:
        self._version, self._mark = version, None
        self._values.clear()


class VersionedCache(Generic[T]):
    """The last few values, each with the version of its data. For worker threads.

    Threads that ask for a missing value at the same time wait for the first of them: if each computed it, all would
    take as long as their computations together, because of the global interpreter lock.
    """

    def __init__(self, *, max_size: int) -> None:
        self._lock = Lock()
        self._entries: LRUCache[Hashable, tuple[Hashable, T]] = LRUCache(max_size)
        self._computing: WeakValueDictionary[Hashable, _Computation] = WeakValueDictionary()
        _CACHES.add(self)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def find(self, key: Hashable, version: Hashable) -> T | None:
        """The cached value, without waiting for a thread that computes it."""
        with self._lock:
            cached = self._entries.get(key)
        return cached[1] if cached is not None and cached[0] == version else None

    def get(self, key: Hashable, version: Hashable, make: Callable[[], T]) -> T:
        if (cached := self.find(key, version)) is not None:
            return cached
        with self._lock:
            computation = self._computing.setdefault((key, version), _Computation())
        if not computation.lock.acquire(timeout=WAIT_SECONDS):
            raise Unavailable()
        try:
            return self._compute(key, version, make)
        finally:
            computation.lock.release()

    def _compute(self, key: Hashable, version: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            before = self._entries.get(key)
        if before is not None and before[0] == version:
            return before[1]
        value = make()
        with self._lock:
            if self._entries.get(key) is before:  # else another thread has stored a newer one
                self._entries[key] = version, value
        return value


class _Computation:
    """Exists while a thread computes a value or waits for it."""

    def __init__(self) -> None:
        self.lock = Lock()
