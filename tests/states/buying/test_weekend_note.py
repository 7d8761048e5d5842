"""The note on orders delivered over a weekend (RULE delivery-estimate)."""

from datetime import UTC, datetime

import pytest
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import mails
from marketplace_app.services.buying import orders
from marketplace_app.states.buying import order as order_page
from marketplace_app.states.buying import orders as order_cards
from tests.builders import make_product, order_form
from tests.conftest import Cast

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


def _place(session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch, at: datetime) -> str:
    fern = make_product(session, price_cents=120_00)
    session.commit()
    monkeypatch.setattr(clock, "now", lambda: at)
    return str(orders.place(session, cast.alice, order_form((fern, 1)), key=None)["id"])
