"""A bare Reflex app with one button, built for production and served as the store is.

`python -m tools.bench.bare_button`, run in the app's folder, builds and serves the app.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from marketplace_app.framework import environment
from marketplace_app.jobs.startup import SOCKET_BYTES
from tools.bench.packages import ENVIRONMENT
from tools.bench.servers import ROOT, Server, running

PORT = 8769
URL = f"http://localhost:{PORT}"
SOURCE = Path(__file__).with_name("button")
BUTTON, SHOWN = "#count", "#counted"


@contextmanager
def bare_button(folder: Path) -> Iterator[Server]:
    app = folder / "button"
    shutil.copytree(SOURCE, app)
    shutil.copytree(ROOT / "reflex.lock", app / "reflex.lock")  # the same versions as the store's
    command = [sys.executable, "-m", "tools.bench.bare_button"]
    settings = {**ENVIRONMENT, "PYTHONPATH": f"{app}{os.pathsep}{ROOT}", "BENCH_URL": URL}
    with running(command, settings, URL, "ping", folder=app) as server:
        yield server


def _serve() -> None:
    environment.prepare(socket_bytes=SOCKET_BYTES)
    registry = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=True)
    os.environ["NPM_CONFIG_REGISTRY"] = registry.stdout.strip()  # Reflex would choose another one
    build = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip", "--loglevel", "warning"]
    subprocess.run(build, check=True)
    environment.serve_built_pages()
    uvicorn.run("button.button:app", factory=True, port=PORT, log_level="warning", ws_max_size=SOCKET_BYTES)


if __name__ == "__main__":
    _serve()
