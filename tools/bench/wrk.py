"""Runs the load generator wrk on a processor core of its own. It sends requests faster than any server here answers."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, CLIENT_CORE = CORES[0], CORES[-1]
"""The same core on a machine that has only one, where the figures mean little."""
SCRIPT = Path(__file__).with_name("replay.lua")


@dataclass(frozen=True)
class Request:
    path: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""

    def line(self) -> str:
        """As `replay.lua` reads it: method, path and headers, and after a tab the body."""
        head = "|".join([f"{self.method} {self.path}", *(f"{name}: {value}" for name, value in self.headers.items())])
        return f"{head}\t{self.body}\n" if self.body else f"{head}\n"


@dataclass(frozen=True)
class Load:
    """What one run of wrk, or of `peers/checkouts.py`, measured."""

    per_second: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    failures: int
    """Answers with a status of 400 or more, and requests without an answer; of checkouts, the orders that failed."""


def run(url: str, requests: Sequence[Request], *, connections: int, seconds: int) -> Load:
    with tempfile.NamedTemporaryFile("w", suffix=".requests") as file:
        file.writelines(request.line() for request in requests)
        file.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(SCRIPT), url]
        done = subprocess.run(
            ["taskset", "-c", str(CLIENT_CORE), *command],
            env={**os.environ, "REQUESTS": file.name},
            capture_output=True,
            text=True,
            check=True,
        )
    measured = json.loads(done.stdout.splitlines()[-1])
    return Load(
        per_second=measured["requests"] / measured["seconds"],
        failures=measured["failures"],
        **{name: measured[name] for name in ("p50_ms", "p95_ms", "p99_ms", "max_ms")},
    )


@contextmanager
def pinned_to(*cores: int) -> Iterator[None]:
    """Processes that are started inside stay on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
