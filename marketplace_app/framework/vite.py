"""Vite's configuration, and the path of the event socket.

Relies on `vite.config.js` having `plugins: [` once, followed by Reflex's own plugins, and on Reflex serving its event
socket at `EVENT_ENDPOINT`.
"""

import json
from typing import Any

from marketplace_app.framework.patching import replace_first

CONFIGURATION_FILE = "vite.config.js"
EVENT_ENDPOINT = "_event"
"""The path at which browsers open the socket."""
_PLUGINS = "plugins: ["


def with_plugin(configuration: str, name: str, module: str) -> str:
    """The configuration file with an added Vite plugin: what the default export of `module` returns."""
    added = replace_first(configuration, _PLUGINS, f"{_PLUGINS}\n    {name}(),")
    return f'import {name} from "{module}";\n{added}'


def with_options(configuration: str, options: dict[str, Any]) -> str:
    """The configuration file with an added Vite plugin that merges `options` into the configuration."""
    plugin = f"""{{ name: "store", config: () => ({json.dumps(options)}) }}"""
    return replace_first(configuration, _PLUGINS, f"{_PLUGINS}\n    {plugin},")
