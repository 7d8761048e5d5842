"""The first steps of every process that serves the store or builds its pages."""

import os
import subprocess
import sys
from pathlib import Path

from pydantic import ValidationError

from marketplace_app.config import Settings, get_settings
from marketplace_app.framework import environment

ROOT = Path(__file__).parents[2]
SOCKET_BYTES = 64 * 1024
"""The longest message that a browser may send over the event socket."""


def settings_or_exit() -> Settings:
    """The settings. A wrong one ends the process with a sentence and exit code 2, not a traceback."""
    try:
        settings = get_settings()
    except ValidationError as error:
        for problem in error.errors():
            name = ".".join(str(part).upper() for part in problem["loc"])
            print(": ".join(part for part in (name, problem["msg"].removeprefix("Value error, ")) if part))
        raise SystemExit(2) from None
    if settings.traces_endpoint:
        _require_trace_packages()
    return settings


def _require_trace_packages() -> None:
    try:
        import marketplace_app.adapters.trace_export  # noqa: F401
    except ImportError:
        print("TRACES_ENDPOINT: Please run `pip install -r requirements-traces.txt`, or remove the setting")
        raise SystemExit(2) from None


def prepare_environment() -> None:
    """Node, if it is needed, comes from the virtual environment. Reflex downloads no JavaScript runtime and sends no
    telemetry."""
    binaries = Path(sys.executable).parent
    os.environ["PATH"] = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    environment.prepare(socket_bytes=SOCKET_BYTES)


def use_npm_registry() -> None:
    """Reflex downloads packages from the registry that npm is configured for, and from nowhere else."""
    if "NPM_CONFIG_REGISTRY" not in os.environ:
        npm = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=True)
        os.environ["NPM_CONFIG_REGISTRY"] = npm.stdout.strip()
