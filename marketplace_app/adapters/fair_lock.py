"""A lock that threads get in the order in which they asked for it (FIFO)."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class LockTimeout(TimeoutError):
    """The lock was not free in time."""


class FairLock:
    """For the threads of one process. The standard library's lock wakes any waiter, so some may wait very long."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._is_held = False
        self._waiting: deque[Lock] = deque()
        """One lock per waiting thread, held until it is that thread's turn."""

    @contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Raises LockTimeout if the lock could not be acquired within `timeout` seconds."""
        if not self._acquire(timeout):
            raise LockTimeout
        try:
            yield
        finally:
            self._release()

    def _acquire(self, timeout: float) -> bool:
        with self._guard:
            if not self._is_held:
                self._is_held = True
                return True
            turn = Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=timeout):
            return True
        with self._guard:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True  # it was handed over just after the timeout

    def _release(self) -> None:
        """If a thread waits, the lock stays held and becomes that thread's: one that asks now cannot overtake it."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False
