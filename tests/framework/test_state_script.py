"""Contract with Reflex: the script that connects a page to its states, as the store changes it."""

from collections.abc import Callable

import pytest
from reflex_base.constants.event import SocketEvent

from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.framework.state_script import FILE, ONLY_FROM, StateScriptPlugin, changed, template


def test_the_script_is_changed_once_however_often_the_pages_are_built() -> None:
    tasks: dict[str, Callable[[str], str]] = {}
    StateScriptPlugin("say();").pre_compile(add_modify_task=tasks.__setitem__)
    script = tasks[FILE](template())
    assert (script.count(ONLY_FROM), script.count("event.payload.from")) == (1, 1)
    assert tasks[FILE](script) == script
    with pytest.raises(NothingToPatch):
        changed("export {}", "say();")


def test_only_a_page_that_was_connected_reconnects() -> None:
    """Reflex asks for the first state in two places: when it makes the socket, and when it connects it again."""
    script = changed(template(), "say();")
    assert script.count("socket.current.auth = bootAuth(") == 2
    assert "bootAuth(false)" not in script
    assert script.count("has_connected") == 2


def test_a_page_of_another_version_is_not_reloaded() -> None:
    """Reflex reloads it, or shows a banner of its own, in the one handler of that message."""
    script = changed(template(), "say();")
    assert script.count("say();") == 1
    assert script.count("on(STATE_MISMATCH_EVENT") == 1
    assert script.count("handleStateMismatch") == 1  # its definition, which the build leaves out
    assert f'STATE_MISMATCH_EVENT = "{SocketEvent.STATE_MISMATCH}"' in script
    assert "app.isDevMode" in template()
