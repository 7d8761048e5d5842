"""PgBouncer between the tests and PostgreSQL, with `TEST_PGBOUNCER=1` (`make test-pgbouncer`).

It has the settings of `deploy/pgbouncer.ini`, apart from where it listens and who may connect.
"""

import os
import shutil
import socket
import subprocess
import time
from configparser import ConfigParser
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import URL, make_url

from marketplace_app import db

IS_USED = "TEST_PGBOUNCER" in os.environ
EXAMPLE = Path(__file__).parents[1] / "deploy" / "pgbouncer.ini"
POOL_SIZE = 20
READY_WITHIN_SECONDS = 10
_SERVERS: dict[int, URL] = {}
"""By the port of a PgBouncer, the server behind it."""


def find() -> str | None:
    """Debian's package has it in a folder that only the administrator's PATH names."""
    return shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")


class PgBouncer:
    def __init__(self, folder: Path, server: URL) -> None:
        """`folder`: for its settings and log."""
        program = find()
        assert program, "PgBouncer is not installed: `apt-get install pgbouncer`"
        self.port = _free_port()
        self.log = folder / "pgbouncer.log"
        self.folder = folder
        _SERVERS[self.port] = server
        file = self._write_settings(server)
        # It refuses to run as root, and the server's own account can reach its socket.
        account = ["-u", "pgserver"] if os.geteuid() == 0 else []
        with self.log.open("w") as log:
            self.process = subprocess.Popen([program, *account, str(file)], stdout=log, stderr=log)
        self._wait()

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)

    def _write_settings(self, server: URL) -> Path:
        settings = ConfigParser(interpolation=None)
        settings.read(EXAMPLE)
        (self.folder / "users.txt").write_text('"postgres" ""\n')
        settings["databases"] = {"*": f"host={server.query['host']}"}
        own = settings["pgbouncer"]
        own["listen_port"], own["unix_socket_dir"] = str(self.port), ""
        own["auth_type"], own["auth_file"], own["admin_users"] = "trust", str(self.folder / "users.txt"), "postgres"
        # Each test has a database, and so a pool, of its own.
        own["default_pool_size"], own["server_idle_timeout"] = str(POOL_SIZE), "5"
        for name in ("pidfile", "logfile"):
            del own[name]
        file = self.folder / "pgbouncer.ini"
        with file.open("w") as written:
            settings.write(written)
        return file

    def _wait(self) -> None:
        deadline = time.monotonic() + READY_WITHIN_SECONDS
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log.read_text()
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def direct_url(engine: Engine) -> str:
    """Where its PostgreSQL itself is."""
    return settings(engine.url.render_as_string(hide_password=False))["DATABASE_DIRECT_URL"]


def make_engine(url: str) -> Engine:
    """As the store makes it, of a URL that may be a PgBouncer's."""
    direct = settings(url)["DATABASE_DIRECT_URL"]
    return db.make_engine(url, direct_url=direct if direct != url else None)


def settings(url: str) -> dict[str, str]:
    """Those of a store at this URL, which may be a PgBouncer's."""
    parsed = make_url(url)
    server = _SERVERS.get(parsed.port or 0)
    direct = server.set(database=parsed.database).render_as_string(hide_password=False) if server else url
    return {"DATABASE_URL": url, "DATABASE_DIRECT_URL": direct}
