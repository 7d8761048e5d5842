"""A store of its own to photograph: `make run`'s command on a free port, with an empty database."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.e2e.conftest import ROOT, Store, wait_until_ready

PORT = int(os.environ.get("SCREENS_PORT", "8785"))


@contextmanager
def open_store() -> Iterator[Store]:
    with tempfile.TemporaryDirectory(prefix="store-screens-") as folder:
        database_url, log = f"sqlite:///{folder}/store.db", Path(folder) / "store.log"
        environment = {name: value for name, value in os.environ.items() if name != "OIDC_ISSUER"}
        environment |= {
            "PORT": str(PORT),
            "DATABASE_URL": database_url,
            "REFLEX_WEB_WORKDIR": ".web-screens",
            "PYTHONWARNINGS": "ignore",
        }
        command = [sys.executable, "-m", "marketplace_app.jobs.serve"]
        with log.open("w") as output:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        url = f"http://localhost:{PORT}"
        try:
            wait_until_ready(url, process, log)
            yield Store(url, database_url, psutil.Process(process.pid), log)
        finally:
            process.terminate()
            process.wait(20)
