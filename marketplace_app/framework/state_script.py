"""Changes to `utils/state.js`, the script that connects a page to its states.

- A redirect may name the URLs from which it is followed: see `redirects.py`.
- A page whose first connection failed still says with its next one that it was just loaded, because it shows nothing
  yet. Reflex says so with the first attempt only, so such a page would count as one that has reconnected.

Relies on `_redirect`, `bootAuth` and the `connect` event in Reflex's template of that file, and on React Router's
`window.__reactRouterDataRouter`, whose `navigation.location` is the page that is being opened.
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


class StateScriptPlugin(rx.plugins.Plugin):
    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](FILE, lambda _written: changed(template()))


def template() -> str:
    """Reflex's original, which it copies once only: an earlier build, perhaps of another version, changed the copy."""
    return (Path(Templates.Dirs.WEB_TEMPLATE) / FILE).read_text()


def changed(script: str) -> str:
    script = replace_first(script, _REDIRECT, ONLY_FROM)
    script = replace_first(script, _CONNECTED, _NOTE_CONNECTED)
    return replace_first(script, _RECONNECT, _FIRST_OR_RECONNECT)
