"""Leaves out of the bundle what Reflex imports but the store never uses, and minifies the store's own scripts.

- Emotion, which is needed only for components with the prop `css`: its `jsx` is replaced by React's `createElement`.
  A generated component with `css` stops the build.
- universal-cookie, which is for `rx.Cookie`, and Reflex's uploads, which are for `rx.upload`.
- mergician, which merges nested objects: Reflex gives it only flat ones, for which `Object.assign` is enough.
- All transports of engine.io-client but websockets, the only one that `rxconfig.py` allows.
- `window.__reflex`, which holds whole modules for components that are sent as text: the content security policy forbids
  those.
- `eval` in Reflex's own code, which the policy forbids as well. In a file that contains an `eval` no name can be
  shortened, because the text that is run could use any of them.
- The time of the build and a random number, which `reflex.json` holds: with them no two builds of one version would
  have the same scripts.

Relies on `vite.config.js` having `plugins: [` once, on the names by which Reflex imports these packages, on
`utils/helpers/upload.js`, on `app/root.jsx` assigning `window.__reflex`, on `eval(` in `utils/state.js` and its
import of `reflex.json`, on `transports/index.js` of engine.io-client, and on `minifySync` of `rolldown/utils`. The
build stops if one of them is not found.
"""

from pathlib import Path
from typing import Any

import reflex as rx

from marketplace_app.framework.vite import CONFIGURATION_FILE, with_plugin

_FOLDER = Path(__file__).parent
_TARGET = Path("lean-build")


class LeanBuildPlugin(rx.plugins.Plugin):
    def get_static_assets(self, **_context: Any) -> list[tuple[Path, str | bytes]]:
        return [(_TARGET / file.name, file.read_text()) for file in sorted(_FOLDER.glob("*.js"))]

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](CONFIGURATION_FILE, with_lean_build)


def with_lean_build(configuration: str) -> str:
    return with_plugin(configuration, "leanBuild", f"./{_TARGET}/plugin.js")
