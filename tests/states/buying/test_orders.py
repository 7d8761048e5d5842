"""The account's list of orders (RULE orders-of-a-person), and the note on weekends (RULE delivery-estimate)."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app import clock, messages
from marketplace_app.limits import ORDERS_PAGE_SIZE
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import mails
from marketplace_app.services.buying import orders
from marketplace_app.states.buying import order as order_page
from marketplace_app.states.buying import orders as order_cards
from marketplace_app.states.buying.orders import OrdersState
from tests.builders import make_order, make_product, order_form
from tests.conftest import ON_SQLITE, Cast
from tests.states.buying.views import delivery_view, order_view
from tests.states.conftest import SignInAs
from tests.states.tabs import send, show_url, toast

SENTENCE = "Weekend deliveries can take up to 72 hours."
MONDAY = datetime(2026, 11, 16, 18, tzinfo=UTC)
FRIDAY = datetime(2026, 11, 20, 18, tzinfo=UTC)


@pytest.mark.parametrize(("placed_at", "is_said"), [(MONDAY, False), (FRIDAY, True)], ids=["Monday", "Friday"])
def test_the_page_the_card_and_the_mail_have_the_weekend_note(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch, placed_at: datetime, is_said: bool
) -> None:
    placed = _place(session, cast, monkeypatch, placed_at)
    view = orders.get(session, cast.alice, placed)
    letter = mails.compose(session, "order_placed", {"order_id": placed})
    assert letter is not None
    assert (SENTENCE in order_page._advice(view, ShopSettings())) is is_said
    assert order_cards.card_of(view, ShopSettings()).weekend_note == (SENTENCE if is_said else "")
    assert (SENTENCE in letter.plain()) is is_said
    assert not any(paragraph.endswith(" ") for paragraph in letter.paragraphs)


def test_an_ended_order_has_no_weekend_note(session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    view = orders.get(session, cast.alice, _place(session, cast, monkeypatch, FRIDAY))
    for ended in (OrderStatus.DELIVERED, OrderStatus.CANCELLED):
        over = view.model_copy(update={"status": ended})
        assert SENTENCE not in order_page._advice(over, ShopSettings())
        assert order_cards.card_of(over, ShopSettings()).weekend_note == ""


def test_a_store_that_delivers_as_fast_on_weekends_has_no_note(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = orders.get(session, cast.alice, _place(session, cast, monkeypatch, FRIDAY))
    as_quick = ShopSettings().changed({"weekend_delivery_hours": 48})
    assert order_cards.card_of(view, as_quick).weekend_note == ""


def test_an_order_in_a_slot_has_no_weekend_note(monkeypatch: pytest.MonkeyPatch) -> None:
    over_a_weekend = {"created_at": FRIDAY, "estimated_delivery_at": datetime(2026, 11, 23, 18, tzinfo=UTC)}
    with_slot = order_view(**over_a_weekend, delivery=delivery_view())
    assert order_cards.weekend_note(order_view(**over_a_weekend), ShopSettings()) == SENTENCE
    assert order_cards.weekend_note(with_slot, ShopSettings()) == ""


@pytest.mark.parametrize(
    ("delivery", "time"),
    [
        (None, ""),
        (delivery_view(window_starts_at=None, window_ends_at=None), ""),
        (delivery_view(), "Fri, Nov 27, 5:00 PM to 7:00 PM"),
    ],
)
def test_only_an_order_in_a_slot_has_a_delivery_time(delivery: Any, time: str) -> None:
    assert order_cards.delivery_time(order_view(delivery=delivery)) == time


def test_a_card_lists_the_products_and_ends_its_id_where_support_reads_it() -> None:
    line = {"product_id": 1, "image": "", "unit_price_cents": 60_00}
    items = [line | {"name": name, "quantity": count} for name, count in (("Fern Hollow", 2), ("Quiet Mint", 1))]
    card = order_cards.card_of(order_view(items=items), ShopSettings())
    assert card.contents == "Fern Hollow × 2, Quiet Mint × 1"
    assert (card.short_id, card.total, card.payment) == ("456789ab", "$152.50", "Cash on delivery")


@ON_SQLITE
@pytest.mark.parametrize(("asked_for", "shown"), [(1, (1, ORDERS_PAGE_SIZE)), (2, (2, 1)), (99, (2, 1))])
def test_a_page_beyond_the_end_is_the_last_one(
    asked_for: int, shown: tuple[int, int], session: Session, cast: Cast, sign_in_as: SignInAs
) -> None:
    for _ in range(ORDERS_PAGE_SIZE + 1):
        make_order(session, cast.alice, 60_00)
    session.commit()
    sign_in_as(cast.alice)

    async def turn() -> tuple[int, int]:
        root = State()
        show_url(root, "/account?tab=orders")
        state = await root.get_state(OrdersState)
        opened = await send(state, "go_to", asked_for)
        assert [each["path"] for each in opened] == [f"/account?tab=orders&page={asked_for}"]
        assert state.pages == 2
        return state.page, len(state.orders)

    assert asyncio.run(turn()) == shown


@ON_SQLITE
def test_an_order_of_somebody_else_is_not_opened(session: Session, cast: Cast, sign_in_as: SignInAs) -> None:
    order = make_order(session, cast.bob, 60_00)
    session.commit()
    sign_in_as(cast.alice)

    async def view() -> tuple[list[Any], str]:
        root = State()
        state = await root.get_state(OrdersState)
        return await send(state, "view_details", order.id), (await toast(root))[0]

    assert asyncio.run(view()) == ([], messages.ORDER_NOT_FOUND)


def _place(session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch, at: datetime) -> str:
    fern = make_product(session, price_cents=120_00)
    session.commit()
    monkeypatch.setattr(clock, "now", lambda: at)
    return str(orders.place(session, cast.alice, order_form((fern, 1)), key=None)["id"])
