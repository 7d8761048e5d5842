"""`make dev`: Vite on the store's own port, so that a saved change is shown without building the pages.

It serves the compiled pages, reloads open tabs, and forwards requests for the server.
"""

from typing import Any

import reflex as rx

from marketplace_app.config import get_settings, opened_pages_file
from marketplace_app.framework.vite import CONFIGURATION_FILE, EVENT_ENDPOINT, with_options

SERVER_PATHS = rf"^/(api|{EVENT_ENDPOINT}|uploads|packages|healthz|readyz|sitemap\.xml|robots\.txt)(/|\?|$)"


class HotReloadPlugin(rx.plugins.Plugin):
    def pre_compile(self, **context: Any) -> None:
        if opened_pages_file():  # set by `make dev` only
            context["add_modify_task"](CONFIGURATION_FILE, with_proxy)


def with_proxy(configuration: str) -> str:
    """Forwards requests with their Host header unchanged (the store accepts no other). Listens on one host only."""
    server = f"http://127.0.0.1:{rx.config.get_config().backend_port}"
    ours = {"host": get_settings().host, "proxy": {SERVER_PATHS: {"target": server, "ws": True}}}
    return with_options(configuration, {"server": ours})
