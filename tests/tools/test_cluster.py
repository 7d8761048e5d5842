"""`make cluster-stop` stops all that `make cluster` has started."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.databases import ROOT
from tools.cluster import __main__ as cluster

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(cluster, "FOLDER", tmp_path)
    yield tmp_path
    for process in servers_of(tmp_path):
        process.kill()


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
    assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE
    cluster.stop()
