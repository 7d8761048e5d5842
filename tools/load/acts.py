"""What people did under load: how long each act took, and what went wrong."""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from statistics import quantiles

import httpx

HEADS = ("act", "times", "p50", "p95", "p99")


class Acts:
    """Shared by all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()

    def record_time(self, act: str, seconds: float) -> None:
        with self._lock:
            self._seconds[act].append(seconds)

    def record_error(self, act: str, why: str) -> None:
        with self._lock:
            self.errors[f"{act}: {why}"] += 1

    def request(self, act: str, send: Callable[[], httpx.Response], status: int = 200) -> httpx.Response | None:
        """The answer; None, after noting an error, if it does not have this status or does not come."""
        started = time.perf_counter()
        try:
            answer = send()
        except httpx.TransportError as error:
            self.record_error(act, type(error).__name__)
            return None
        self.record_time(act, time.perf_counter() - started)
        if answer.status_code != status:
            self.record_error(act, f"{answer.status_code} {answer.text[:100]}")
            return None
        return answer

    def rows(self) -> list[tuple[str, ...]]:
        with self._lock:
            return [(act, f"{len(each):,}", *percentiles(each)) for act, each in sorted(self._seconds.items())]


def percentiles(seconds: Sequence[float]) -> tuple[str, str, str]:
    """The 50th, 95th and 99th."""
    cuts = quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else [seconds[0]] * 99
    p50, p95, p99 = (f"{cuts[rank - 1] * 1000:,.0f} ms" for rank in (50, 95, 99))
    return p50, p95, p99
