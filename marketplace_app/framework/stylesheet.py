"""A stylesheet that replaces Tailwind's own.

Relies on Reflex's Tailwind plugin writing its root stylesheet to `styles/tailwind.css`, with an `@config` that names
the plugin's configuration, before Reflex runs the tasks that modify files.
"""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import reflex as rx
from reflex_base.constants.base import Dirs
from reflex_base.plugins.shared_tailwind import TailwindConfig
from reflex_base.plugins.tailwind_v4 import Constants

from marketplace_app.framework.patching import NothingToPatch

CONFIGURATION = '@config "../tailwind.config.js";\n'
"""Says in which files Tailwind looks for class names. Our stylesheet needs it too."""
UTILITIES_IMPORT = '@import "tailwindcss/utilities.css" layer(utilities);\n'
ROOT_STYLESHEET = str(Path(Dirs.STYLES) / Constants.ROOT_STYLE_PATH)


@dataclasses.dataclass
class StylesheetPlugin(rx.plugins.TailwindV4Plugin):
    """Tailwind with our own stylesheet, and without the typography plugin."""

    stylesheet: Callable[[], str] = dataclasses.field(kw_only=True)
    config: TailwindConfig = dataclasses.field(default_factory=lambda: TailwindConfig(plugins=[]))

    def pre_compile(self, **context: Any) -> None:
        super().pre_compile(**context)  # type: ignore[no-untyped-call]
        context["add_modify_task"](ROOT_STYLESHEET, self.replace)

    def replace(self, generated: str) -> str:
        """Replaces the generated stylesheet, after checking that it has the expected imports."""
        for expected in (UTILITIES_IMPORT, CONFIGURATION):
            if expected not in generated:
                raise NothingToPatch(repr(expected))
        return self.stylesheet()
