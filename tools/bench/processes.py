"""All processes of a server together: their memory, and whether they are still busy."""

import time
from contextlib import suppress

import psutil

from tools.bench.servers import Server

IDLE_CPU_SHARE = 0.1
LOOK_SECONDS = 0.5
WAIT_SECONDS = 120


def memory(server: Server) -> int:
    """In bytes. Memory that processes share is counted once."""
    return sum(process.memory_full_info().pss for process in _all(server))


def wait_until_idle(*servers: Server) -> None:
    """A slow server may go on answering requests whose client has left, and would disturb the next measurement."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        before = [_cpu_seconds(server) for server in servers]
        time.sleep(LOOK_SECONDS)
        spent = [_cpu_seconds(server) - earlier for server, earlier in zip(servers, before, strict=True)]
        if max(spent) < IDLE_CPU_SHARE * LOOK_SECONDS:
            return
    raise SystemExit(f"{' or '.join(server.url for server in servers)} does not come to rest.")


def _cpu_seconds(server: Server) -> float:
    spent = 0.0
    for process in _all(server):
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            spent += times.user + times.system
    return spent


def _all(server: Server) -> list[psutil.Process]:
    process = psutil.Process(server.process_id)
    return [process, *process.children(recursive=True)]
