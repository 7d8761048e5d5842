"""What the store's processes and its database do during `make load`."""

import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from statistics import linear_regression

import psutil
from sqlalchemy import Engine, text

from tools.cluster.control import Cluster

STORES = ("store-1", "store-2")
EVERY_SECONDS = 2.0
MEGABYTE = 1_000_000
LOCK_WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted"
UNSENT = "SELECT count(*) FROM outbox WHERE sent_at IS NULL"
HEADS = ("worker", "memory after the warm-up", "at the end", "slope")


class Watch:
    """Memory of each worker over time, and the most lock waits that were seen at once."""

    def __init__(self, cluster: Cluster, engine: Engine) -> None:
        self._workers = {f"{name} {each.pid}": each for name in STORES for each in cluster.workers(name)}
        self._engine, self._ending = engine, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._started = 0.0
        self.samples: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
        """By worker: minutes since the start, and megabytes."""
        self.most_lock_waits = 0

    def begin(self) -> None:
        self._started = time.monotonic()
        self._thread.start()

    def end(self) -> None:
        self._ending.set()
        self._thread.join()

    @property
    def gone(self) -> list[str]:
        return [name for name, each in self._workers.items() if not each.is_running()]

    def rows(self, warm_up_minutes: float) -> list[tuple[str, ...]]:
        return [
            (f"{name.split()[0]}, worker {number}", *described(self.samples[name], warm_up_minutes))
            for number, name in enumerate(self._workers, 1)
        ]

    def _watch(self) -> None:
        while not self._ending.wait(EVERY_SECONDS):
            minutes = (time.monotonic() - self._started) / 60
            for name, process in self._workers.items():
                with suppress(psutil.NoSuchProcess):
                    self.samples[name].append((minutes, process.memory_info().rss / MEGABYTE))
            self.most_lock_waits = max(self.most_lock_waits, count(self._engine, LOCK_WAITS))


def described(samples: Sequence[tuple[float, float]], warm_up_minutes: float) -> tuple[str, str, str]:
    warm = [each for each in samples if each[0] >= warm_up_minutes]
    if len(warm) < 2:
        return ("", "", "too few samples")
    slope = linear_regression(*zip(*warm, strict=True)).slope
    return (f"{warm[0][1]:,.0f} MB", f"{warm[-1][1]:,.0f} MB", f"{slope:+.2f} MB a minute")


def count(engine: Engine, query: str) -> int:
    with engine.connect() as connection:
        return int(connection.execute(text(query)).scalar_one())
