"""Request one URL on loopback as fast as it answers, from its own process: `python -m tools.bench.load` with a job
on standard input, the figures on standard output. Bounded in time and in connections.
"""

import asyncio
import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

MAX_SECONDS, MAX_CONNECTIONS = 30.0, 64
END_OF_HEADERS = b"\r\n\r\n"


@dataclass(frozen=True)
class Job:
    port: int
    paths: list[str]
    seconds: float
    connections: int = 16
    headers: dict[str, str] = field(default_factory=dict)
    expected: int = 200


@dataclass(frozen=True)
class Result:
    per_second: float
    median_ms: float
    unexpected: int
    """Answers with another status, all of which make the figure worthless."""


def run(job: Job) -> Result:
    """In a process of its own, so that the requests take no time from the caller."""
    command = [sys.executable, "-m", "tools.bench.load"]
    done = subprocess.run(command, input=json.dumps(asdict(job)), capture_output=True, text=True, check=True)
    return Result(**json.loads(done.stdout))


class LoadConnection(asyncio.Protocol):
    """One connection kept open: the next request leaves when the answer is whole."""

    def __init__(self, requests: Iterator[bytes], expected: bytes) -> None:
        self.requests, self.expected = requests, expected
        self.taken: list[float] = []
        self.unexpected = 0
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._ask()

    def _ask(self) -> None:
        self._asked_at = time.perf_counter()
        self.transport.write(next(self.requests))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(END_OF_HEADERS)
        if end < 0 or len(self._buffer) < end + len(END_OF_HEADERS) + _content_length(self._buffer[:end]):
            return
        self.taken.append(time.perf_counter() - self._asked_at)
        self.unexpected += self._buffer[9:12] != self.expected
        self._buffer = b""
        self._ask()


def _content_length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"content-length:")
    return int(rest.split(b"\r\n", 1)[0]) if found else 0


async def _measure(job: Job) -> Result:
    extra = "".join(f"{name}: {value}\r\n" for name, value in job.headers.items())
    requests = itertools.cycle(
        [f"GET {path} HTTP/1.1\r\nHost: localhost:{job.port}\r\n{extra}\r\n".encode() for path in job.paths]
    )
    loop = asyncio.get_running_loop()
    connections = [
        LoadConnection(requests, str(job.expected).encode()) for _ in range(min(job.connections, MAX_CONNECTIONS))
    ]
    began = time.perf_counter()
    for connection in connections:
        await loop.create_connection(lambda connection=connection: connection, "127.0.0.1", job.port)  # type: ignore[misc]
    await asyncio.sleep(min(job.seconds, MAX_SECONDS))
    elapsed = time.perf_counter() - began
    taken = sorted(each for connection in connections for each in connection.taken)
    for connection in connections:
        connection.transport.abort()
    median = taken[len(taken) // 2] * 1000 if taken else float("nan")
    return Result(len(taken) / elapsed, median, sum(connection.unexpected for connection in connections))


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(_measure(Job(**json.load(sys.stdin)))))))
