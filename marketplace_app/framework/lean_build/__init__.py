"""Leaves out of the bundle what Reflex imports but the store never uses.

- Emotion: no component has the prop `css`, so its `jsx` is React's `createElement`. A generated component with `css`
  stops the build.
- universal-cookie: only for `rx.Cookie`.
- Of engine.io-client all transports but websockets, the only one that `rxconfig.py` allows.

Relies on `vite.config.js` having `plugins: [` once, on the names by which Reflex imports these packages, and on
engine.io-client importing its list of transports from `./transports/index.js`. The build stops if one of them is not
imported any more.
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
