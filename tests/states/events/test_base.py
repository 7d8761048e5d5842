"""Where guests are sent, and as whom services are called."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import db
from marketplace_app.errors import NotSignedIn
from marketplace_app.limits import SIGN_IN_REDIRECT_MS
from marketplace_app.messages import Notice
from marketplace_app.models import TicketStatus, User
from marketplace_app.schemas.tickets import SupportParams
from marketplace_app.services import accounts, sessions
from marketplace_app.services.account import preferences
from marketplace_app.states.events.base import (
    SIGNED_IN,
    action,
    policy_of,
    query_of,
    read,
    refuse_guest,
    sign_in_path,
    write,
)
from marketplace_app.states.events.signal import SignalState
from tests.conftest import ON_SQLITE, Cast
from tests.states.conftest import SignInAs
from tests.states.tabs import show_url

PLEASE = Notice("Please Sign In", "You need to sign in.")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("/", "/api/login?return_to=/"),
        ("/product/7?x=1&y=a%20b", "/api/login?return_to=/product/7%3Fx%3D1%26y%3Da%2520b"),
        ("/api/logout", "/api/login?return_to=/"),
    ],
)
def test_signing_in_leads_back_to_the_page_with_its_query(url: str, path: str) -> None:
    """RULE sign-in-redirect: never below `/api`."""
    root = State()
    show_url(root, url)
    assert sign_in_path(root) == path


@pytest.mark.parametrize(
    ("declared", "title", "is_sent", "after_ms"),
    [
        ({"signed_out": PLEASE}, PLEASE.title, True, SIGN_IN_REDIRECT_MS),
        ({"must_sign_in": True}, "", True, 0),
        ({}, "", False, 0),
    ],
    ids=["with a notice", "without a notice", "where only members have the control"],
)
def test_a_guest_reads_the_notice_before_they_are_sent_to_sign_in(
    declared: dict[str, Any], title: str, is_sent: bool, after_ms: int
) -> None:
    @action(who=SIGNED_IN, **declared)
    async def handler(self: Any) -> None: ...

    async def refuse() -> SignalState:
        root = State()
        policy = policy_of(handler)
        assert policy is not None
        await refuse_guest(root, policy)
        return await root.get_state(SignalState)

    signal = asyncio.run(refuse())
    assert (signal.title, signal.href != "", signal.after_ms) == (title, is_sent, after_ms)


def test_parameters_that_a_page_does_not_know_or_allow_are_ignored() -> None:
    root = State()
    show_url(root, "/support?page=0&status=open&priority=none&colour=red")
    params = query_of(root, SupportParams)
    assert (params.page, params.status, params.priority) == (1, TicketStatus.OPEN, None)


@ON_SQLITE
def test_a_service_is_called_as_the_user_of_the_tab_until_the_session_ends(cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)

    async def ask() -> tuple[str, bool]:
        return (await read(State(), accounts.show)).email, await read(State(), preferences.has_saved)

    assert asyncio.run(ask()) == (cast.alice.email, False)
    db.write(lambda s: sessions.end_all(s, s.get_one(User, cast.alice.id)))
    with pytest.raises(NotSignedIn):
        asyncio.run(write(State(), preferences.delete))
