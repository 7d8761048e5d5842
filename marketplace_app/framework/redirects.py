"""Redirects that a tab follows only from certain URLs. Reflex's own are followed from wherever the tab is by then.

Relies on `_redirect` of `utils/state.js` in Reflex's template of the pages, on `EventSpec.with_args()`, and on React
Router's `window.__reactRouterDataRouter`, whose `navigation.location` is the page that is being opened.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import reflex as rx
from reflex_base.constants import Templates
from reflex_base.event import EventSpec
from reflex_base.vars import LiteralVar, Var

from marketplace_app.framework.patching import replace_first

_FILE = "utils/state.js"
_REDIRECT = 'if (event.name == "_redirect") {'
# A tab counts as being on the page that it is opening, even while the script of that page still loads.
_ONLY_FROM = f"""{_REDIRECT}
    const at = window.__reactRouterDataRouter?.state.navigation.location ?? window.location;
    if (event.payload.from?.includes(at.pathname + at.search) === false) return;"""


class RedirectsPlugin(rx.plugins.Plugin):
    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](_FILE, lambda _written: with_origins(template()))


def template() -> str:
    """Reflex's original, which it copies once only: an earlier build, perhaps of another version, changed the copy."""
    return (Path(Templates.Dirs.WEB_TEMPLATE) / _FILE).read_text()


def with_origins(script: str) -> str:
    return replace_first(script, _REDIRECT, _ONLY_FROM)


def redirect_from(urls: Iterable[str], path: str, *, replace: bool = False) -> EventSpec:
    """`urls`: paths with their queries, as the browser writes them."""
    redirect = rx.redirect(path, replace=replace)
    return redirect.with_args((*redirect.args, (Var("from"), LiteralVar.create(list(urls)))))
