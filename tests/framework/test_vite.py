"""Contract with Reflex: the form of its configuration of Vite, and the path of its socket."""

import json

import pytest
from reflex.utils import frontend_skeleton
from reflex_base.config import get_config
from reflex_base.constants import Endpoint, ReactRouter

from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.framework.vite import CONFIGURATION_FILE, EVENT_ENDPOINT, with_options

REFLEX_CONFIGURATION = frontend_skeleton._compile_vite_config(get_config())


def test_the_stores_plugin_is_the_first() -> None:
    assert CONFIGURATION_FILE == ReactRouter.VITE_CONFIG_FILE
    assert REFLEX_CONFIGURATION.count("plugins: [") == 1
    ours = with_options(REFLEX_CONFIGURATION, {"server": {"host": "localhost"}})
    plugin = f'{{ name: "store", config: () => ({json.dumps({"server": {"host": "localhost"}})}) }},'
    assert f"plugins: [\n    {plugin}" in ours
    assert ours.replace(f"\n    {plugin}", "") == REFLEX_CONFIGURATION


def test_a_configuration_of_another_form_is_an_error() -> None:
    with pytest.raises(NothingToPatch):
        with_options("export default {}", {})


def test_the_socket_is_where_reflex_opens_it() -> None:
    assert Endpoint.EVENT.value == EVENT_ENDPOINT
