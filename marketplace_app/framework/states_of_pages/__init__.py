"""Moves the initial values of a state into the files of the pages that read it, if they are all of one section.

Reflex writes the values of every state into one file that every page loads, so a shopper would load those of all admin
pages. A section is the first part of a page's path.

In the file that every page loads, the state stays, but without values, so that it can keep what the server sends
before a page that reads it is loaded. The file of that page then fills in the values that are still missing, and
overwrites none. It calls the function with which Reflex reloads a changed state, `mergeInitialState`.

Relies on `vite.config.js` having `plugins: [` once, on `app/root.jsx` and `app/routes/`, on `from "$/..."` in their
imports and `useStateContext("...")` where they read a state, and on `initialState`, `createStateStore` and
`mergeInitialState` of `utils/context.jsx`. The build stops if one of them is not found.
"""

from pathlib import Path
from typing import Any

import reflex as rx

from marketplace_app.framework.vite import CONFIGURATION_FILE, with_plugin

_SCRIPT = Path(__file__).parent / "plugin.js"
_TARGET = Path("states-of-pages.js")


class StatesOfPagesPlugin(rx.plugins.Plugin):
    def get_static_assets(self, **_context: Any) -> list[tuple[Path, str | bytes]]:
        return [(_TARGET, _SCRIPT.read_text())]

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](CONFIGURATION_FILE, with_states_of_pages)


def with_states_of_pages(configuration: str) -> str:
    return with_plugin(configuration, "statesOfPages", f"./{_TARGET}")
