"""One ticket in its dialog, for its customer and for staff (RULE ticket-display, RULE ticket-reply)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.errors import NotAllowed
from marketplace_app.models import Role, Ticket, TicketStatus, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.tickets import CreatedTicketView, TicketEditForm
from marketplace_app.services.support import tickets
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.support.ticket import TicketState, _when_answered
from tests.builders import make_user
from tests.conftest import ON_SQLITE, Cast
from tests.services.support.test_tickets import buy, reply, write
from tests.states.conftest import SignInAs
from tests.states.tabs import open_url, send, toast

OPEN, IN_PROGRESS, RESOLVED, CLOSED = TicketStatus
Steps = Callable[[Any], Awaitable[Any]]


@pytest.fixture
def ticket(cast: Cast, sign_in_as: SignInAs) -> CreatedTicketView:
    """Alice's. The tab is hers."""
    written = write(cast.alice)
    sign_in_as(cast.alice)
    return written


async def dialog_of(ticket_id: str, viewer: User) -> Any:
    root = State()
    await open_url(root, f"/support?ticket={ticket_id}")
    identity = await root.get_state(ViewerState)
    identity.is_staff, identity._user_id = viewer.is_staff, str(viewer.id)
    dialog = await root.get_state(TicketState)
    dialog._open(ticket_id)
    await dialog._load(ticket_id)
    return dialog


def in_dialog(ticket_id: str, viewer: User, steps: Steps) -> Any:
    async def run() -> Any:
        return await steps(await dialog_of(ticket_id, viewer))

    return asyncio.run(run())


def set_status(cast: Cast, ticket_id: str, status: TicketStatus) -> None:
    form = parse(TicketEditForm, {"status": status.value})
    db.write(lambda s: tickets.edit(s, s.get(User, cast.ada.id), ticket_id, form))


@pytest.mark.parametrize(
    ("estimate", "sentence"),
    [
        ("Immediately", "We answer right away"),
        ("Immediately, once support opens today at 9 AM", "We answer right away, once support opens today at 9 AM"),
        ("Within 1 hour", "We answer within 1 hour"),
        ("1-2 hours of support hours, 9 AM-9 PM", "We answer within 1-2 hours of support hours, 9 AM-9 PM"),
    ],
)
def test_the_estimate_is_a_sentence_to_the_customer(estimate: str, sentence: str) -> None:
    assert _when_answered(estimate) == sentence


@ON_SQLITE
def test_staff_see_who_wrote_and_why_it_was_sorted_and_the_customer_does_not(
    ticket: CreatedTicketView, cast: Cast, sign_in_as: SignInAs
) -> None:
    mine = asyncio.run(dialog_of(ticket.id, cast.alice))
    sign_in_as(cast.ada)
    theirs = asyncio.run(dialog_of(ticket.id, cast.ada))
    assert (mine.customer, mine.triage_words) == ("", "")
    assert mine.estimated_resolution.startswith("We answer")
    assert theirs.customer == "Alice · alice@example.org"
    assert theirs.triage_words == ", ".join(f"“{word}”" for word in ticket.analysis.words) != ""
    assert theirs.estimated_resolution == ticket.analysis.estimated_resolution


@ON_SQLITE
def test_staff_see_that_a_ticket_was_written_by_a_guest(cast: Cast, sign_in_as: SignInAs) -> None:
    by_guest = write(None, customerEmail="guest@example.org")
    sign_in_as(cast.ada)
    assert asyncio.run(dialog_of(by_guest.id, cast.ada)).customer == "guest@example.org (guest)"


@ON_SQLITE
def test_the_order_leads_to_the_page_that_the_viewer_may_open(
    session: Session, cast: Cast, sign_in_as: SignInAs
) -> None:
    order_id = buy(session, cast.alice)["id"]
    about = write(cast.alice, orderId=order_id)
    sign_in_as(cast.alice)
    assert asyncio.run(dialog_of(about.id, cast.alice)).order_href == f"/orders/{order_id}"
    sign_in_as(cast.ada)
    assert asyncio.run(dialog_of(about.id, cast.ada)).order_href == f"/admin/orders/{order_id}"
    assert asyncio.run(dialog_of(write(cast.bob).id, cast.ada)).order_href == ""


@ON_SQLITE
@pytest.mark.parametrize(("is_staff", "mine"), [(False, [True, False, True]), (True, [False, True, False])])
def test_each_side_reads_its_own_messages_as_its_own(
    is_staff: bool, mine: list[bool], ticket: CreatedTicketView, cast: Cast, sign_in_as: SignInAs
) -> None:
    reply(cast.ada, ticket, "On his way.")
    reply(cast.alice, ticket, "Thank you.")
    viewer = cast.ada if is_staff else cast.alice
    sign_in_as(viewer)
    conversation = asyncio.run(dialog_of(ticket.id, viewer)).conversation
    assert [row.is_own_side for row in conversation] == mine
    assert [row.who for row in conversation] == ["Alice", "Stillroom support", "Alice"]


