"""Processes that end together: no part of the store outlives the process that started it, or keeps its port.

When a process ends, the system closes its pipes, and that is how the others notice: after `kill -9` too, on Linux and
macOS alike.
"""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

GRACE_SECONDS = 10
"""How long open requests get to finish; longer than a build takes to stop."""


def end_with_parent() -> None:
    """Shut this worker process down once the process that started it has ended; kill it if that takes too long."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE_SECONDS + 2)
        os._exit(1)

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()


def run(command: Sequence[str], folder: Path, environ: Mapping[str, str] | None = None) -> int:
    """Run a command and, when it has ended, end everything that it started. SIGTERM and Ctrl-C shut it down.

    `environ`: variables for the command, added to the environment of this process.
    """
    guarding, variables = [sys.executable, "-m", __name__, *command], os.environ | (environ or {})
    with (
        _exiting_on_sigterm(),
        subprocess.Popen(guarding, cwd=folder, env=variables, stdin=subprocess.PIPE, process_group=0) as process,
    ):
        try:
            return process.wait()
        finally:
            assert process.stdin
            process.stdin.close()
            with contextlib.suppress(KeyboardInterrupt):
                process.wait()


@contextlib.contextmanager
def _exiting_on_sigterm() -> Iterator[None]:
    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def guard(command: Sequence[str]) -> int:
    """The process in between: runs the command in a process group, and ends the group when its own input is closed."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0)

    def shut_down(*_: object) -> None:
        _end(process.pid, signal.SIGTERM)
        kill = threading.Timer(GRACE_SECONDS, _end, (process.pid, signal.SIGKILL))
        kill.daemon = True
        kill.start()

    def watch() -> None:
        while os.read(0, 1_024):
            pass
        shut_down()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, shut_down)
    threading.Thread(target=watch, daemon=True).start()
    try:
        return process.wait()
    finally:
        _end(process.pid, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        while _is_running(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        _end(process.pid, signal.SIGKILL)


def _end(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _is_running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    raise SystemExit(guard(sys.argv[1:]))
