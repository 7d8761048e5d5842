"""Built pages without the runtime: they open no socket, and work while the store cannot be reached.

Relies on React Router and Reflex using inline scripts in the body to boot a page, and naming the runtime's scripts in
its head, in `<link rel="modulepreload">`; and on the head's inline scripts not needing the runtime.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import reflex as rx

from marketplace_app.framework.patching import NothingToPatch, substitute

_SCRIPT = re.compile(r"<script([^>]*)>.*?</script>", re.S)
_PRELOAD = re.compile(r'<link rel="modulepreload"[^>]*>')
_SOURCE = re.compile(r'\bsrc="([^"]*)"')


class StaticPagesPlugin(rx.plugins.Plugin):
    """`scripts`: the only script of each such page, by the path of the page.

    Must be listed before `DeferredHydrationPlugin`.
    """

    def __init__(self, scripts: Mapping[str, str]) -> None:
        self.scripts = scripts

    def post_build(self, **context: Any) -> None:
        for path, script in self.scripts.items():
            page = Path(context["static_dir"]) / path.strip("/") / "index.html"
            if not page.is_file():
                raise NothingToPatch(str(page))
            page.write_text(without_runtime(page.read_text(), script))


def without_runtime(page: str, script: str) -> str:
    """The page with no scripts but this one and the inline scripts of its head."""
    head, closing, body = page.partition("</head>")
    if f'src="{script}"' not in page or not _SCRIPT.search(body):
        raise NothingToPatch(f"{script}, or a script in the body")

    def keep(found: re.Match[str], *, is_inline_kept: bool) -> str:
        source = _SOURCE.search(found[1])
        is_kept = source[1] == script if source else is_inline_kept
        return found[0] if is_kept else ""

    head = substitute(_PRELOAD, lambda _found: "", head)
    head = substitute(_SCRIPT, lambda found: keep(found, is_inline_kept=True), head)
    return head + closing + substitute(_SCRIPT, lambda found: keep(found, is_inline_kept=False), body)
