"""Hydration that waits for the first paint: a first visit gets text and style before the scripts of its page.

The last click before hydration is recorded and repeated afterwards, by `event-replay.js` beside this module.

Relies on every built page having an `<html>`, whose head asks for its scripts by `<link rel="modulepreload">`, on one
`<script type="module" async="">` of `import` statements in it that starts React Router, on the properties `__react...`
of elements that React has hydrated, and on files in Reflex's `public` folder being served from the root.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import reflex as rx
from reflex_base.constants.base import Dirs

from marketplace_app.framework.patching import NothingToPatch, replace_all, replace_first, substitute

EARLY_SCRIPTS = "/early.js"
_REPLAY = Path(__file__).parent / "event-replay.js"
_PRELOAD_LINK = '<link rel="modulepreload"'
_START = re.compile(r'<script type="module" async="">(.*?)</script>', re.S)
_IMPORT = re.compile(r'^import (?:\* as (\w+) from )?("[^"]+");', re.M)
_UNPAINTED = 'data-unpainted=""'
"""An attribute that a built page has until its first paint, for `@utility after-paint` in `theme/utilities.css`."""
# A tab in the background paints nothing.
_AFTER_PAINT = """\
if (!document.hidden) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
delete document.documentElement.dataset.unpainted;
for (const link of document.querySelectorAll("link[data-rel]")) link.rel = link.dataset.rel;
"""


class DeferredHydrationPlugin(rx.plugins.Plugin):
    """`handled_elsewhere`: a selector of controls that work without React, whose clicks are not repeated.

    `scripts` run before hydration too. They share one file: on a slow line a request costs more than its bytes.
    """

    def __init__(self, handled_elsewhere: str, scripts: Sequence[Path] = ()) -> None:
        self.handled_elsewhere, self.scripts = handled_elsewhere, scripts

    def get_static_assets(self, **_context: Any) -> list[tuple[Path, str | bytes]]:
        """`EARLY_SCRIPTS`, which every page must load in its head, with `defer`."""
        replay = replace_first(_REPLAY.read_text(), "HANDLED ELSEWHERE", self.handled_elsewhere)
        joined = "\n".join([replay, *(script.read_text() for script in self.scripts)])
        return [(Path(Dirs.PUBLIC) / EARLY_SCRIPTS.strip("/"), joined)]

    def post_build(self, **context: Any) -> None:
        built = Path(context["static_dir"])
        pages = [page for page in built.rglob("*.html") if _has_scripts(page)]
        if built / "index.html" not in pages:
            raise NothingToPatch("scripts in index.html")
        for page in pages:
            page.write_text(defer_scripts(page.read_text()))


def _has_scripts(page: Path) -> bool:
    """False for HTML files that React Router did not write, such as those in `assets/`."""
    return 'type="module"' in page.read_text()


def defer_scripts(page: str) -> str:
    """The page, with its scripts fetched and run after the first paint."""

    def start_later(start: re.Match[str]) -> str:
        imports = substitute(_IMPORT, _on_demand, start[1])
        return f'<script type="module" async="">{_AFTER_PAINT}{imports}</script>'

    page = replace_first(page, "<html", f"<html {_UNPAINTED}")
    return substitute(_START, start_later, replace_all(page, _PRELOAD_LINK, '<link data-rel="modulepreload"'))


def _on_demand(statement: re.Match[str]) -> str:
    name, file = statement.groups()
    return f"const {name} = await import({file});" if name else f"await import({file});"
