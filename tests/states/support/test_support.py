"""The list of tickets: one's own or, for staff, all (RULE support-page)."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.adapters import live
from marketplace_app.limits import TICKETS_PAGE_SIZE
from marketplace_app.models import User
from marketplace_app.services import privacy
from marketplace_app.states.events import subscriptions
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.support.support import SupportState
from marketplace_app.states.support.ticket import TicketState
from tests.conftest import ON_SQLITE, Cast
from tests.services.support.test_tickets import write
from tests.states.conftest import SignInAs
from tests.states.tabs import open_url, press, send


@pytest.fixture(autouse=True)
def no_subscriptions() -> Iterator[None]:
    yield
    subscriptions.retain_connected(())


async def open_list(url: str, viewer: User | None) -> Any:
    root = State()
    await open_url(root, url)
    known = await root.get_state(ViewerState)
    known._set_user(viewer, has_access=True)
    if viewer is not None:
        subscriptions.set_tab_user("", viewer.id)
    state = await root.get_state(SupportState)
    await send(state, "load")
    return state


@ON_SQLITE
def test_a_guest_is_told_to_sign_in_and_comes_back_to_the_ticket(engine: Engine) -> None:
    state = asyncio.run(open_list("/support?ticket=abc", None))
    assert state.sign_in_href == "/api/login?return_to=/support%3Fticket%3Dabc"
    assert state.tickets == []


@ON_SQLITE
def test_staff_see_all_tickets_with_their_customers_and_others_only_their_own(cast: Cast, sign_in_as: SignInAs) -> None:
    write(cast.alice)
    write(None, customerEmail="guest@example.org", subject="Is it open?")
    sign_in_as(cast.ada)
    everybody = asyncio.run(open_list("/support", cast.ada))
    assert everybody.count_label == "2 tickets"
    assert {row.subtitle.rpartition(" · ")[2] for row in everybody.tickets} == {"Alice", "guest@example.org"}
    sign_in_as(cast.alice)
    [own] = asyncio.run(open_list("/support", cast.alice)).tickets
    assert own.subtitle.endswith("Delivery & Shipping")
    assert own.subtitle.startswith(f"{own.id[:8]} · ")


@ON_SQLITE
@pytest.mark.parametrize(("is_staff", "topic"), [(False, "person"), (True, "staff")])
def test_a_tab_is_refreshed_for_the_tickets_that_it_shows(
    is_staff: bool, topic: str, cast: Cast, sign_in_as: SignInAs
) -> None:
    viewer = cast.ada if is_staff else cast.alice
    sign_in_as(viewer)
    asyncio.run(open_list("/support", viewer))
    topics = {"person": live.user(viewer.id), "staff": live.STAFF}
    refreshed = {name for name, each in topics.items() if subscriptions.subscribers(frozenset({each}))}
    assert refreshed == {topic}


@ON_SQLITE
@pytest.mark.parametrize(("page", "shown"), [(1, (1, TICKETS_PAGE_SIZE)), (2, (2, 1)), (99, (2, 1))])
def test_a_page_beyond_the_end_is_the_last_one(
    page: int, shown: tuple[int, int], cast: Cast, sign_in_as: SignInAs
) -> None:
    for _ in range(TICKETS_PAGE_SIZE + 1):
        write(cast.alice)
    sign_in_as(cast.alice)
    state = asyncio.run(open_list(f"/support?page={page}", cast.alice))
    assert (state.page, len(state.tickets), state.pages) == (*shown, 2)


@ON_SQLITE
def test_a_filter_leads_to_the_first_page_without_a_ticket(cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.ada)

    async def choose() -> list[str]:
        state = await open_list("/support?page=3&status=open&ticket=abc", cast.ada)
        paths = [(await press(state, "filter_by", "priority", "high"))["path"]]
        return [*paths, (await press(state, "filter_by", "status", ""))["path"]]

    assert asyncio.run(choose()) == ["/support?status=open&priority=high", "/support?priority=high"]


@ON_SQLITE
def test_filters_in_the_url_are_those_of_staff(cast: Cast, sign_in_as: SignInAs) -> None:
    """Somebody else who opens such a link sees all of their own."""
    write(cast.alice)
    url = "/support?status=closed"
    sign_in_as(cast.alice)
    own = asyncio.run(open_list(url, cast.alice))
    assert (own.is_filtered, len(own.tickets)) == (False, 1)
    sign_in_as(cast.ada)
    everybody = asyncio.run(open_list(url, cast.ada))
    assert (everybody.is_filtered, everybody.tickets) == (True, [])


@ON_SQLITE
def test_a_ticket_of_somebody_else_is_missing_and_the_list_is_not(cast: Cast, sign_in_as: SignInAs) -> None:
    foreign = write(cast.bob)
    write(cast.alice)
    sign_in_as(cast.alice)

    async def follow() -> tuple[str, int]:
        state = await open_list(f"/support?ticket={foreign.id}", cast.alice)
        return (await state.get_state(TicketState)).view, len(state.tickets)

    assert asyncio.run(follow()) == ("missing", 1)


@ON_SQLITE
def test_a_ticket_that_is_erased_while_staff_read_it_is_missing(cast: Cast, sign_in_as: SignInAs) -> None:
    ticket = write(cast.alice)
    sign_in_as(cast.ada)

    async def erase() -> tuple[str, str, list[Any]]:
        state = await open_list(f"/support?ticket={ticket.id}", cast.ada)
        dialog = await state.get_state(TicketState)
        before = dialog.view
        db.write(lambda s: privacy.erase(s, s.get_one(User, cast.alice.id)))
        await state._refresh()
        return before, dialog.view, state.tickets

    assert asyncio.run(erase()) == ("found", "missing", [])


@ON_SQLITE
def test_the_dialog_closes_with_its_ticket_in_the_url(cast: Cast, sign_in_as: SignInAs) -> None:
    """As by Back."""
    ticket = write(cast.alice)
    sign_in_as(cast.alice)

    async def go_back() -> tuple[str, str]:
        state = await open_list(f"/support?ticket={ticket.id}", cast.alice)
        dialog = await state.get_state(TicketState)
        before = dialog.view
        await open_url(state._get_root_state(), "/support")
        await send(state, "load")
        return before, dialog.view

    assert asyncio.run(go_back()) == ("found", "closed")
