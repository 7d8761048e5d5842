"""`make dev`: Vite on the store's own address, so that a saved change is shown without the pages being built anew.

It serves the pages as they are compiled and tells open tabs to load again; what is the server's it hands on.
"""

from typing import Any

import reflex as rx

from marketplace_app.config import get_settings, opened_pages
from marketplace_app.framework.vite import CONFIGURATION_FILE, EVENT_ENDPOINT, with_configuration

SERVER_PATHS = rf"^/(api|{EVENT_ENDPOINT}|uploads|packages|healthz|readyz|sitemap\.xml|robots\.txt)(/|\?|$)"


class HotReloadPlugin(rx.plugins.Plugin):
    def pre_compile(self, **context: Any) -> None:
        if opened_pages():
            context["add_modify_task"](CONFIGURATION_FILE, in_front_of_the_server)


def in_front_of_the_server(configuration: str) -> str:
    """The requested host is passed on unchanged: the store accepts no other. Reflex by itself would listen on all."""
    server = f"http://127.0.0.1:{rx.config.get_config().backend_port}"
    ours = {"host": get_settings().host, "proxy": {SERVER_PATHS: {"target": server, "ws": True}}}
    return with_configuration(configuration, {"server": ours})
