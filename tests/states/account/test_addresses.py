"""The dialog of saved addresses, and their list (RULE saved-addresses)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import db, messages
from marketplace_app.limits import MAX_ADDRESSES
from marketplace_app.models import Address, User
from marketplace_app.services.account import addresses
from marketplace_app.states.account.addresses import LIST_ID, AddressesState
from tests.conftest import ON_SQLITE, Cast
from tests.services.account.test_addresses import HOME, add
from tests.states.conftest import SignInAs
from tests.states.tabs import focus, send, toast

Steps = Callable[[Any], Awaitable[Any]]


def in_settings(steps: Steps) -> Any:
    """What these steps return in a tab that shows the addresses."""

    async def run() -> Any:
        state = await State().get_state(AddressesState)
        await state._load()
        return await steps(state)

    return asyncio.run(run())


@ON_SQLITE
def test_only_an_address_beside_another_default_can_be_made_the_default(cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)

    async def first(state: Any) -> bool:
        await send(state, "add")
        return bool(state.may_make_default)

    async def later(state: Any) -> list[bool]:
        offered = []
        for handler, *arguments in [("add",), ("edit", home.id), ("edit", work.id)]:
            await send(state, handler, *arguments)
            offered.append(bool(state.may_make_default))
        return offered

    assert in_settings(first) is False
    home, work = add(cast.alice), add(cast.alice, label="Work")
    assert in_settings(later) == [True, False, True]


@ON_SQLITE
def test_a_field_that_is_left_as_it_was_shown_keeps_what_is_saved(cast: Cast, sign_in_as: SignInAs) -> None:
    """A text box has other line breaks than a text that came over REST."""
    saved = add(cast.alice, deliveryInstructions="Green door.\r\nRing twice.")
    sign_in_as(cast.alice)

    async def rename(state: Any) -> str:
        await send(state, "edit", saved.id)
        await send(state, "save", state.values | {"label": "Mum", "form_key": str(state.form_key)})
        return str(state.values["deliveryInstructions"])

    assert in_settings(rename) == "Green door.\nRing twice."
    kept = db.read(lambda s: s.get_one(Address, saved.id))
    assert (kept.label, kept.delivery_instructions) == ("Mum", "Green door.\r\nRing twice.")


@ON_SQLITE
@pytest.mark.parametrize("handler", ["edit", "make_default", "remove"])
def test_an_address_that_is_gone_leaves_the_list(handler: str, cast: Cast, sign_in_as: SignInAs) -> None:
    """Whoever presses 'Remove' twice, or has removed it elsewhere, has what they wanted: no toast says otherwise."""
    home, work = add(cast.alice), add(cast.alice, label="Work")
    sign_in_as(cast.alice)

    async def press_a_moment_later(state: Any) -> tuple[list[str], bool, tuple[str, str]]:
        db.write(lambda s: addresses.remove(s, s.get(User, cast.alice.id), work.id))
        await send(state, handler, work.id)
        return [row.name for row in state.rows], state.is_open, await toast(state)

    refused = ("", "") if handler == "remove" else (messages.ADDRESS_NOT_SAVED, "Address not found.")
    assert in_settings(press_a_moment_later) == ([home.name], False, refused)


@ON_SQLITE
@pytest.mark.parametrize("handler", ["make_default", "remove"])
def test_the_focus_stays_in_the_list_when_the_button_disappears(handler: str, cast: Cast, sign_in_as: SignInAs) -> None:
    add(cast.alice)
    work = add(cast.alice, label="Work")
    sign_in_as(cast.alice)
    assert in_settings(lambda state: send(state, handler, work.id)) == [focus(LIST_ID)]


@ON_SQLITE
def test_a_refused_address_stays_in_the_dialog_with_what_is_wrong(cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)

    async def save(state: Any) -> tuple[bool, bool, list[str], list[Any]]:
        await send(state, "add")
        await send(state, "save", HOME | {"zip": "9720", "form_key": str(state.form_key)})
        return state.is_open, state.is_saving, [name for name, text in state.errors.items() if text], state.rows

    assert in_settings(save) == (True, False, ["zip"], [])


@ON_SQLITE
def test_a_list_that_another_tab_has_filled_is_shown_full(cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)

    async def add_one_too_many(state: Any) -> tuple[bool, bool, str]:
        await send(state, "add")
        for number in range(MAX_ADDRESSES):
            add(cast.alice, label=str(number))
        was_full = state.is_full
        await send(state, "save", HOME | {"form_key": str(state.form_key)})
        return was_full, state.is_full, (await toast(state))[1]

    assert in_settings(add_one_too_many) == (False, True, addresses.TooManyAddresses.message)


@pytest.mark.parametrize("was_open", [True, False])
def test_the_browser_closes_the_dialog_and_does_not_open_it(was_open: bool) -> None:
    """Opened without a press, it would ask for whatever address it had last."""

    async def run() -> tuple[bool, bool]:
        state = await State().get_state(AddressesState)
        state.is_open = was_open
        await send(state, "set_open", True)
        before = state.is_open
        await send(state, "set_open", False)
        return before, state.is_open

    assert asyncio.run(run()) == (was_open, False)
