"""The store as `make run` starts it, and the bare baseline beside it, on a database of 5,000 products of their own."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
PORT, BARE_PORT = 8796, 8798
READY_WITHIN_SECONDS = 300
UNLIMITED = "100000000/minute"


@dataclass(frozen=True)
class Store:
    url: str
    port: int
    process: int
    database: Path


@contextmanager
def running_store() -> Iterator[Store]:
    """Limits are counted as ever, only never reached."""
    with tempfile.TemporaryDirectory(prefix="store-bench-") as folder:
        database = Path(folder) / "store.db"
        settings = environment(database)
        subprocess.run([sys.executable, "-m", "tools.bench.catalogue"], cwd=ROOT, env=settings, check=True)
        bare = ["uvicorn", "tools.bench.bare:app", "--port", str(BARE_PORT), "--log-level", "warning"]
        with (
            _running([sys.executable, "-m", "marketplace_app.jobs.serve"], settings, PORT, "readyz") as store,
            _running([sys.executable, "-m", *bare], settings, BARE_PORT, "healthz"),
        ):
            yield Store(f"http://localhost:{PORT}", PORT, store.pid, database)


def environment(database: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("OIDC_ISSUER", "PUBLIC_URL")}
    rates = dict.fromkeys(
        ("ORDER_RATE", "READ_RATE", "WRITE_RATE", "SIGN_IN_RATE", "EVENT_RATE", "TICKET_RATE"), UNLIMITED
    )
    return {
        **inherited,
        **rates,
        "BENCH_DATABASE": str(database),
        "DATABASE_URL": f"sqlite:///{database}",
        "ENVIRONMENT": "development",
        "PORT": str(PORT),
        "PYTHONWARNINGS": "ignore",
        "REFLEX_WEB_WORKDIR": ".web-bench",
        "WORKERS": "1",
    }


@contextmanager
def _running(command: list[str], settings: dict[str, str], port: int, path: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, cwd=ROOT, env=settings, stdout=subprocess.DEVNULL)
    try:
        _wait(process, f"http://localhost:{port}/{path}")
        yield process
    finally:
        process.terminate()
        process.wait(20)


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    for _ in range(READY_WITHIN_SECONDS * 5):
        if process.poll() is not None:
            break
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise SystemExit(f"Nothing answers at {url}.")
