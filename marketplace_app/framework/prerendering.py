"""Pages of dynamic routes that are built once, and served for every number in their path.

React Router builds pages of static routes only. For all others it has one empty page, which shows nothing before it is
hydrated. With a placeholder for the number, such a page is built like any other.

Relies on `"prerender": true` in `react-router.config.js`, which means all static routes, and on React Router hydrating
a page at another address than the one it was built for.
"""

import re
from pathlib import Path
from typing import Any

import reflex as rx
from reflex_base.constants import ReactRouter

from marketplace_app.framework.built_pages import PLACEHOLDER
from marketplace_app.framework.patching import NothingToPatch, substitute

STATIC_ROUTES = '"prerender": true'
_METADATA = re.compile(r'<title>[^<]*</title>|<meta [^>]*(?:name="description"|property="og:image")[^>]*>')


class PrerenderingPlugin(rx.plugins.Plugin):
    """`folders`: paths of the pages without the number, such as `/product`."""

    def __init__(self, *folders: str) -> None:
        self.paths = [f"{folder}/{PLACEHOLDER}" for folder in folders]

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](ReactRouter.CONFIG_FILE, self.with_routes)

    def with_routes(self, configuration: str) -> str:
        """Unchanged when no page is built, as under `make dev`."""
        added = ", ".join(f'"{path}"' for path in self.paths)
        return configuration.replace(
            STATIC_ROUTES, f'"prerender": ({{ getStaticPaths }}) => [...getStaticPaths(), {added}]'
        )

    def post_build(self, **context: Any) -> None:
        """Takes out the metadata, which is written into the page when it is served."""
        for path in self.paths:
            page = Path(context["static_dir"]) / path.strip("/") / "index.html"
            if not page.is_file():
                raise NothingToPatch(f"{STATIC_ROUTES} or {page}")
            page.write_text(substitute(_METADATA, lambda _found: "", page.read_text()))
