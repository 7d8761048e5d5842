"""The page of an invitation (RULE invitation-page)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine, delete

from marketplace_app import db, messages
from marketplace_app.errors import StoreError, Unavailable
from marketplace_app.marketplace_app import app  # noqa: F401 - gives the states the arguments of their routes
from marketplace_app.models import Invitation, User
from marketplace_app.services.account.invitations import InvalidInvitation
from marketplace_app.states.account import invitation
from marketplace_app.states.account.invitation import InvitationState
from marketplace_app.states.events import base, guard
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast
from tests.services.account.test_invitations import invite
from tests.states.conftest import SignInAs
from tests.states.tabs import send, show_url, toast


async def open_invitation(code: str) -> Any:
    root = State()
    show_url(root, f"/invite/{code}", invitation_code=code)
    state = await root.get_state(InvitationState)
    await send(state, "load")
    return state


async def accept(code: str) -> tuple[Any, list[Any], tuple[str, str]]:
    """The page, what the tab is sent to, and the toast."""
    state = await open_invitation(code)
    opened = await send(state, "accept")
    return state, opened, await toast(state)


@pytest.mark.parametrize(
    ("error", "view", "title"),
    [(InvalidInvitation(), "invalid", ""), (Unavailable(), "failed", Unavailable.message)],
)
def test_only_an_invalid_invitation_is_called_invalid(
    error: StoreError, view: str, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(*_args: Any) -> None:
        raise error

    async def shown() -> tuple[str, str]:
        state = await open_invitation("ABCD1234")
        return state.view, (await toast(state))[0]

    monkeypatch.setattr(invitation, "read", read)
    assert asyncio.run(shown()) == (view, title)


@ON_SQLITE
@pytest.mark.parametrize(("has_reconnected", "shown"), [(True, "valid"), (False, "loading")])
def test_an_open_invitation_stays_on_the_screen_through_a_reconnect(
    has_reconnected: bool, shown: str, cast: Cast
) -> None:
    code = invite(cast.ada)

    async def load_again() -> list[str]:
        state = await open_invitation(code)
        (await state.get_state(ViewerState))._has_reconnected = has_reconnected
        return [state.view async for _ in InvitationState.event_handlers["load"].fn(state)] or [state.view]

    assert asyncio.run(load_again()) == [shown]


@ON_SQLITE
def test_an_open_invitation_that_was_revoked_during_an_outage_is_invalid(cast: Cast) -> None:
    code = invite(cast.ada)

    async def load_again() -> tuple[str, tuple[str, str]]:
        state = await open_invitation(code)
        (await state.get_state(ViewerState))._has_reconnected = True
        db.write(lambda s: s.execute(delete(Invitation)))
        await send(state, "load")
        return state.view, await toast(state)

    assert asyncio.run(load_again()) == ("invalid", ("", ""))


@ON_SQLITE
def test_a_url_without_a_code_is_not_looked_up(engine: Engine) -> None:
    """It would be called invalid."""
    assert asyncio.run(open_invitation("")).view == "none"


@ON_SQLITE
def test_an_accepted_invitation_opens_the_store(cast: Cast, sign_in_as: SignInAs) -> None:
    code = invite(cast.ada)
    sign_in_as(cast.bob)
    state, opened, said = asyncio.run(accept(code))
    assert (state.email, state.first_name) == ("friend@example.org", "Mary")
    assert [each["path"] for each in opened] == ["/"]
    assert said[0] == messages.WELCOME.title
    assert db.read(lambda s: s.get_one(User, cast.bob.id)).invited_at is not None


@ON_SQLITE
def test_the_tab_that_accepts_knows_at_once_that_the_shop_is_open(
    cast: Cast, sign_in_as: SignInAs, configure: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the push of the change would find a viewer who may see more, and load the page of the used invitation."""
    configure(ACCESS_MODE="invite_only")
    code = invite(cast.ada)
    sign_in_as(cast.bob)
    monkeypatch.setattr(guard, "session_token_of", base.session_token_of)

    async def seen_as() -> list[Any]:
        state = await open_invitation(code)
        await guard.identify_again(state)
        viewer = await state.get_state(ViewerState)
        seen = [viewer.has_access]
        await send(state, "accept")
        return [*seen, viewer.has_access]

    assert asyncio.run(seen_as()) == [False, True]


@ON_SQLITE
def test_an_invitation_that_was_used_meanwhile_opens_nothing_and_can_be_tried_again(
    cast: Cast, sign_in_as: SignInAs
) -> None:
    code = invite(cast.ada)
    sign_in_as(cast.bob)

    async def accept_after_somebody_else() -> tuple[list[Any], bool, tuple[str, str]]:
        state = await open_invitation(code)
        sign_in_as(cast.zoe)
        await accept(code)
        sign_in_as(cast.bob)
        return await send(state, "accept"), state.is_accepting, await toast(state)

    refused = (messages.ACCEPT_FAILED.title, InvalidInvitation.message)
    assert asyncio.run(accept_after_somebody_else()) == ([], False, refused)
