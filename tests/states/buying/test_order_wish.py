"""The wish for batches on an order's page (RULE batch-wish)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import batch_messages, db, messages
from marketplace_app.models import OrderDelivery, OrderStatus, Product, Substitution
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.buying.order_wish import OrderWishState
from tests.conftest import ON_SQLITE, Cast
from tests.services.batches.test_of_orders import set_status
from tests.services.order_batches.test_wishes import change, fern, place
from tests.states.conftest import SignInAs
from tests.states.tabs import send, toast

__all__ = ["fern"]


@pytest.fixture
def order_id(cast: Cast, fern: Product, sign_in_as: SignInAs) -> str:
    """Alice's, whose wish is to be asked. The tab is hers."""
    sign_in_as(cast.alice)
    return str(place(cast.alice, (fern, 1))["id"])


async def page_of(order_id: str) -> tuple[Any, OrderState]:
    """The control for the wish, and the order's page."""
    root = State()
    page = await root.get_state(OrderState)
    await page._fetch(order_id)
    return await root.get_state(OrderWishState), page


@ON_SQLITE
@pytest.mark.parametrize(("chosen", "shown"), [("", ("any", "any")), ("close", ("any", "close"))])
def test_a_choice_that_is_not_saved_stays_when_the_wish_changes_elsewhere(
    chosen: str, shown: tuple[str, str], order_id: str, cast: Cast
) -> None:
    async def change_in_another_tab() -> tuple[str, str]:
        control, page = await page_of(order_id)
        if chosen:
            await send(control, "choose", chosen)
        change(cast.alice, order_id, "any")
        await page._refresh()
        return control.saved_wish, control.chosen

    assert asyncio.run(change_in_another_tab()) == shown


@ON_SQLITE
def test_the_choice_for_one_order_is_not_that_for_the_next(order_id: str, cast: Cast, fern: Product) -> None:
    other = place(cast.alice, (fern, 1), substitution="any")["id"]

    async def open_the_next() -> tuple[str, str]:
        control, page = await page_of(order_id)
        await send(control, "choose", "close")
        await page._fetch(other)
        return control.saved_wish, control.chosen

    assert asyncio.run(open_the_next()) == ("any", "any")


@ON_SQLITE
def test_an_order_that_is_out_has_no_choice_any_more(order_id: str, cast: Cast) -> None:
    async def leave() -> tuple[str, str, tuple[str, str]]:
        control, page = await page_of(order_id)
        await send(control, "choose", "close")
        set_status(cast, order_id, OrderStatus.OUT_FOR_DELIVERY)
        await send(control, "save")
        await page._refresh()
        return control.saved_wish, control.chosen, await toast(page)

    assert asyncio.run(leave()) == ("", "", (messages.ERROR, OrderAlreadyOut.message))


@ON_SQLITE
def test_a_saved_wish_is_the_one_that_is_kept(order_id: str) -> None:
    async def save() -> tuple[str, str, bool, str]:
        control, page = await page_of(order_id)
        await send(control, "choose", "close")
        await send(control, "save")
        return control.saved_wish, control.chosen, control.is_saving, (await toast(page))[0]

    assert asyncio.run(save()) == ("close", "close", False, batch_messages.WISH_SAVED.title)
    assert db.read(lambda s: s.get_one(OrderDelivery, order_id)).substitution is Substitution.CLOSE
