"""How Reflex is started: its environment variables.

Relies on the names in `reflex_base.environment`: an unknown name would be ignored silently.
"""

import os
from collections.abc import Iterable
from pathlib import Path


def prepare(*, socket_bytes: int) -> None:
    """No version checks, telemetry or downloads. `socket_bytes`: the longest message that a browser may send."""
    os.environ["REFLEX_USE_NPM"] = "1"
    os.environ["REFLEX_CHECK_LATEST_VERSION"] = "false"
    os.environ["REFLEX_TELEMETRY_ENABLED"] = "false"
    os.environ.setdefault("REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE", str(socket_bytes))
    os.environ["REFLEX_ENV_MODE"] = "prod"


def prepare_hot_reload(sources: Iterable[str]) -> None:
    """A change in `sources` is compiled in a new process: a forked one would keep the modules already imported."""
    os.environ["REFLEX_ENV_MODE"] = "dev"
    os.environ["REFLEX_STRICT_HOT_RELOAD"] = "true"
    os.environ["REFLEX_HOT_RELOAD_OVERRIDE_PATHS"] = ":".join(sources)


def for_a_build(folder: Path) -> dict[str, str]:
    """The environment in which pages are built into `folder`.

    The URL is the same for all builds, whatever `PUBLIC_URL` and `PORT` are: it would change the names of nearly all
    scripts, and pages call the server that they come from (`framework/same_origin.py`).
    """
    url = "http://localhost"
    return {"REFLEX_WEB_WORKDIR": str(folder), "REFLEX_API_URL": url, "REFLEX_DEPLOY_URL": url}


def serve_built_pages() -> None:
    """The application serves the pages that are built, and compiles none."""
    from reflex_base.environment import environment

    environment.REFLEX_SKIP_COMPILE.set(True)
    environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.set(True)
