"""The error beside the field of a legal text while it is typed."""

import asyncio

import pytest
from reflex.state import State

from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states.admin.legal_texts import AdminLegalState

REFUSED = "A bell \a"


@pytest.mark.parametrize(("typed", "is_refused"), [((REFUSED,), True), ((REFUSED, "A bell"), False)])
def test_an_error_is_shown_until_the_text_is_corrected(typed: tuple[str, ...], is_refused: bool) -> None:
    assert bool(asyncio.run(error_after(*typed))) == is_refused


def test_the_error_of_an_empty_text_stays_until_something_is_written() -> None:
    assert asyncio.run(error_after("", error="Write a text.")) == "Write a text."


async def error_after(*typed: str, error: str = "") -> str:
    state = await State().get_state(AdminLegalState)
    state.error = error
    for body in typed:
        await AdminLegalState.event_handlers["show_preview"].fn(state, body)
    return str(state.error)
