"""A tab of the owner, for tests that call handlers one after the other."""

import asyncio
import inspect
from typing import Any

import pytest
from reflex.event import Event
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.models import User
from marketplace_app.services import sessions
from marketplace_app.states.events import base, subscriptions
from marketplace_app.states.events.signal import SignalState
from tests.conftest import Cast


class Tab:
    """Its states stay as they are from one event to the next."""

    def __init__(self) -> None:
        self.root = State()
        self.session_token = ""

    def sign_in(self, user: User) -> None:
        self.session_token = db.write(lambda s: sessions.start(s, s.get_one(User, user.id)))

    def state(self, state_class: type[Any]) -> Any:
        return asyncio.run(self.root.get_state(state_class))

    def send(self, state: Any, event: str, *arguments: Any) -> list[dict[str, Any]]:
        """Returns what the browser is told to do besides showing the state, such as `{"ref": "ref_planned"}`."""
        handler = type(state).event_handlers[event].fn
        return asyncio.run(_payloads(handler(state, *arguments)))

    @property
    def toast(self) -> tuple[str, str]:
        """Title and text of the last one."""
        signal = self.state(SignalState)
        return signal.title, signal.text


async def _payloads(answer: Any) -> list[dict[str, Any]]:
    events = [each async for each in answer] if inspect.isasyncgen(answer) else [await answer]
    return [Event.from_event_type(each)[0].payload for each in events if each is not None]


def focus_on(element_id: str) -> dict[str, Any]:
    """What moves the focus there."""
    return {"ref": f"ref_{element_id.replace('-', '_')}"}


@pytest.fixture
def tab(engine: Engine, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Tab:
    owner_tab = Tab()
    owner_tab.sign_in(cast.ada)
    monkeypatch.setattr(base, "session_token_of", lambda _state: owner_tab.session_token)
    monkeypatch.setattr(subscriptions, "_SUBSCRIPTIONS", {})
    return owner_tab
