"""`make run`: migrate, seed an empty store, build the pages when they changed, serve everything on one port.

With `--reload` (`make dev`) a saved file is compiled and served again automatically.
"""

import contextlib
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from pydantic import ValidationError
from uvicorn.supervisors import Multiprocess

from marketplace_app.config import Settings, get_settings
from marketplace_app.framework import environment
from marketplace_app.jobs import process_group
from marketplace_app.jobs.private_files import keep_private

ROOT = Path(__file__).parents[2]
SOURCES = ("marketplace_app", "assets", "reflex.lock/package-lock.json", "rxconfig.py", "requirements.txt")
HASHED_SUFFIXES = (".py", ".js", ".css", ".html", ".json", ".txt")
"""Files whose content goes into the fingerprint of a build; of all others, the name and the size."""
BUILD_SETTINGS = (
    "STORE_NAME",
    "UNDER_AGE_URL",
    "SUPPORT_EMAIL",
    "SUPPORT_PHONE",
    "ORIGINAL_HOST",
    "PREVIEW_DOMAIN",
    "ENVIRONMENT",
)
SOCKET_BYTES = 64 * 1024
"""The longest message that a browser may send over the event socket."""
LISTENERS = 16
"""Duplicates of the listening socket. uvloop accepts one connection of each, then answers the requests that have come
by then: with a single socket, the last of 64 new connections was accepted after 2,000 answers to the others.
"""
WORKER_TIMEOUT_SECONDS = 60
"""How long a worker process may not answer before it is replaced. It answers once it has imported the store, and on a
busy machine that takes longer than uvicorn's default of 5 seconds: workers were killed again and again as they started.
"""


def main() -> None:
    has_provider = bool(os.environ.get("OIDC_ISSUER"))
    settings = _settings_or_exit()
    _prepare_environment(settings)
    keep_private(settings)
    _require_free(settings.host, settings.port)
    from marketplace_app.jobs.seed import seed_if_empty

    _migrate_or_exit()
    if settings.is_development and (count := seed_if_empty()):
        print(f"The store was empty: {count} demo products written.")
    if settings.is_development and not has_provider:
        from marketplace_app.jobs.identity import start_development_provider

        start_development_provider(settings)
    if "--reload" in sys.argv[1:]:
        _announce(settings)
        serve_and_reload(settings)
    else:
        build_pages(settings)
        _announce(settings)
        serve(settings)


def _settings_or_exit() -> Settings:
    """The settings, with a free port for the identity provider. A wrong one ends with a sentence, not a traceback."""
    try:
        settings = get_settings()
    except ValidationError as error:
        for problem in error.errors():
            name = ".".join(str(part).upper() for part in problem["loc"])
            print(": ".join(part for part in (name, problem["msg"].removeprefix("Value error, ")) if part))
        raise SystemExit(2) from None
    if settings.is_development and "OIDC_ISSUER" not in os.environ:
        port = _free_port(settings.port + 1)
        os.environ["OIDC_ISSUER"] = f"http://localhost:{port}"
        get_settings.cache_clear()
    return get_settings()


def _migrate_or_exit() -> None:
    from alembic.util import CommandError

    from marketplace_app.jobs.migrate import migrate

    try:
        migrate()
    except CommandError as error:
        raise SystemExit(
            f"The database cannot be migrated: {error}. If a newer version or another branch has changed it, start "
            "that one, or choose another database with DATABASE_URL=..."
        ) from None


def _prepare_environment(settings: Settings) -> None:
    """Node comes from the virtual environment. Nothing is reported, nor downloaded except from npm's registry."""
    binaries = Path(sys.executable).parent
    os.environ["PATH"] = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    environment.prepare(socket_bytes=SOCKET_BYTES)
    if "NPM_CONFIG_REGISTRY" not in os.environ:
        npm = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=True)
        os.environ["NPM_CONFIG_REGISTRY"] = npm.stdout.strip()


def _require_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SystemExit(
                f"Cannot listen on {host}:{port}: {error.strerror}. Choose another with PORT=..."
            ) from None


def _free_port(wanted: int) -> int:
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise SystemExit("No free port for the identity provider.")


