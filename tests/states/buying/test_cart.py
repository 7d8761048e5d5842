"""The buttons of the cart drawer (RULE cart-drawer)."""

import asyncio

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.adapters import live
from marketplace_app.errors import Unavailable
from marketplace_app.models import CartLine, User
from marketplace_app.services import sessions
from marketplace_app.services.buying import cart
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.events import base, subscriptions
from marketplace_app.states.events.signal import SignalState
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast


@pytest.fixture
def line_id(session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> int:
    """A line with two units of a product of which there are three, in Alice's cart. States act as in a tab of hers."""
    line = CartLine(user_id=cast.alice.id, product_id=make_product(session, stock=3).id, quantity=2)
    session.add(line)
    session.commit()
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)
    return line.id


def press(line_id: int, *steps: int) -> tuple[list[int], str, str]:
    """The quantities of the lines that the drawer shows in the end, and the last toast."""

    async def run() -> tuple[list[int], str, str]:
        root = State()
        state, signal = await root.get_state(CartState), await root.get_state(SignalState)
        for by in steps:
            await CartState.event_handlers["step"].fn(state, line_id, by)
        return [line.quantity for line in state.lines], signal.title, signal.text

    return asyncio.run(run())


@ON_SQLITE
@pytest.mark.parametrize(
    ("steps", "quantities", "toast"),
    [
        ((1,), [3], ("", "")),
        ((-1, 1, 1), [3], ("", "")),
        ((-1, -1), [], (messages.REMOVED.title, messages.REMOVED.text)),
        ((-1, -1, -1), [], (messages.REMOVED.title, messages.REMOVED.text)),
    ],
)
def test_every_press_counts(
    line_id: int, steps: tuple[int, ...], quantities: list[int], toast: tuple[str, str]
) -> None:
    """A press sends +1 or -1, not a quantity, so it does not depend on an answer to the press before."""
    assert press(line_id, *steps) == (quantities, *toast)


@ON_SQLITE
def test_a_press_beyond_the_stock_fails_and_keeps_what_is_in_the_cart(line_id: int) -> None:
    assert press(line_id, 1, 1) == ([3], messages.UPDATE_FAILED.title, messages.UPDATE_FAILED.text)


@ON_SQLITE
def test_a_cart_is_refreshed_when_staff_change_a_product_in_it_or_its_shopper_changes(line_id: int, cast: Cast) -> None:
    product_id = db.read(lambda s: s.get_one(CartLine, line_id).product_id)
    own = {live.cart(cast.alice.id), live.user(cast.alice.id)}
    topics = own | {live.product(product_id), live.product(product_id + 1)}

    async def run() -> list[set[str]]:
        """The topics for which it is, with the line and without it."""
        root = State()
        state = await root.get_state(CartState)
        found = []
        for handler, arguments in (("load", ()), ("remove", (line_id,))):
            await CartState.event_handlers[handler].fn(state, *arguments)
            found.append({each for each in topics if subscriptions.subscribers(frozenset({each}))})
        return found

    subscriptions.set_tab_user("", cast.alice.id)
    with_line, without = asyncio.run(run())
    subscriptions.retain_connected(())
    assert with_line == own | {live.product(product_id)}
    assert without == own


def remove(line_id: int, times: int = 1) -> tuple[int, str, str]:
    """How many lines the drawer shows after so many presses, and the last toast."""

    async def run() -> tuple[int, str, str]:
        root = State()
        state, signal = await root.get_state(CartState), await root.get_state(SignalState)
        await CartState.event_handlers["load"].fn(state)
        for _ in range(times):
            await CartState.event_handlers["remove"].fn(state, line_id)
        return len(state.lines), signal.title, signal.text

    return asyncio.run(run())


@ON_SQLITE
def test_a_second_press_on_remove_does_not_say_that_it_failed(line_id: int) -> None:
    assert remove(line_id, times=2) == (0, messages.REMOVED.title, messages.REMOVED.text)


@ON_SQLITE
def test_a_line_that_could_not_be_removed_stays(line_id: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(cart, "remove", refuse)
    assert remove(line_id) == (1, messages.REMOVE_FAILED.title, messages.REMOVE_FAILED.text)


@ON_SQLITE
@pytest.mark.parametrize("by", [0, 2, -3, 2**40])
def test_only_single_steps_are_taken(line_id: int, by: int) -> None:
    assert press(line_id, by)[1] == messages.UPDATE_FAILED.title
    assert press(line_id, 1)[0] == [3]
