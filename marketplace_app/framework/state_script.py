"""Changes to `utils/state.js`, the script that connects a page to its states.

- A redirect may name the URLs from which it is followed: see `redirects.py`.
- A page whose first connection failed still says with its next one that it was just loaded, because it shows nothing
  yet. Reflex says so with the first attempt only, so such a page would count as one that has reconnected.
- A page that was built for another set of states than the server's says so, once. Reflex would reload it, and what was
  typed would be lost. It can go on: Reflex leaves out what a page does not know, and the store answers events that it
  no longer has.

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
    def __init__(self, say_outdated: str) -> None:
        """`say_outdated`: JavaScript that runs, once, when the server turns out to be of another version."""
        self._say_outdated = say_outdated

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](FILE, lambda _written: changed(template(), self._say_outdated))


def template() -> str:
    """Reflex's original. It is copied into `.web` only once, so that copy has the changes of an earlier build."""
    return (Path(Templates.Dirs.WEB_TEMPLATE) / FILE).read_text()


def changed(script: str, say_outdated: str) -> str:
    script = replace_first(script, _REDIRECT, ONLY_FROM)
    script = replace_first(script, _RELOAD_IF_OUTDATED, _once_if_outdated(say_outdated))
    script = replace_first(script, _CONNECTED, _NOTE_CONNECTED)
    return replace_first(script, _RECONNECT, _FIRST_OR_RECONNECT)


def _once_if_outdated(action: str) -> str:
    """Never while developing, when a connection may come before the pages are built anew."""
    return f"""let has_said = app.isDevMode;
  socket.current.on(STATE_MISMATCH_EVENT, () => {{
    if (has_said) return;
    has_said = true;
    {action}
  }});"""
