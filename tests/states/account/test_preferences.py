"""What the preferences page shows when it is opened again (RULE preferences)."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from reflex.state import State

from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.states.account import preferences
from marketplace_app.states.account.preferences import PreferencesState
from marketplace_app.states.events.viewer import ViewerState


async def load_again(*, has_reconnected: bool) -> tuple[bool, dict[str, str]]:
    """The page had a refused form, in which the saved consent was unticked."""
    root = State()
    state, viewer = await root.get_state(PreferencesState), await root.get_state(ViewerState)
    viewer._has_reconnected = has_reconnected
    state.view, state.has_consented, state.is_consent_ticked = "ready", True, False
    state.errors = {"medicalConsent": "Consent is needed."}
    async for _ in PreferencesState.event_handlers["load"].fn(state):
        pass
    return state.is_consent_ticked, dict(state.errors)


@pytest.mark.parametrize("has_reconnected", [False, True])
def test_only_a_reconnect_keeps_what_was_ticked_and_refused(
    has_reconnected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A form that is built anew shows the saved consent. Otherwise its medical needs would be disabled, and
    lost when it is saved, because browsers do not send disabled boxes."""

    async def read(*_: Any) -> SimpleNamespace:
        return SimpleNamespace(saved_at=None)

    monkeypatch.setattr(preferences, "read", read)
    kept = (False, {"medicalConsent": "Consent is needed."})
    assert asyncio.run(load_again(has_reconnected=has_reconnected)) == (kept if has_reconnected else (True, {}))
