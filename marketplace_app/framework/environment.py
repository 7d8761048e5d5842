"""How Reflex is started: its environment variables.

Relies on the names in `reflex_base.environment`: an unknown name would be ignored silently.
"""

import os
from collections.abc import Iterable


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


def serve_built_pages() -> None:
    """The application serves the pages that are built, and compiles none."""
    from reflex_base.environment import environment

    environment.REFLEX_SKIP_COMPILE.set(True)
    environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.set(True)