@ON_SQLITE
def test_staff_are_the_customers_of_their_own_tickets(session: Session, cast: Cast, sign_in_as: SignInAs) -> None:
    colleague = make_user(session, "otto", role=Role.OWNER)
    session.commit()
    own = write(cast.ada)
    reply(colleague, own, "On his way.")
    reply(cast.ada, own, "Thank you.")
    set_status(cast, own.id, RESOLVED)
    sign_in_as(cast.ada)
    dialog = asyncio.run(dialog_of(own.id, cast.ada))
    assert [row.is_own_side for row in dialog.conversation] == [True, False, True]
    assert dialog.can_reopen


@ON_SQLITE
@pytest.mark.parametrize(
    ("status", "can_reply", "can_reopen"),
    [(OPEN, True, False), (IN_PROGRESS, True, False), (RESOLVED, False, True), (CLOSED, False, False)],
)
def test_a_customer_may_answer_until_it_is_resolved_and_reopen_it_until_it_is_closed(
    status: TicketStatus, can_reply: bool, can_reopen: bool, ticket: CreatedTicketView, cast: Cast, sign_in_as: SignInAs
) -> None:
    if status is not OPEN:
        set_status(cast, ticket.id, status)
    dialog = asyncio.run(dialog_of(ticket.id, cast.alice))
    assert (dialog.can_reply, dialog.can_reopen) == (can_reply, can_reopen)
    sign_in_as(cast.ada)
    assert not asyncio.run(dialog_of(ticket.id, cast.ada)).can_reopen


@ON_SQLITE
def test_a_reply_that_would_reopen_the_ticket_can_be_written_while_others_change_it(
    ticket: CreatedTicketView, cast: Cast
) -> None:
    set_status(cast, ticket.id, RESOLVED)
    other = write(cast.alice)
    set_status(cast, other.id, RESOLVED)

    async def reopen(dialog: Any) -> list[tuple[bool, bool]]:
        shown = []
        await send(dialog, "reopen")
        for ticket_id in (ticket.id, other.id, ticket.id):
            dialog._open(ticket_id)
            await dialog._load(ticket_id)
            shown.append((dialog.can_reply, dialog.can_reopen))
        return shown

    assert in_dialog(ticket.id, cast.alice, reopen) == [(True, False), (False, True), (False, True)]


@ON_SQLITE
def test_an_answer_to_a_closed_ticket_stays_in_its_box(ticket: CreatedTicketView, cast: Cast) -> None:
    async def answer(dialog: Any) -> tuple[bool, bool, int, tuple[str, str]]:
        await send(dialog, "type_reply", "Thank you.")
        key = dialog.form_key
        set_status(cast, ticket.id, CLOSED)
        await send(dialog, "send", {"message": "Thank you.", "form_key": str(key)})
        return dialog.has_text, dialog.is_sending, dialog.form_key - key, await toast(dialog)

    assert in_dialog(ticket.id, cast.alice, answer) == (True, False, 0, (messages.ERROR, messages.TICKET_CLOSED))


@ON_SQLITE
def test_a_form_that_comes_back_empty_has_nothing_to_send(ticket: CreatedTicketView, cast: Cast) -> None:
    """Another solves the ticket while somebody writes, who then reopens it."""

    async def reopen(dialog: Any) -> list[tuple[bool, bool]]:
        await send(dialog, "type_reply", "Thank you.")
        shown = [(dialog.can_reply, dialog.has_text)]
        set_status(cast, ticket.id, RESOLVED)
        await dialog._load(ticket.id)
        shown.append((dialog.can_reply, dialog.has_text))
        await send(dialog, "reopen")
        return [*shown, (dialog.can_reply, dialog.has_text)]

    assert in_dialog(ticket.id, cast.alice, reopen) == [(True, True), (False, False), (True, False)]


@ON_SQLITE
def test_a_reply_of_spaces_cannot_be_sent(ticket: CreatedTicketView, cast: Cast) -> None:
    async def type_it(dialog: Any) -> list[bool]:
        typed = []
        for text in ("Thanks", "  \n", "T"):
            await send(dialog, "type_reply", text)
            typed.append(dialog.has_text)
        return typed

    assert in_dialog(ticket.id, cast.alice, type_it) == [True, False, True]


@ON_SQLITE
def test_a_customer_changes_nothing_of_a_ticket(ticket: CreatedTicketView, cast: Cast) -> None:
    async def change(dialog: Any) -> tuple[str, tuple[str, str]]:
        await send(dialog, "change", "priority", "urgent")
        return dialog.priority, await toast(dialog)

    assert in_dialog(ticket.id, cast.alice, change) == (ticket.priority.value, (messages.ERROR, NotAllowed.message))
    assert db.read(lambda s: s.get_one(Ticket, ticket.id)).priority is ticket.priority


@ON_SQLITE
def test_closing_the_dialog_takes_the_ticket_out_of_the_url(ticket: CreatedTicketView, cast: Cast) -> None:
    """In place of its entry in the history: Back does not open it again."""

    async def close(dialog: Any) -> tuple[list[Any], list[Any], str, list[Any]]:
        opened = await send(dialog, "set_open", True)
        return opened, await send(dialog, "set_open", False), dialog.view, dialog.conversation

    opened, closed, view, conversation = in_dialog(ticket.id, cast.alice, close)
    assert opened == []
    assert [(each["path"], each["replace"]) for each in closed] == [("/support", True)]
    assert (view, conversation) == ("closed", [])
