"""Orders placed as a storefront places them, with several requests each. Every shopper has a thread."""

import random
import threading
import time
from collections.abc import Callable

import httpx

from tools.bench.wrk import CLIENT_CORE, Load, pinned_to

CheckOut = Callable[[httpx.Client, random.Random], None]
"""Places an order, or raises."""
TIMEOUT_SECONDS = 60


def run(url: str, check_out: CheckOut, *, connections: int, seconds: float, seed: int = 0) -> Load:
    """Each thread places one order after another until `seconds` have passed, and finishes its last one. Latencies
    include orders that failed; the rate does not."""
    latencies_ms: list[float] = []
    failures: list[Exception] = []
    began = time.perf_counter()

    def place_orders(number: int) -> None:
        rng = random.Random(f"{seed} {number}")
        with httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS) as client:
            while time.perf_counter() < began + seconds:
                started = time.perf_counter()
                try:
                    check_out(client, rng)
                except (httpx.HTTPError, AssertionError, LookupError, TypeError, ValueError) as failure:
                    failures.append(failure)
                latencies_ms.append((time.perf_counter() - started) * 1000)

    with pinned_to(CLIENT_CORE):
        threads = [threading.Thread(target=place_orders, args=(number,)) for number in range(connections)]
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    if failures:
        print(f"{len(failures)} orders failed, the first with {failures[0]!r}", flush=True)
    return _load(sorted(latencies_ms), len(failures), time.perf_counter() - began)


def _load(sorted_ms: list[float], failures: int, seconds: float) -> Load:
    def quantile(share: float) -> float:
        return sorted_ms[min(len(sorted_ms) - 1, int(len(sorted_ms) * share))]

    placed = len(sorted_ms) - failures
    return Load(placed / seconds, quantile(0.5), quantile(0.95), quantile(0.99), sorted_ms[-1], failures)
