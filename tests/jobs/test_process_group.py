"""Child processes end with their parent, however it ends: their port is free again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import httpx
import pytest

from tests.conftest import free_port
from tests.databases import ROOT

pytestmark = pytest.mark.slow

WITHIN_SECONDS = 20
LISTENS = (
    "import sys; from http.server import BaseHTTPRequestHandler, HTTPServer;"
    "HTTPServer(('127.0.0.1', int(sys.argv[1])), BaseHTTPRequestHandler).serve_forever()"
)
STARTS_ONE_THAT_LISTENS = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {LISTENS!r}, sys.argv[1]])
time.sleep(float(sys.argv[2]))
sys.exit(7)
"""
RUNS_IT = f"""
import sys
from pathlib import Path
from marketplace_app.jobs import process_group
sys.exit(process_group.run([sys.executable, "-c", {STARTS_ONE_THAT_LISTENS!r}, *sys.argv[1:]], Path.cwd()))
"""
IGNORES_SIGTERM = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {LISTENS}"
GUARDS_ONE_THAT_IGNORES_SIGTERM = f"""
import os, sys
from marketplace_app.jobs import process_group
process_group.GRACE_SECONDS = 0.5
os.dup2(os.pipe()[0], 0)  # an input that stays open
sys.exit(process_group.guard([sys.executable, "-c", {IGNORES_SIGTERM!r}, sys.argv[1]]))
"""
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def start(port: int) -> Iterator[Start]:
    started: list[subprocess.Popen[bytes]] = []

    def run(*arguments: str) -> subprocess.Popen[bytes]:
        # A shell starts background jobs with this signal ignored, which child processes inherit.
        usual = signal.signal(signal.SIGINT, signal.default_int_handler)
        started.append(subprocess.Popen([sys.executable, *arguments], cwd=ROOT, start_new_session=True))
        signal.signal(signal.SIGINT, usual)
        eventually(lambda: is_taken(port))
        return started[-1]

    yield run
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def is_taken(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_child_processes_end_with_the_command(start: Start, port: int, number: signal.Signals) -> None:
    process = start("-c", RUNS_IT, str(port), "60")
    process.send_signal(number)
    assert process.wait(WITHIN_SECONDS) != 0
    assert not is_taken(port)


def test_child_processes_end_when_the_command_is_killed(start: Start, port: int) -> None:
    process = start("-c", RUNS_IT, str(port), "60")
    process.kill()
    eventually(lambda: not is_taken(port))


def test_leftover_processes_end_and_the_exit_code_is_passed_on(start: Start, port: int) -> None:
    process = start("-c", RUNS_IT, str(port), "1.5")
    assert process.wait(WITHIN_SECONDS) == 7
    assert not is_taken(port)


def test_a_command_that_ignores_sigterm_is_killed(start: Start, port: int) -> None:
    process = start("-c", GUARDS_ONE_THAT_IGNORES_SIGTERM, str(port))
    process.terminate()
    assert process.wait(WITHIN_SECONDS) != 0
    assert not is_taken(port)


@pytest.mark.attack("the first process killed")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_master(start: Start, port: int, number: signal.Signals) -> None:
    process = start("-m", "tests.jobs.two_workers", str(port))
    assert int(httpx.get(f"http://127.0.0.1:{port}").text) != process.pid
    process.send_signal(number)
    eventually(lambda: not is_taken(port))


def test_known_warnings_of_authlib_stay_out_of_the_terminal() -> None:
    """In the environment of `make run`. They looked like errors; others of Authlib are shown."""
    program = (
        "import marketplace_app.auth.oidc, marketplace_app.jobs.identity; from authlib.deprecate import deprecate;"
        "deprecate('something else')"
    )
    environment = os.environ | {"PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "something else" in done.stderr
    assert "httpx2" not in done.stderr
    assert "jose" not in done.stderr
