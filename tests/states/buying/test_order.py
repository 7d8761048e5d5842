"""What one order's page says (RULE order-page)."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app import clock, db, messages, recall_messages
from marketplace_app.marketplace_app import app  # noqa: F401 - gives the states the arguments of their routes
from marketplace_app.models import BatchState, OrderStatus, User
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_batches import OrderBatch
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.states.buying.order import OrderState
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import place, set_status
from tests.states.buying.views import PLACED, WINDOW, delivery_view, order_view
from tests.states.conftest import SignInAs
from tests.states.tabs import send, show_url, toast

PENDING, CONFIRMED, OUT, DELIVERED, CANCELLED = OrderStatus
WHEN = "Fri, Nov 27, 5:00 PM to 7:00 PM"
CASH = "Please have exactly $152.50 in cash ready."


def page_of(order: OrderView, batches: Sequence[OrderBatch] = ()) -> Any:
    async def show() -> Any:
        state = await State().get_state(OrderState)
        state._show(order, ShopSettings(), tuple(batches))
        return state

    return asyncio.run(show())


def batch(code: str = "FH-2611", *, is_recalled: bool = True, read_after: int | None = None) -> OrderBatch:
    """`read_after`: so many days after the order was placed."""
    read_at = None if read_after is None else PLACED + timedelta(days=read_after)
    named = {"product": "Fern Hollow", "batch_id": 12, "code": code, "units": 2}
    notice = RecallNotice.model_validate(
        named | {"reason": "Mould was found.", "recalled_at": PLACED, "read_at": read_at}
    )
    facts = {"product_id": 1, "expires_on": None, "thc_percent": 22.4, "state": BatchState.FOR_SALE}
    return OrderBatch.model_validate(named | facts | {"recall": notice if is_recalled else None})


@pytest.mark.parametrize(
    ("past", "delivery", "advice"),
    [
        ([PENDING], None, f"Estimated delivery Nov 20, 2026, 12:00 PM. {CASH}"),
        ([PENDING], delivery_view(), f"Delivery {WHEN}. {CASH}"),
        ([PENDING, CONFIRMED, OUT], delivery_view(), f"Delivery {WHEN}. {CASH}"),
        ([PENDING, DELIVERED], delivery_view(), "Thank you for your order."),
        ([PENDING, CANCELLED], delivery_view(), "There is nothing to pay."),
    ],
)
def test_the_headline_is_followed_by_what_to_do(past: Sequence[OrderStatus], delivery: Any, advice: str) -> None:
    page = page_of(order_view(past, delivery=delivery))
    assert page.headline
    assert page.advice == advice


def test_an_order_that_credit_pays_for_asks_for_no_cash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: WINDOW[0])
    page = page_of(order_view(total_cents=0, delivery=delivery_view(ready_asked_at=PLACED)))
    assert (page.advice, page.cash) == (f"Delivery {WHEN}. There is nothing to pay.", [])
    assert page.ready_text.endswith("Please be there with your ID. There is nothing to pay.")


@pytest.mark.parametrize(("status", "is_due"), [(PENDING, True), (OUT, True), (DELIVERED, False), (CANCELLED, False)])
def test_the_cash_and_the_door_pin_are_shown_until_the_order_has_ended(status: OrderStatus, is_due: bool) -> None:
    page = page_of(order_view([PENDING, status], delivery=delivery_view()))
    assert (bool(page.cash), page.door_pin) == (is_due, "4071" if is_due else "")


def test_an_order_that_a_recall_has_stopped_asks_for_nothing() -> None:
    asked = delivery_view(ready_asked_at=PLACED)
    page = page_of(order_view([PENDING], delivery=asked), [batch()])
    assert (page.headline, page.advice) == (recall_messages.STOPPED, recall_messages.WE_CALL)
    assert (page.cash, page.door_pin, page.readiness) == ([], "", "")
    assert [(row.what, row.reason) for row in page.recalls] == [
        ("Batch FH-2611 of Fern Hollow was recalled.", "The reason: Mould was found.")
    ]


def test_a_delivered_order_with_a_recalled_batch_was_not_stopped() -> None:
    page = page_of(order_view([PENDING, DELIVERED]), [batch()])
    assert page.headline == "Delivered."
    assert recall_messages.NOT_DELIVERED not in page.recall_advice


@pytest.mark.parametrize(
    ("days", "sentence"),
    [([None], ""), ([1, None], ""), ([2, 1], "You read this on Nov 20, 2026.")],
)
def test_a_recall_counts_as_read_once_each_notice_was(days: Sequence[int | None], sentence: str) -> None:
    assert page_of(order_view([PENDING]), [batch(read_after=each) for each in days]).recall_read == sentence


@pytest.mark.parametrize(
    ("past", "answered", "hours_left", "readiness"),
    [
        ([PENDING], False, 1, "asked"),
        ([PENDING], False, 0, ""),
        ([PENDING, CONFIRMED], True, 1, "said"),
        ([PENDING, CONFIRMED, OUT], False, 1, ""),
    ],
    ids=["asked", "the window is over", "said", "out"],
)
def test_the_question_whether_somebody_is_ready_is_asked_until_the_window_is_over(
    past: Sequence[OrderStatus], answered: bool, hours_left: int, readiness: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts_at, ends_at = WINDOW
    monkeypatch.setattr(clock, "now", lambda: ends_at - timedelta(hours=hours_left))
    asked = delivery_view(ready_asked_at=starts_at, ready_at=starts_at if answered else None)
    page = page_of(order_view(past, delivery=asked))
    assert page.readiness == readiness
    please = f"It comes {WHEN}. Please be there with your ID and exactly $152.50 in cash."
    assert (page.ready_text == please) is (readiness == "asked")


@pytest.mark.parametrize(
    ("status", "batches", "is_shown"),
    [(CONFIRMED, [batch(is_recalled=False)], False), (OUT, [batch(is_recalled=False)], True), (OUT, [], False)],
)
def test_the_wish_is_a_fact_once_it_can_no_longer_be_changed(
    status: OrderStatus, batches: Sequence[OrderBatch], is_shown: bool
) -> None:
    page = page_of(order_view([PENDING, status], delivery=delivery_view()), batches)
    assert (("If we pack from another batch", "Ask me first") in page.facts) is is_shown


@pytest.mark.parametrize(("opened", "view"), [("same", "found"), ("another", "loading")])
def test_an_order_stays_on_the_screen_after_a_reconnect_and_not_when_another_is_opened(opened: str, view: str) -> None:
    async def load() -> str:
        root = State()
        state = await root.get_state(OrderState)
        state._show(order_view(id="same"), ShopSettings(), ())
        show_url(root, f"/orders/{opened}", order_id=opened)
        async for _ in OrderState.event_handlers["load"].fn(state):
            break  # before anything is read
        return str(state.view)

    assert asyncio.run(load()) == view


@ON_SQLITE
def test_an_order_that_staff_delete_leaves_the_open_page_of_its_customer(
    session: Session, cast: Cast, sign_in_as: SignInAs
) -> None:
    fern = make_product(session, price_cents=120_00)
    session.commit()
    order_id = place(cast.alice, fern)
    sign_in_as(cast.alice)

    async def views() -> list[str]:
        root = State()
        show_url(root, f"/orders/{order_id}", order_id=order_id)
        state = await root.get_state(OrderState)
        await send(state, "load")
        seen = [state.view]
        db.write(lambda s: admin_orders.delete(s, s.get(User, cast.ada.id), order_id))
        await state._refresh()
        return [*seen, state.view]

    assert asyncio.run(views()) == ["found", "missing"]


@ON_SQLITE
def test_an_order_that_can_no_longer_be_cancelled_is_shown_as_it_is_now(
    session: Session, cast: Cast, sign_in_as: SignInAs
) -> None:
    fern = make_product(session, price_cents=120_00)
    session.commit()
    order_id = place(cast.alice, fern)
    sign_in_as(cast.alice)

    async def cancel_too_late() -> tuple[bool, bool, str, bool, tuple[str, str]]:
        root = State()
        show_url(root, f"/orders/{order_id}", order_id=order_id)
        state = await root.get_state(OrderState)
        await send(state, "load")
        could_cancel = state.can_cancel
        set_status(cast.ada, order_id, CONFIRMED)
        assert await send(state, "cancel") == []
        return could_cancel, state.can_cancel, state.status_label, state.is_cancelling, await toast(root)

    refused = (messages.ERROR, messages.ORDER_NOT_PENDING)
    assert asyncio.run(cancel_too_late()) == (True, False, "confirmed", False, refused)
