"""The built pages of the browser tests' store, built once if needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import BUILD_SETTINGS, PAGES, PORT
from tests.e2e.running import ROOT, one_at_a_time

PROGRAM = """
from marketplace_app.jobs import build_pages, startup
startup.prepare_environment()
build_pages.build_pages()
"""


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder with the built pages, which the tests only read."""
    with one_at_a_time():
        return build_pages_in(ROOT)


def build_pages_in(checkout: Path, port: int = PORT) -> Path:
    """The folder with the pages of the store in that folder, built unless they are current."""
    environment = os.environ | {"PORT": str(port), "PYTHONWARNINGS": "ignore", **BUILD_SETTINGS}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return checkout / PAGES / "build" / "client"
