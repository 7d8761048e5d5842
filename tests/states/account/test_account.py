"""The account page: which tab is open, and what is read for it (RULE account-page)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.models import OrderStatus
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.account.addresses import AddressesState
from marketplace_app.states.account.profile import ProfileState
from marketplace_app.states.account.referrals import ReferralsState
from marketplace_app.states.buying.orders import OrdersState
from marketplace_app.states.buying.saved import SavedState
from tests.builders import make_order
from tests.conftest import ON_SQLITE, Cast
from tests.states.conftest import SignInAs
from tests.states.tabs import send, show_url, toast


@ON_SQLITE
def test_the_profile_says_what_is_not_known_and_adds_up_what_was_spent(
    session: Session, cast: Cast, sign_in_as: SignInAs
) -> None:
    """A cancelled order was not paid."""
    make_order(session, cast.alice, 1_200_00, status=OrderStatus.DELIVERED)
    make_order(session, cast.alice, 60_00, status=OrderStatus.CANCELLED)
    session.commit()
    sign_in_as(cast.alice)

    async def facts() -> dict[str, str]:
        root = State()
        show_url(root, "/account")
        state = await root.get_state(AccountState)
        await send(state, "load")
        return dict(state.facts)

    shown = asyncio.run(facts())
    assert (shown["First name"], shown["Last name"]) == ("Alice", "Not set")
    assert (shown["Total orders"], shown["Total spent"]) == ("1", "$1,200.00")


@ON_SQLITE
@pytest.mark.parametrize(
    ("tab", "read"),
    [
        ("profile", set()),
        ("orders", {"orders"}),
        ("saved", {"saved"}),
        ("referrals", {"referrals"}),
        ("settings", {"profile", "addresses"}),
    ],
)
def test_only_what_the_open_tab_shows_is_read(tab: str, read: set[str], cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)

    async def parts() -> set[str]:
        root = State()
        show_url(root, f"/account?tab={tab}")
        await send(await root.get_state(AccountState), "load")
        are_read = {
            "orders": not (await root.get_state(OrdersState)).is_loading,
            "referrals": not (await root.get_state(ReferralsState)).is_loading,
            "saved": (await root.get_state(SavedState)).is_loaded,
            "profile": (await root.get_state(ProfileState)).is_loaded,
            "addresses": (await root.get_state(AddressesState)).is_loaded,
        }
        return {name for name, is_read in are_read.items() if is_read}

    assert asyncio.run(parts()) == read


def test_a_tab_that_the_page_does_not_have_is_not_opened() -> None:
    async def choose() -> tuple[str, list[Any], str]:
        root = State()
        show_url(root, "/account?tab=orders")
        state = await root.get_state(AccountState)
        state.tab = "orders"
        opened = await send(state, "open_tab", "staff")
        return state.tab, opened, (await toast(root))[0]

    tab, opened, said = asyncio.run(choose())
    assert (tab, opened, bool(said)) == ("orders", [], True)
