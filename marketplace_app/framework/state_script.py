"""Changes to `utils/state.js`, the script that connects a page to its states.

- A redirect may name the URLs from which it is followed: see `redirects.py`.
- Until a page has been connected once, each attempt to connect says that the page was just loaded, because it shows
  nothing yet. In Reflex only the first attempt says so: if that one fails, the page would count as one that reconnects.
- When the server says that a page was built for another set of states than its own, a script of the store runs, once.
  Reflex would reload the page, and what was typed would be lost. The page can still be used: Reflex leaves out what it
  does not know, and the store answers events that it no longer has.

Relies on `_redirect`, `bootAuth`, the `connect` event and the handler of `STATE_MISMATCH_EVENT` in Reflex's template of
that file, on its `app.isDevMode`, and on React Router's `window.__reactRouterDataRouter`, whose `navigation.location`
is the page that is being opened.
"""

from pathlib import Path
from typing import Any

import reflex as rx
from reflex_base.constants import Templates

from marketplace_app.framework.patching import replace_first

FILE = "utils/state.js"
_REDIRECT = 'if (event.name == "_redirect") {'
# A tab counts as being on the page that it is opening, even while the script of that page still loads.
ONLY_FROM = f"""{_REDIRECT}
    const at = window.__reactRouterDataRouter?.state.navigation.location ?? window.location;
    if (event.payload.from?.includes(at.pathname + at.search) === false) return;"""
_CONNECTED = 'socket.current.on("connect", async () => {'
_NOTE_CONNECTED = f"{_CONNECTED}\n    socket.current.has_connected = true;"
_RECONNECT = "socket.current.auth = bootAuth(false);"
_FIRST_OR_RECONNECT = "socket.current.auth = bootAuth(!socket.current.has_connected);"
_RELOAD_IF_OUTDATED = "socket.current.on(STATE_MISMATCH_EVENT, handleStateMismatch);"


class StateScriptPlugin(rx.plugins.Plugin):
    def __init__(self, on_outdated: str) -> None:
        """`on_outdated`: JavaScript that runs, once, when the server turns out to be of another version."""
        self._on_outdated = on_outdated

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](FILE, lambda _written: changed(template(), self._on_outdated))


def template() -> str:
    """Reflex's original. It is copied into `.web` only once, so that copy has the changes of an earlier build."""
    return (Path(Templates.Dirs.WEB_TEMPLATE) / FILE).read_text()


def changed(script: str, on_outdated: str) -> str:
    script = replace_first(script, _REDIRECT, ONLY_FROM)
    script = replace_first(script, _RELOAD_IF_OUTDATED, _handler_of_outdated(on_outdated))
    script = replace_first(script, _CONNECTED, _NOTE_CONNECTED)
    return replace_first(script, _RECONNECT, _FIRST_OR_RECONNECT)


def _handler_of_outdated(action: str) -> str:
    """The action runs once. While developing it never runs: a page may connect before the pages are rebuilt."""
    return f"""let is_done = app.isDevMode;
  socket.current.on(STATE_MISMATCH_EVENT, () => {{
    if (is_done) return;
    is_done = true;
    {action}
  }});"""
