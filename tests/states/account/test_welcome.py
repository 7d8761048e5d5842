"""The page that a referral link opens (RULE referral-link)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import db
from marketplace_app.models import User
from marketplace_app.services import referrals
from marketplace_app.states.account import welcome
from marketplace_app.states.account.welcome import WelcomeState
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast
from tests.services.test_referrals import code_of
from tests.states.conftest import SignInAs
from tests.states.tabs import send, toast

OFFER = "Bob sent you $100 off your first order"


def arrive(code: str, monkeypatch: pytest.MonkeyPatch, *, is_signed_in: bool) -> tuple[Any, list[Any], str]:
    """The page, what the tab is sent to, and the title of the toast."""
    monkeypatch.setattr(welcome, "referral_code_of", lambda _state: code)

    async def run() -> tuple[Any, list[Any], str]:
        root = State()
        (await root.get_state(ViewerState)).is_signed_in = is_signed_in
        state = await root.get_state(WelcomeState)
        opened = await send(state, "load")
        return state, opened, (await toast(root))[0]

    return asyncio.run(run())


def referrer_of(who: User) -> int | None:
    return db.read(lambda s: s.get_one(User, who.id)).referred_by_id


@ON_SQLITE
def test_a_guest_reads_who_sent_the_link_and_what_it_is_worth(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    state, opened, said = arrive(code_of(cast.bob), monkeypatch, is_signed_in=False)
    assert (state.offer, state.refusal, state.is_loaded) == (OFFER, "", True)
    assert (opened, said) == ([], "")


@ON_SQLITE
def test_a_signed_in_user_gets_the_discount_and_goes_to_the_store(
    cast: Cast, sign_in_as: SignInAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back must not lead to the welcome page, where the same code would be refused."""
    code = code_of(cast.bob)
    sign_in_as(cast.alice)
    _, opened, said = arrive(code, monkeypatch, is_signed_in=True)
    assert [(each["path"], each["replace"]) for each in opened] == [("/", True)]
    assert said == "Referral Applied!"
    assert referrer_of(cast.alice) == cast.bob.id


@ON_SQLITE
def test_a_code_that_is_refused_says_why_on_the_page(
    cast: Cast, sign_in_as: SignInAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = code_of(cast.bob)
    sign_in_as(cast.bob)
    state, opened, said = arrive(code, monkeypatch, is_signed_in=True)
    assert (state.refusal, state.is_loaded) == (referrals.OwnCode.message, True)
    assert (opened, said) == ([], "")


@ON_SQLITE
@pytest.mark.parametrize("is_signed_in", [False, True])
def test_a_code_of_nobody_is_no_error(
    is_signed_in: bool, cast: Cast, sign_in_as: SignInAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in_as(cast.alice)
    state, opened, said = arrive("ZZZZZZZZ", monkeypatch, is_signed_in=is_signed_in)
    assert (state.offer, state.refusal, state.is_loaded) == ("", "", True)
    assert (opened, said, referrer_of(cast.alice)) == ([], "", None)
