"""Limits on single actions are those of the same acts over REST (RULE rates)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from reflex.istate.data import RouterData
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app.adapters import rates
from marketplace_app.auth.ip_addresses import UNKNOWN, rate_key
from marketplace_app.errors import TooManyRequests
from marketplace_app.states.buying.checkout import CheckoutState
from marketplace_app.states.events.base import policy_of
from marketplace_app.states.events.rate import Rate, count_use

Configure = Callable[..., None]
HERE, THERE = "192.0.2.7", "198.51.100.9"


def rate_of_orders() -> Rate:
    policy = policy_of(CheckoutState.event_handlers["place"].fn)
    assert policy is not None and policy.rate is not None
    return policy.rate


def tab_at(address: str) -> Any:
    root = State()
    root.router = RouterData.from_router_data({"ip": address})
    return root


@pytest.mark.parametrize("person_id", [None, 7])
def test_an_action_shares_its_rate_with_rest(engine: Engine, configure: Configure, person_id: int | None) -> None:
    configure(ORDER_RATE="2/minute")

    async def act() -> None:
        await rates.count_use("2/minute", "orders", rate_key(person_id, UNKNOWN))
        await count_use(State(), rate_of_orders(), person_id)
        with pytest.raises(TooManyRequests):
            await count_use(State(), rate_of_orders(), person_id)

    asyncio.run(act())


@pytest.mark.parametrize(
    ("person_id", "address", "is_refused"),
    [(None, HERE, True), (None, THERE, False), (7, HERE, False)],
    ids=["a guest again", "a guest elsewhere", "a user at the same address"],
)
def test_guests_are_counted_by_their_address(
    configure: Configure, person_id: int | None, address: str, is_refused: bool
) -> None:
    configure(ORDER_RATE="1/minute")

    async def act() -> bool:
        await count_use(tab_at(HERE), rate_of_orders(), None)
        try:
            await count_use(tab_at(address), rate_of_orders(), person_id)
        except TooManyRequests:
            return True
        return False

    assert asyncio.run(act()) is is_refused


def test_a_user_is_the_same_at_every_address(configure: Configure) -> None:
    configure(ORDER_RATE="1/minute")

    async def act() -> None:
        await count_use(tab_at(HERE), rate_of_orders(), 7)
        with pytest.raises(TooManyRequests):
            await count_use(tab_at(THERE), rate_of_orders(), 7)

    asyncio.run(act())
