"""The row 'Picked for you' (RULE recommendations)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import db
from marketplace_app.errors import Unavailable
from marketplace_app.models import Product, User
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.services.account import preferences
from marketplace_app.services.buying import cart
from marketplace_app.states.products import recommendations
from marketplace_app.states.products.recommendations import RecommendationsState
from tests.conftest import ON_SQLITE, Cast
from tests.services.products.test_recommendations import catalogue, save
from tests.states.conftest import SignInAs

__all__ = ["catalogue"]


@pytest.fixture
def alice(cast: Cast, catalogue: dict[str, Product], sign_in_as: SignInAs) -> User:
    """Likes what is relaxed and happy. The tab is hers."""
    save(cast.alice, preferredEffects=["Relaxed", "Happy"])
    sign_in_as(cast.alice)
    return cast.alice


async def load(state: Any) -> list[tuple[str, str]]:
    await state._load()
    return [(pick.name, pick.why) for pick in state.picks]


async def new_row() -> Any:
    return await State().get_state(RecommendationsState)


@ON_SQLITE
def test_a_pick_says_why_and_leads_to_the_product(alice: User, catalogue: dict[str, Product]) -> None:
    async def first() -> Any:
        state = await new_row()
        await state._load()
        return state.picks[0]

    pick = asyncio.run(first())
    assert (pick.name, pick.why, pick.href) == ("Garden", "Relaxed, Happy", f"/product/{catalogue['Garden'].id}")


@ON_SQLITE
def test_what_is_put_into_the_cart_leaves_the_row(alice: User, catalogue: dict[str, Product]) -> None:
    """The candidates are shared by all users; the cart is not."""

    async def add() -> tuple[str, list[str]]:
        state = await new_row()
        [(before, _), *_] = await load(state)
        form = AddForm(productId=catalogue["Garden"].id)
        db.write(lambda s: cart.add(s, s.get_one(User, alice.id), form))
        return before, [name for name, _ in await load(state)]

    before, after = asyncio.run(add())
    assert before == "Garden"
    assert after and "Garden" not in after


@ON_SQLITE
def test_nobody_without_preferences_gets_a_row(alice: User) -> None:
    async def delete() -> tuple[bool, list[Any]]:
        state = await new_row()
        before = await load(state)
        db.write(lambda s: preferences.delete(s, s.get_one(User, alice.id)))
        return bool(before), await load(state)

    assert asyncio.run(delete()) == (True, [])


@ON_SQLITE
def test_a_row_that_cannot_be_read_is_left_out_and_fails_nothing_else(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The products below it are read at the same time."""

    async def read(*_: Any, **__: Any) -> None:
        raise Unavailable()

    async def fail() -> tuple[bool, list[Any]]:
        state = await new_row()
        before = await load(state)
        monkeypatch.setattr(recommendations, "read", read)
        return bool(before), await load(state)

    assert asyncio.run(fail()) == (True, [])
