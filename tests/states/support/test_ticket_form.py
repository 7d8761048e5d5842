"""Tickets of guests are rate-limited on the page as over REST."""

import asyncio
from collections.abc import Callable

from reflex.state import State
from sqlalchemy import Engine

from marketplace_app.errors import TooManyRequests
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.support.ticket_form import TicketFormState

TICKET = {
    "subject": "Driver is late",
    "message": "Where is the driver?",
    "customerEmail": "guest@example.org",
    "customerName": "",
    "category": "",
}


async def submit(root: State, form: dict[str, str]) -> tuple[str, str]:
    """The text of the toast."""
    state = await root.get_state(TicketFormState)
    async for _step in TicketFormState.event_handlers["send"].fn(state, form):
        pass
    signal = await root.get_state(SignalState)
    return signal.title, signal.text


def test_a_flood_of_tickets_from_the_page_is_refused(engine: Engine, configure: Callable[..., None]) -> None:
    configure(TICKET_RATE="2/hour")

    async def three() -> list[tuple[str, str]]:
        root = State()
        return [await submit(root, TICKET) for _ in range(3)]

    said = asyncio.run(three())
    assert [title for title, _ in said] == ["Support Ticket Created", "Support Ticket Created", "Error"]
    assert said[2][1] == TooManyRequests.message


def test_incomplete_tickets_are_not_counted(engine: Engine, configure: Callable[..., None]) -> None:
    configure(TICKET_RATE="1/hour")

    async def twice() -> list[tuple[str, str]]:
        root = State()
        return [await submit(root, TICKET | {"message": " "}), await submit(root, TICKET)]

    assert [title for title, _ in asyncio.run(twice())] == ["Error", "Support Ticket Created"]


def test_a_guest_sees_all_missing_fields_together(engine: Engine) -> None:
    async def errors() -> dict[str, str]:
        root = State()
        await submit(root, dict.fromkeys(TICKET, ""))
        return dict((await root.get_state(TicketFormState)).errors)

    assert asyncio.run(errors()).keys() == {"subject", "message", "customerEmail"}
