"""'Buy again' says what was added and what is missing (RULE buy-again)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app import messages
from marketplace_app.models import Product
from marketplace_app.services.buying.cart import Shortage
from marketplace_app.services.buying.orders import BuyAgainResult
from marketplace_app.states.buying.buy_again import BuyAgainState, _added, _missing
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.events.signal import SignalState
from tests.builders import make_product, order_form, place_order
from tests.conftest import ON_SQLITE, Cast
from tests.states.conftest import SignInAs
from tests.states.tabs import send, toast


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ((), ""),
        (("Fern Hollow",), "Fern Hollow has been added to your cart."),
        (("Fern Hollow", "Dune"), "Fern Hollow, Dune have been added to your cart."),
    ],
)
def test_what_was_added_is_one_sentence(names: tuple[str, ...], sentence: str) -> None:
    assert _added(BuyAgainResult(names, {})) == sentence


@pytest.mark.parametrize("reason", Shortage)
def test_each_reason_why_something_is_missing_is_said(reason: Shortage) -> None:
    sentence = _missing(BuyAgainResult((), {reason: ("Slow Honey", "Larch")}))
    assert sentence.endswith(": Slow Honey, Larch.")


@ON_SQLITE
def test_the_outcome_is_beside_the_order_and_the_cart_shows_it(
    session: Session, cast: Cast, sign_in_as: SignInAs
) -> None:
    fern, dune = make_product(session, "Fern Hollow", stock=9), make_product(session, "Dune", stock=1)
    session.commit()
    order_id = place_order(cast.alice, order_form((fern, 2), (dune, 1)))["id"]
    sign_in_as(cast.alice)

    async def buy() -> tuple[Any, int, SignalState]:
        root = State()
        state = await root.get_state(BuyAgainState)
        for _ in range(2):  # a double click
            await send(state, "buy", order_id, 0)
        return state, (await root.get_state(CartState)).count, await root.get_state(SignalState)

    state, count, signal = asyncio.run(buy())
    assert (state.order_id, state.adding, count) == (order_id, "", 2)
    assert state.added == "Fern Hollow has been added to your cart."
    assert state.missing == "No longer available: Dune."
    assert (signal.kind, signal.text) == ("success", f"{state.added} {state.missing}")


@ON_SQLITE
def test_an_outcome_is_forgotten_when_another_order_is_tried(
    session: Session, cast: Cast, sign_in_as: SignInAs
) -> None:
    """It would stand beside the wrong order."""
    fern = make_product(session, "Fern Hollow", price_cents=120_00, stock=3)
    session.commit()
    first, last = (place_order(cast.alice, order_form((fern, count)))["id"] for count in (1, 2))
    session.get_one(Product, fern.id, populate_existing=True).stock = 1
    session.commit()
    sign_in_as(cast.alice)

    async def buy() -> tuple[Any, list[tuple[str, str]]]:
        state = await State().get_state(BuyAgainState)
        said = []
        for order_id in (first, last, "nothing"):
            await send(state, "buy", order_id, state.press)
            said.append(await toast(state))
        return state, said

    state, said = asyncio.run(buy())
    assert said[1] == ("Nothing Added", "Not enough in stock: Fern Hollow.")
    assert said[2][0] == messages.ORDER_NOT_FOUND
    assert (state.order_id, state.added, state.missing, state.adding) == ("", "", "", "")
