"""The referral panel (RULE referral-panel)."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import messages
from marketplace_app.config import get_settings
from marketplace_app.schemas.account.referrals import CreditState, StatementLine
from marketplace_app.services import referrals
from marketplace_app.states.account.referrals import REFERRER_ID, ReferralsState, StatementRow, _row
from tests.conftest import ON_SQLITE, Cast
from tests.services.test_referrals import apply, code_of
from tests.states.conftest import SignInAs
from tests.states.tabs import focus, send, toast

NOON = datetime(2026, 11, 20, 20, tzinfo=UTC)


def row(state: CreditState, cents: int) -> StatementRow:
    return _row(0, StatementLine(at=NOON, what="a friend", state=state, amount_cents=cents))


def panel(shared_code: str, *steps: tuple[Any, ...]) -> Any:
    """The state of the panel, opened by a link with a code, after these events."""

    async def run() -> Any:
        state = await State().get_state(ReferralsState)
        await state._load(shared_code)
        for step in steps:
            await send(state, *step)
        return state

    return asyncio.run(run())


@pytest.mark.parametrize("state", CreditState)
def test_every_line_of_a_statement_says_what_it_is(state: CreditState) -> None:
    shown = row(state, 100_00)
    assert shown.state and shown.hue
    assert shown.what == "A friend"


@pytest.mark.parametrize(
    ("state", "cents", "amount"),
    [
        (CreditState.EARNED, 100_00, "+$100.00"),
        (CreditState.SPENT, -42_50, "−$42.50"),
        (CreditState.PENDING, 100_00, "$100.00"),
    ],
)
def test_only_what_is_pending_has_no_sign(state: CreditState, cents: int, amount: str) -> None:
    shown = row(state, cents)
    assert (shown.amount, shown.is_pending) == (amount, state is CreditState.PENDING)


@ON_SQLITE
def test_the_code_of_a_shared_link_does_not_replace_what_is_typed(cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)
    assert panel("friend24").typed == "FRIEND24"

    async def come_back() -> str:
        state = await State().get_state(ReferralsState)
        await state._load("")
        await send(state, "type_code", "other234")
        await state._load("friend24")
        return str(state.typed)

    assert asyncio.run(come_back()) == "OTHER234"


@ON_SQLITE
def test_who_was_referred_already_is_offered_no_code(cast: Cast, sign_in_as: SignInAs) -> None:
    apply(cast.alice, code_of(cast.bob))
    sign_in_as(cast.alice)
    shown = panel("friend24")
    assert (shown.can_apply, shown.typed, shown.referred_by) == (False, "", "Bob")


@ON_SQLITE
def test_the_link_leads_to_the_welcome_page_of_this_store(cast: Cast, sign_in_as: SignInAs) -> None:
    code = code_of(cast.alice)
    sign_in_as(cast.alice)
    assert panel("").link == f"{get_settings().public_url}/r/{code}"


@ON_SQLITE
def test_an_applied_code_is_no_longer_in_the_field(cast: Cast, sign_in_as: SignInAs) -> None:
    code = code_of(cast.bob)
    sign_in_as(cast.alice)
    shown = panel(code, ("apply", {"referralCode": code.lower()}))
    assert (shown.typed, shown.error, shown.referred_by, shown.is_applying) == ("", "", "Bob", False)


@ON_SQLITE
def test_the_focus_goes_to_what_replaces_the_form(cast: Cast, sign_in_as: SignInAs) -> None:
    code = code_of(cast.bob)
    sign_in_as(cast.alice)

    async def apply_code() -> list[Any]:
        state = await State().get_state(ReferralsState)
        await state._load("")
        return await send(state, "apply", {"referralCode": code})

    assert asyncio.run(apply_code()) == [focus(REFERRER_ID)]


@ON_SQLITE
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [("----", messages.REFERRAL_TRY_AGAIN), ("ZZZZZZZZ", referrals.UnknownCode.message)],
)
def test_a_refused_code_stays_with_the_reason_beside_it_and_in_a_toast(
    typed: str, sentence: str, cast: Cast, sign_in_as: SignInAs
) -> None:
    sign_in_as(cast.alice)
    shown = panel("", ("type_code", typed), ("apply", {"referralCode": typed}))
    assert (shown.typed, shown.error, shown.is_applying) == (typed, sentence, False)
    assert asyncio.run(toast(shown)) == (messages.REFERRAL_REFUSED, sentence)
    asyncio.run(send(shown, "type_code", "Z"))
    assert shown.error == ""
