"""Pages that call the server they were loaded from, so that one build works at every origin.

Reflex writes the URLs that are configured at build time into the file `reflex-env-….js`.

Relies on the name of that file, and on its URLs being template literals, as the minifier writes them.
"""

import re
from pathlib import Path
from typing import Any

import reflex as rx

from marketplace_app.framework.patching import NothingToPatch, substitute

_FILE = "assets/reflex-env-*.js"
_URL = re.compile(r"`(http|ws)s?://[^/`]+(/[^`]*)`")
_ORIGIN = {"http": "location.origin", "ws": "location.origin.replace(`http`,`ws`)"}


class SameOriginPlugin(rx.plugins.Plugin):
    def post_build(self, **context: Any) -> None:
        built = Path(context["static_dir"])
        files = list(built.glob(_FILE))
        if not files:
            raise NothingToPatch(_FILE)
        for file in files:
            file.write_text(with_own_origin(file.read_text()))


def with_own_origin(script: str) -> str:
    return substitute(_URL, lambda url: f"{_ORIGIN[url[1]]}+`{url[2]}`", script)