def build_pages(settings: Settings) -> None:
    """Compile the pages to static files, unless no source or setting that goes into them has changed."""
    from marketplace_app.framework import built_pages

    stamp = built_pages.STAMP
    if stamp.is_file() and stamp.read_text() == _fingerprint() and built_pages.is_built():
        return
    print("Building the pages: a minute or two the first time, then seconds.")
    command = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip", "--loglevel", "warning"]
    with _keeping_formatting(ROOT / "reflex.lock" / "package.json"):
        if process_group.run(command, ROOT):
            raise SystemExit("The pages could not be built. See the output above.")
    stamp.write_text(_fingerprint())


@contextlib.contextmanager
def _keeping_formatting(file: Path) -> Iterator[None]:
    """A rebuild may write the same JSON in another order or spacing, and git would show the file as changed."""
    before = file.read_text()
    yield
    if file.read_text() != before and json.loads(file.read_text()) == json.loads(before):
        file.write_text(before)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for source in SOURCES:
        path = ROOT / source
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode())
                digest.update(str(file.stat().st_size).encode())
                digest.update(file.read_bytes() if file.suffix in HASHED_SUFFIXES else b"")
    for name in BUILD_SETTINGS:
        digest.update(f"{name}={os.environ.get(name, '')}".encode())
    return digest.hexdigest()


def _announce(settings: Settings) -> None:
    from marketplace_app.jobs.seed import renew_demo_invitation

    lines = [f"{settings.store_name} is open at {settings.public_url}"]
    if settings.is_development:
        lines += [
            "  shopper      shopper@example.com (one click on the sign-in page), or any email address you type",
            f"  owner        owner@example.com (ADMIN_EMAILS: {', '.join(settings.admin_emails)})",
            f"  invitation   {settings.public_url}/invite/{renew_demo_invitation()}",
            f"  sign-in      {settings.oidc_issuer} (development only: accepts any name without a password)",
            f"  REST         {settings.public_url}/api/docs",
        ]
    print("\n" + "\n".join(lines) + "\n", flush=True)


def serve(settings: Settings) -> None:
    environment.serve_built_pages()
    config = uvicorn.Config(
        "marketplace_app.jobs.serve:make_store",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        ws_max_size=SOCKET_BYTES,
        timeout_graceful_shutdown=10,
        timeout_worker_healthcheck=WORKER_TIMEOUT_SECONDS,
    )
    listeners = bind_listeners(config)
    with contextlib.suppress(KeyboardInterrupt):
        if settings.workers > 1:
            Multiprocess(config, sockets=listeners).run()
            return
        server = uvicorn.Server(config)
        server.run(sockets=listeners)
        if not server.started:
            raise SystemExit("The server could not be started. See the output above.")


def bind_listeners(config: uvicorn.Config) -> list[socket.socket]:
    first = config.bind_socket()
    return [first, *(first.dup() for _ in range(LISTENERS - 1))]


def make_store() -> Any:
    """The ASGI application of one worker process. Logs are redacted before anything of the store is imported."""
    from uvicorn.importer import import_from_string

    from marketplace_app.web import logs

    logs.install()
    process_group.end_with_parent()
    return import_from_string("marketplace_app.marketplace_app:make_asgi")()


def serve_and_reload(settings: Settings) -> None:
    """Reflex's development mode on one port (`web/hot_reload.py`): whatever is saved is compiled, and open tabs update.

    Each compilation runs in a new process: a forked one would keep the theme that Reflex's settings had imported.
    """
    command = [sys.executable, "-m", "reflex", "run", "--env", "dev", "--loglevel", "warning"]
    command += ["--backend-host", "127.0.0.1", "--backend-port", str(_free_port(settings.port + 2))]
    command += ["--frontend-port", str(settings.port)]
    environment.prepare_hot_reload(("marketplace_app", "assets", "rxconfig.py"))
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        os.environ["OPENED_PAGES"] = str(Path(folder) / "opened-pages")
        raise SystemExit(process_group.run(command, ROOT))


if __name__ == "__main__":
    main()
