"""Placing an order on the checkout page (RULE idempotency-key)."""

import asyncio

import pytest
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.models import User
from marketplace_app.services import sessions
from marketplace_app.states import base
from marketplace_app.states.checkout import CheckoutState
from marketplace_app.states.signal import SignalState
from tests.conftest import ON_SQLITE, Cast

FORM = {
    "firstName": "Nora",
    "lastName": "Whitfield",
    "contactPhone": "503 555 0142",
    "deliveryAddress": "214 Larch Street",
    "city": "Portland",
    "state": "OR",
    "zipCode": "97201",
    "deliveryInstructions": "Side door",
    "paymentInstructions": "Envelope",
}


@ON_SQLITE
def test_a_second_click_after_the_order_was_placed_says_nothing(
    engine: Engine, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order has emptied the cart and used up the key."""
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)

    async def click(key: str) -> str:
        root = State()
        state = await root.get_state(CheckoutState)
        state._key = key
        async for _ in CheckoutState.event_handlers["place"].fn(state, FORM):
            pass
        return str((await root.get_state(SignalState)).title)

    assert asyncio.run(click("")) == ""
    assert asyncio.run(click("one")) == "Empty Cart"
