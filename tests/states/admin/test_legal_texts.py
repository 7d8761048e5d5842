"""A legal text while it is typed: the error beside its field, and a reconnect (RULE connection-lost)."""

import asyncio
from typing import Any

import pytest
from reflex.istate.data import RouterData
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.errors import Unavailable
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import User
from marketplace_app.services import sessions
from marketplace_app.states.admin import legal_texts
from marketplace_app.states.admin.legal_texts import AdminLegalState
from marketplace_app.states.events import base
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast

REFUSED = "A bell \a"


@pytest.mark.parametrize(("typed", "is_refused"), [((REFUSED,), True), ((REFUSED, "A bell"), False)])
def test_an_error_is_shown_until_the_text_is_corrected(typed: tuple[str, ...], is_refused: bool) -> None:
    assert bool(asyncio.run(error_after(*typed))) == is_refused


def test_the_error_of_an_empty_text_stays_until_something_is_written() -> None:
    assert asyncio.run(error_after("", error="Write a text.")) == "Write a text."


def test_typing_in_a_form_that_was_replaced_changes_no_preview() -> None:
    async def preview(form_key: int) -> int:
        state = await State().get_state(AdminLegalState)
        state.form_key = 2
        await AdminLegalState.event_handlers["show_preview"].fn(state, form_key, "# Terms")
        return len(state.preview)

    assert (asyncio.run(preview(2)), asyncio.run(preview(1))) == (1, 0)


async def error_after(*typed: str, error: str = "") -> str:
    state = await State().get_state(AdminLegalState)
    state.error = error
    for body in typed:
        await AdminLegalState.event_handlers["show_preview"].fn(state, state.form_key, body)
    return str(state.error)


@ON_SQLITE
@pytest.mark.parametrize(
    ("has_reconnected", "query", "shown"),
    [
        (True, "page=terms", ("Terms of Service", 1, "Typed")),
        (False, "page=terms", ("Terms of Service", 2, "")),
        (True, "page=returns", ("Returns", 2, "")),
    ],
    ids=["a reconnect", "a visit", "a reconnect at another page"],
)
def test_only_a_reconnect_keeps_the_text_that_is_being_written(
    has_reconnected: bool,
    query: str,
    shown: tuple[str, int, str],
    engine: Engine,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a reconnect the form is not rebuilt (`form_key` stays 1), and the preview is of what was typed."""
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.ada.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)

    async def load_again() -> tuple[str, int, str]:
        root = State()
        state, viewer = await root.get_state(AdminLegalState), await root.get_state(ViewerState)
        root.router = router("page=terms")
        await AdminLegalState.event_handlers["load"].fn(state)
        await AdminLegalState.event_handlers["show_preview"].fn(state, state.form_key, "Typed")
        root.router, viewer._has_reconnected = router(query), has_reconnected
        await AdminLegalState.event_handlers["load"].fn(state)
        return state.title, state.form_key, "".join(block.text for block in state.preview)

    assert asyncio.run(load_again()) == shown


def test_a_text_that_could_not_be_read_is_not_taken_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty field would invite the owner to write over the published text."""

    async def read(*_args: Any) -> None:
        raise Unavailable()

    async def load() -> tuple[bool, str]:
        root = State()
        state, signal = await root.get_state(AdminLegalState), await root.get_state(SignalState)
        root.router = router("page=terms")
        await AdminLegalState.event_handlers["load"].fn(state)
        return state.is_loading, signal.title

    monkeypatch.setattr(legal_texts, "read", read)
    assert asyncio.run(load()) == (True, Unavailable.message)


def router(query: str) -> RouterData:
    return RouterData.from_router_data({"asPath": f"/admin/legal?{query}", "headers": {"origin": "http://a"}})
