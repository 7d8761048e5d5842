"""The lock around SQLite's writers."""

import threading
import time

import pytest

from marketplace_app.adapters.fair_lock import FairLock, LockTimeout

TIMEOUT = 5.0


def _wait_for_waiters(lock: FairLock, count: int) -> None:
    deadline = time.monotonic() + TIMEOUT
    while len(lock._waiting) < count:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_waiters_get_it_in_the_order_in_which_they_asked() -> None:
    lock, order = FairLock(), []

    def take(number: int) -> None:
        with lock.held(TIMEOUT):
            order.append(number)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(20)]
    with lock.held(TIMEOUT):
        for number, thread in enumerate(threads):
            thread.start()
            _wait_for_waiters(lock, number + 1)
    for thread in threads:
        thread.join()
    assert order == list(range(20))


def test_only_one_thread_holds_it() -> None:
    lock, held, most = FairLock(), 0, 0

    def take() -> None:
        nonlocal held, most
        for _ in range(50):
            with lock.held(TIMEOUT):
                held += 1
                most = max(most, held)
                time.sleep(0)
                held -= 1

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_waiter_that_gives_up_is_passed_over() -> None:
    lock, gave_up, came = FairLock(), threading.Event(), threading.Event()

    def give_up() -> None:
        with pytest.raises(LockTimeout), lock.held(0.01):
            pass
        gave_up.set()

    def come() -> None:
        with lock.held(TIMEOUT):
            came.set()

    with lock.held(TIMEOUT):
        threading.Thread(target=give_up).start()
        assert gave_up.wait(TIMEOUT)
        threading.Thread(target=come).start()
        _wait_for_waiters(lock, 1)
    assert came.wait(TIMEOUT)


def test_an_exception_gives_it_back() -> None:
    lock = FairLock()
    with pytest.raises(ValueError, match="inside"), lock.held(TIMEOUT):
        raise ValueError("inside")
    with lock.held(0):
        pass
