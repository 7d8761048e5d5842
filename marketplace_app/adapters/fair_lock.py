"""A lock that is handed over in the order in which it was asked for."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class LockTimeout(TimeoutError):
    """The lock was not free in time."""


class FairLock:
    """Among the threads of one process. The standard library's lock wakes any waiter, so that some wait for long."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._is_held = False
        self._waiting: deque[Lock] = deque()
        """One closed lock a waiter, who is let through when it is opened."""

    @contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Raises LockTimeout if the lock could not be had within `timeout` seconds."""
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
        return True  # it was handed over at the last moment

    def _release(self) -> None:
        """The lock stays held if somebody waits: nobody who comes now can be quicker."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False
