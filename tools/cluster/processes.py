"""Programs in the background, each with a log and a PID file."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

STOP_WITHIN_SECONDS = 30
READY_WITHIN_SECONDS = 300


@dataclass(frozen=True)
class Program:
    name: str
    folder: Path
    """Where the log and the PID file are."""

    @property
    def log(self) -> Path:
        return self.folder / "logs" / f"{self.name}.log"

    def process(self) -> psutil.Process | None:
        """The process, if it is running. A PID that now belongs to another program is recognized by its start time."""
        try:
            pid, started = self._pid_file.read_text().split()
            process = psutil.Process(int(pid))
        except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
            return None
        return process if f"{process.create_time():.2f}" == started and _is_alive(process) else None

    def start(self, command: Sequence[str], settings: Mapping[str, str], *, cwd: Path) -> psutil.Process:
        """Start it, unless it is already running; returns the process."""
        if (running := self.process()) is not None:
            return running
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("a") as log:
            started = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, **settings},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        process = psutil.Process(started.pid)
        self._pid_file.write_text(f"{process.pid} {process.create_time():.2f}")
        return process

    def stop(self) -> None:
        """With SIGTERM, so that requests in progress are answered; with SIGKILL after half a minute."""
        if (process := self.process()) is not None:
            for each in (signal.SIGTERM, signal.SIGKILL):
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(each)
                if not _outlives(process, STOP_WITHIN_SECONDS):
                    break
        self._pid_file.unlink(missing_ok=True)

    @property
    def _pid_file(self) -> Path:
        return self.folder / f"{self.name}.pid"


def wait_until_ready(url: str, program: Program) -> None:
    """Certificates are not verified: on the very first start, their certificate authority does not exist yet."""
    deadline = time.monotonic() + READY_WITHIN_SECONDS
    with httpx.Client(verify=False) as client:
        while program.process() is not None and (left := deadline - time.monotonic()) > 0:
            with suppress(httpx.TransportError):
                if client.get(f"{url}/readyz", timeout=min(left, 5)).status_code == 200:
                    return
            time.sleep(0.2)
    what = "has ended" if program.process() is None else "does not answer"
    raise SystemExit(f"{program.name} {what}. Its log: {program.log}")


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it ended between the two calls
        return False


def _outlives(process: psutil.Process, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(ChildProcessError):
            os.waitpid(process.pid, os.WNOHANG)
        if not _is_alive(process):
            return False
        time.sleep(0.1)
    return True
