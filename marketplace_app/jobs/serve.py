"""`make run`: migrate, seed an empty store, build the pages if they have changed, serve everything on one port.

With `--reload` (`make dev`) a saved file is compiled and served again automatically.
"""

import contextlib
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from marketplace_app.config import Settings, get_settings
from marketplace_app.framework import environment
from marketplace_app.jobs import process_group
from marketplace_app.jobs.build_pages import build_pages
from marketplace_app.jobs.private_files import keep_private
from marketplace_app.jobs.startup import ROOT, SOCKET_BYTES, prepare_environment, settings_or_exit, use_npm_registry
from marketplace_app.web import websocket_compression

LISTENERS = 16
"""Duplicates of the listening socket. uvloop accepts one connection from each, then answers the requests that have
arrived. With a single socket, the last of 64 new connections was only accepted after 2,000 answers to the others.
"""
WORKER_TIMEOUT_SECONDS = 60
"""How long a worker process may go without answering before it is replaced. It answers once it has imported the store,
and on a busy machine that takes longer than uvicorn's default of 5 seconds: workers were killed again and again as they
started.
"""


def main() -> None:
    has_provider = _names_provider()  # asked first: the next line sets OIDC_ISSUER
    settings = _settings_with_provider()
    prepare_environment()
    keep_private(settings)
    _require_free(settings.host, settings.port)
    from marketplace_app.jobs.seed import seed_if_empty

    _migrate_or_exit()
    _require_settings_behind_pooler(settings)
    if settings.is_development and (count := seed_if_empty()):
        print(f"The store was empty: {count} demo products written.")
    if settings.is_development and not has_provider:
        from marketplace_app.jobs.identity import start_development_provider

        start_development_provider(settings)
    if "--reload" in sys.argv[1:]:
        _announce(settings)
        serve_and_reload(settings)
    else:
        build_pages()
        _announce(settings)
        serve(settings)


def _names_provider() -> bool:
    """Whether the environment or `.env` names an identity provider."""
    return "oidc_issuer" in settings_or_exit().model_fields_set


def _settings_with_provider() -> Settings:
    """The settings. In development, if they name no identity provider, they get the store's own, on a free port."""
    settings = settings_or_exit()
    if settings.is_development and not _names_provider():
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
        undo = ""
        if get_settings().is_development:  # In a shop, a downgrade would delete what the newer version has written.
            undo = "run `.venv/bin/alembic downgrade -1` there for each migration that is missing here, "
        raise SystemExit(
            f"The database cannot be migrated: {error}. If a newer version or another branch has changed it, start "
            f"that one, {undo}or choose another database with DATABASE_URL=..."
        ) from None


def _require_settings_behind_pooler(settings: Settings) -> None:
    """Refuse to start if connections of the pooler lack the PostgreSQL settings of the store, such as `lock_timeout`.

    Migrating makes them the defaults of the database role, so connections that were opened earlier lack them.
    """
    if not settings.has_pooler:
        return
    from marketplace_app import db
    from marketplace_app.adapters.postgresql import differing_settings
    from marketplace_app.errors import Unavailable

    try:
        differing = db.read(lambda session: differing_settings(session.connection()))
    except Unavailable:
        raise SystemExit("The pooler that DATABASE_URL names does not reach the database. Its log says why.") from None
    if differing:
        found = ", ".join(f"{name} is {value}" for name, value in differing.items())
        raise SystemExit(
            f"Connections of the pooler lack the store's PostgreSQL settings: {found}. If it ran before the store did, "
            "send it RECONNECT. If that does not help, DATABASE_URL and DATABASE_DIRECT_URL name different roles or "
            "databases."
        )


def _require_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SystemExit(
                f"Cannot listen on {host}:{port}: {error.strerror}. Choose another with PORT=..."
            ) from None


def _free_port(wanted: int) -> int:
    """The wanted port, or any free one if it is taken or is not a valid port."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except (OSError, OverflowError):
                continue
            return int(probe.getsockname()[1])
    raise SystemExit("No free port for the identity provider.")


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
    from marketplace_app.web import logs

    logs.install()
    websocket_compression.install()
    environment.serve_built_pages()
    config = uvicorn.Config(
        "marketplace_app.jobs.serve:make_store",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,  # `web/logs.py` has configured the logs
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        ws=websocket_compression.PROTOCOL_NAME,
        ws_max_size=SOCKET_BYTES,
        timeout_graceful_shutdown=process_group.GRACE_SECONDS,
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
    websocket_compression.install()
    process_group.end_with_parent()
    return import_from_string("marketplace_app.marketplace_app:make_asgi")()


def serve_and_reload(settings: Settings) -> None:
    """Reflex's development mode on one port (`web/hot_reload.py`): whatever is saved is compiled, and open tabs update.

    Each compilation runs in a new process: a forked one would keep the old `theme/`, which `rxconfig.py` had imported
    before the fork.
    """
    command = [sys.executable, "-m", "reflex", "run", "--env", "dev", "--loglevel", "warning"]
    command += ["--backend-host", "127.0.0.1", "--backend-port", str(_free_port(settings.port + 2))]
    command += ["--frontend-port", str(settings.port)]
    use_npm_registry()
    environment.prepare_hot_reload(("marketplace_app", "assets", "rxconfig.py"))
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        os.environ["OPENED_PAGES"] = str(Path(folder) / "opened-pages")
        raise SystemExit(process_group.run(command, ROOT))


if __name__ == "__main__":
    main()
