"""The dialog that moves an order to another delivery time (RULE ready-panel)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import db, delivery_messages, dispatch_messages, messages
from marketplace_app.models import OrderStatus, Product, User
from marketplace_app.services.buying import orders
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.buying.order_steps import TITLE_ID
from marketplace_app.states.buying.order_time import OrderTimeState
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.dispatch.conftest import fern
from tests.services.dispatch.test_another_time import place_order, times
from tests.states.conftest import SignInAs
from tests.states.tabs import focus, send, toast

__all__ = ["fern", "times"]

NIGHT = "8:00 PM to 9:00 PM"
Steps = Callable[[Any], Awaitable[Any]]


@pytest.fixture
def order_id(cast: Cast, fern: Product, times: tuple[str, str], sign_in_as: SignInAs) -> str:
    """Alice's, in the evening. The tab is hers."""
    placed = place_order(cast.alice, fern, times[0])
    sign_in_as(cast.alice)
    return str(placed["id"])


def in_dialog(order_id: str, steps: Steps) -> Any:
    """What these steps return in the dialog of the order."""

    async def run() -> Any:
        root = State()
        await (await root.get_state(OrderState))._fetch(order_id)
        dialog = await root.get_state(OrderTimeState)
        await send(dialog, "open")
        return await steps(dialog)

    return asyncio.run(run())


def fill(product: Product, slot: str, buyer: User) -> None:
    """All ten places of the night."""
    for _ in range(10):
        place_order(buyer, product, slot)


def time_of(order_id: str, who: User) -> str:
    order = db.read(lambda s: orders.get(s, s.get(User, who.id), order_id))
    assert order.delivery is not None and order.delivery.window_starts_at is not None
    return f"{order.delivery.window_starts_at:%H}"


@ON_SQLITE
def test_a_time_that_is_full_or_not_on_the_screen_is_not_chosen(
    order_id: str, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    fill(fern, times[1], cast.bob)

    async def choose(dialog: Any) -> list[str]:
        chosen = []
        for key in (times[1], "99-2026-11-27", next(each.key for each in dialog.times if not each.is_full)):
            await send(dialog, "choose", key)
            chosen.append(dialog.chosen)
        return chosen

    free = in_dialog(order_id, choose)
    assert free[:2] == ["", ""]
    assert free[2]


@ON_SQLITE
def test_a_time_that_was_taken_meanwhile_has_to_be_chosen_anew(
    order_id: str, cast: Cast, fern: Product, times: tuple[str, str]
) -> None:
    before = time_of(order_id, cast.alice)

    async def save_too_late(dialog: Any) -> tuple[Any, list[Any], tuple[str, str]]:
        await send(dialog, "choose", times[1])
        fill(fern, times[1], cast.bob)
        return dialog, await send(dialog, "save"), await toast(dialog)

    dialog, focused, said = in_dialog(order_id, save_too_late)
    assert (dialog.is_open, dialog.is_saving, dialog.chosen) == (True, False, "")
    assert dialog.unavailable_reason == delivery_messages.WINDOW_FULL
    assert [time.note for time in dialog.times if time.key == times[1]] == ["Full"]
    assert (focused, said, time_of(order_id, cast.alice)) == ([], ("", ""), before)


@ON_SQLITE
def test_the_dialog_opens_without_the_choice_of_the_last_time(order_id: str, times: tuple[str, str]) -> None:
    async def open_again(dialog: Any) -> tuple[str, str, bool]:
        await send(dialog, "choose", times[1])
        dialog.unavailable_reason = delivery_messages.WINDOW_FULL
        await send(dialog, "set_open", False)
        await send(dialog, "set_open", True)
        assert not dialog.is_open, "only a press on 'Another time' opens it"
        await send(dialog, "open")
        return dialog.chosen, dialog.unavailable_reason, dialog.is_open

    assert in_dialog(order_id, open_again) == ("", "", True)


@ON_SQLITE
def test_the_new_time_is_said_and_shown_on_the_page(order_id: str, times: tuple[str, str]) -> None:
    async def save(dialog: Any) -> tuple[bool, list[Any], tuple[str, str], str]:
        await send(dialog, "choose", times[1])
        focused = await send(dialog, "save")
        page = await dialog.get_state(OrderState)
        return dialog.is_open, focused, await toast(dialog), page.delivery_time

    is_open, focused, said, shown = in_dialog(order_id, save)
    assert (is_open, focused) == (False, [focus(TITLE_ID)])
    assert shown.endswith(NIGHT)
    assert said == (dispatch_messages.time_changed(shown).title, dispatch_messages.time_changed(shown).text)


@ON_SQLITE
@pytest.mark.parametrize("handler", ["open", "save"])
def test_an_order_that_has_left_meanwhile_closes_the_dialog_and_shows_its_page(
    handler: str, order_id: str, cast: Cast, times: tuple[str, str]
) -> None:
    async def leave(dialog: Any) -> tuple[bool, bool, str, tuple[str, str]]:
        await send(dialog, "choose", times[1])
        set_status(cast.ada, order_id, OrderStatus.CONFIRMED, OrderStatus.OUT_FOR_DELIVERY)
        await send(dialog, handler)
        page = await dialog.get_state(OrderState)
        return dialog.is_open, dialog.is_opening or dialog.is_saving, page.status_label, await toast(dialog)

    assert in_dialog(order_id, leave) == (
        False,
        False,
        "out for delivery",
        (messages.ERROR, OrderAlreadyOut.message),
    )
