"""Orders in slots: a place is taken once, given back once, and kept as it was agreed (RULE delivery-slots)."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.limits import DELIVERY_HOURS
from marketplace_app.models import AuditEntry, OrderDelivery, OrderStatus, OutboxMessage, Product, Slot, User, Zone
from marketplace_app.places import Place
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import QuoteForm
from marketplace_app.schemas.delivery.windows import WindowForm
from marketplace_app.schemas.delivery.zones import ZoneForm
from marketplace_app.services import invariants, mails, privacy
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import fulfilment, orders, quotes
from marketplace_app.services.delivery import slots, windows, zones
from tests.builders import make_product, make_window, make_zone, order_form, place_order, slot_id
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status

CANCELLED, CONFIRMED, DELIVERED = OrderStatus.CANCELLED, OrderStatus.CONFIRMED, OrderStatus.DELIVERED


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=50)
    session.commit()
    return product


@pytest.fixture
def slot(session: Session) -> str:
    """With two places."""
    window = make_window(session, make_zone(session, "97201"), capacity=2)
    session.commit()
    return slot_id(window)


def taken(engine: Engine) -> int:
    """The places that are taken in the only slot; fails if slots and orders do not agree."""
    with Session(engine) as session:
        assert [result.name for result in invariants.check(session) if not result.holds] == []
        return session.execute(select(Slot.taken)).scalar_one()


def test_an_order_in_a_slot_is_promised_by_its_end(session: Session, cast: Cast, fern: Product, slot: str) -> None:
    placed = place_order(cast.alice, order_form((fern, 2), slotId=slot))
    delivery = placed["delivery"]
    assert list(delivery) == ["windowStart", "windowEnd", "promisedBy", "zone", "attempts", "substitution", "doorPin"]
    assert placed["estimatedDelivery"] == delivery["windowEnd"] == delivery["promisedBy"]
    assert (delivery["zone"], delivery["attempts"]) == ("East side", 0)
    assert len(delivery["doorPin"]) == 4
    assert delivery["doorPin"].isdigit()
    shown = db.read(lambda s: orders.get(s, cast.alice, placed["id"]))
    assert shown.wire() == placed
    assert db.read(lambda s: orders.list_own(s, cast.alice))[0].wire() == placed


def test_an_order_in_a_zone_without_a_slot_is_promised_within_as_many_hours_as_the_settings_say(
    cast: Cast, fern: Product, slot: str
) -> None:
    placed = place_order(cast.alice, order_form((fern, 2)))
    delivery = placed["delivery"]
    assert (delivery["windowStart"], delivery["windowEnd"]) == (None, None)
    assert placed["estimatedDelivery"] == delivery["promisedBy"]
    promised_by, placed_at = (datetime.fromisoformat(at) for at in (delivery["promisedBy"], placed["createdAt"]))
    assert promised_by - placed_at == timedelta(hours=DELIVERY_HOURS)


def test_without_zones_an_order_has_no_delivery_and_no_slot(cast: Cast, fern: Product) -> None:
    assert "delivery" not in place_order(cast.alice, order_form((fern, 2)))
    with pytest.raises(slots.WindowFull) as refused:
        place_order(cast.alice, order_form((fern, 2), slotId="1-2026-11-27"))
    assert refused.value.body()["windows"] == []


def test_a_full_slot_is_refused_with_the_next_three(
    engine: Engine, session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    zone, day = session.execute(select(Zone)).scalar_one(), date.fromisoformat(slot.partition("-")[2])
    later = day + timedelta(days=2)
    others = [
        make_window(
            session, zone, weekday=later.weekday(), opens_minute=hour * 60, closes_minute=hour * 60 + 60, capacity=1
        )
        for hour in (11, 8, 10, 9)
    ]
    session.commit()
    for person in (cast.alice, cast.bob):
        place_order(person, order_form((fern, 2), slotId=slot))
    with pytest.raises(slots.WindowFull) as refused:
        place_order(cast.alice, order_form((fern, 2), slotId=slot))
    body: Any = refused.value.body()
    next_three = sorted(others, key=lambda window: window.opens_minute)[:3]
    assert body["code"] == "window_full"
    assert [each["id"] for each in body["windows"]] == [f"{window.id}-{later.isoformat()}" for window in next_three]
    assert taken(engine) == 2
    with Session(engine) as after:
        assert after.get_one(Product, fern.id).stock == 46


def test_a_quote_says_that_a_slot_is_full(session: Session, cast: Cast, fern: Product, slot: str) -> None:
    def codes(**fields: Any) -> list[str]:
        form = parse(QuoteForm, {"items": [{"productId": fern.id, "quantity": 2}]} | fields)
        return [each.code for each in db.read(lambda s: quotes.make(s, s.get(User, cast.bob.id), form)).blockers]

    assert codes(zip="97201", slotId=slot) == []
    for _ in range(2):
        place_order(cast.alice, order_form((fern, 2), slotId=slot))
    assert codes(zip="97201", slotId=slot) == ["window_full"]
    assert codes(zip="97999", slotId=slot) == ["outside_delivery_area"]
    assert codes(zip="97201", slotId="987654-2026-11-27") == ["window_full"]


def test_a_slot_of_another_zone_or_past_its_cut_off_is_refused(
    session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    make_zone(session, "97211", name="North")
    session.commit()
    with pytest.raises(slots.WindowFull):
        place_order(cast.alice, order_form((fern, 2), slotId=slot, deliveryAddress="1 Oak, Portland, OR 97211"))
    session.execute(text("UPDATE windows SET cutoff_minutes = 10080"))
    session.commit()
    with pytest.raises(slots.WindowFull):
        place_order(cast.alice, order_form((fern, 2), slotId=slot))


def test_cancelling_gives_the_place_back_once_and_reopening_takes_it_again(
    engine: Engine, cast: Cast, fern: Product, slot: str
) -> None:
    order_id = place_order(cast.alice, order_form((fern, 2), slotId=slot))["id"]
    place_order(cast.bob, order_form((fern, 2), slotId=slot))
    assert taken(engine) == 2
    for _ in range(2):
        set_status(cast.ada, order_id, CANCELLED)
        assert taken(engine) == 1
    set_status(cast.ada, order_id, CONFIRMED)
    set_status(cast.ada, order_id, DELIVERED)
    assert taken(engine) == 2


def test_an_order_whose_place_is_taken_cannot_be_reopened(engine: Engine, cast: Cast, fern: Product, slot: str) -> None:
    order_id = place_order(cast.alice, order_form((fern, 2), slotId=slot))["id"]
    set_status(cast.ada, order_id, CANCELLED)
    for _ in range(2):
        place_order(cast.bob, order_form((fern, 2), slotId=slot))
    with pytest.raises(fulfilment.CannotReopen, match="delivery time"):
        set_status(cast.ada, order_id, CONFIRMED)
    assert taken(engine) == 2


def test_deleting_an_order_gives_its_place_back(engine: Engine, cast: Cast, fern: Product, slot: str) -> None:
    order_id = place_order(cast.alice, order_form((fern, 2), slotId=slot))["id"]
    db.write(lambda s: admin_orders.delete(s, cast.ada, order_id))
    assert taken(engine) == 0


@pytest.mark.parametrize("what", ["window", "zone"])
def test_orders_keep_their_time_when_its_window_or_zone_is_removed(
    engine: Engine, session: Session, cast: Cast, fern: Product, slot: str, what: str
) -> None:
    placed = place_order(cast.alice, order_form((fern, 2), slotId=slot))
    window_id, zone_id = session.execute(text("SELECT id, zone_id FROM windows")).one()
    session.commit()
    if what == "window":
        db.write(lambda s: windows.remove(s, cast.ada, window_id))
    else:
        db.write(lambda s: zones.remove(s, cast.ada, zone_id))
    assert db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire() == placed
    for status in (CANCELLED, CONFIRMED):
        set_status(cast.ada, placed["id"], status)
    with Session(engine) as after:
        assert [result.name for result in invariants.check(after) if not result.holds] == []


def test_only_the_customer_sees_the_door_pin(
    engine: Engine, session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    placed = place_order(cast.alice, order_form((fern, 2), slotId=slot))
    pin = "9753"
    session.execute(text(f"UPDATE order_deliveries SET door_pin = '{pin}'"))
    session.commit()
    set_status(cast.ada, placed["id"], CONFIRMED)

    def without_id(shown: str) -> str:
        """Without the order's id, which may contain the digits of the PIN by chance."""
        return shown.replace(placed["id"], "")

    with Session(engine) as after:
        seen_by_staff = admin_orders.get(after, cast.ada, placed["id"]).wire()["delivery"]
        assert "doorPin" not in seen_by_staff
        listed = admin_orders.list_with_details(after, cast.ada, admin_orders.OrderQuery())[1]
        assert listed[0].wire()["delivery"] == seen_by_staff
        exported = privacy.export(after, after.get(User, cast.alice.id))
        assert exported["orders"][0]["delivery"] == seen_by_staff  # type: ignore[index]
        for message in after.execute(select(OutboxMessage)).scalars():
            mail = mails.compose(after, message.kind, message.payload)
            assert mail is not None
            assert pin not in without_id(mail.html())
        assert pin not in without_id(str([entry.details for entry in after.execute(select(AuditEntry)).scalars()]))
        own = orders.get(after, after.get(User, cast.alice.id), placed["id"]).wire()
        assert own["delivery"]["doorPin"] == pin
    with pytest.raises(errors.NotFound):
        db.read(lambda s: orders.get(s, cast.bob, placed["id"]))


def test_a_day_with_orders_keeps_its_places_when_its_window_gets_fewer(
    engine: Engine, session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    place_order(cast.alice, order_form((fern, 2), slotId=slot))
    place_order(cast.alice, order_form((fern, 2), slotId=slot))
    window = db.read(lambda s: windows.list_all(s, cast.ada))[0]
    form = parse(WindowForm, window.values() | {"opens": "17:00", "closes": "19:00", "capacity": 1})
    db.write(lambda s: windows.change(s, cast.ada, window.id, form))
    assert taken(engine) == 2
    with pytest.raises(slots.WindowFull):
        place_order(cast.bob, order_form((fern, 2), slotId=slot))
    offered = db.read(lambda s: windows.list_offered(s, cast.bob, Place("97201")))
    assert [each.left for each in offered] == [0, 1]


def test_what_removing_a_zone_affects_is_described_beforehand(
    session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    place_order(cast.alice, order_form((fern, 2), slotId=slot))
    set_status(cast.ada, place_order(cast.bob, order_form((fern, 2)))["id"], CANCELLED)
    zone_id = session.execute(text("SELECT id FROM zones")).scalar_one()
    session.commit()
    described = db.read(lambda s: zones.describe_removal(s, cast.ada, zone_id))
    assert described == zones.ZoneRemoval("East side", zips=1, windows=1, open_orders=1, is_last=True)
    with pytest.raises(errors.NotAllowed):
        db.read(lambda s: zones.describe_removal(s, cast.alice, zone_id))


def test_the_mail_says_the_chosen_time(engine: Engine, cast: Cast, fern: Product, slot: str) -> None:
    delivery = place_order(cast.alice, order_form((fern, 2), slotId=slot))["delivery"]
    with Session(engine) as after:
        message = after.execute(select(OutboxMessage)).scalar_one()
        mail = mails.compose(after, message.kind, message.payload)
    start, end = (datetime.fromisoformat(delivery[name]) for name in ("windowStart", "windowEnd"))
    assert mail is not None
    assert mail.paragraphs[1] == f"Contactless delivery: {clock.show_span(start, end, get_settings().timezone)}."
    assert "5:00 PM to 7:00 PM" in mail.paragraphs[1]


def test_a_promise_does_not_move_with_the_estimate(engine: Engine, cast: Cast, fern: Product, slot: str) -> None:
    placed = place_order(cast.alice, order_form((fern, 2), slotId=slot))
    form = parse(fulfilment.OrderEditForm, {"estimatedDelivery": clock.iso(clock.now() + timedelta(days=9))})
    edited = db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), placed["id"], form)).wire()
    assert edited["delivery"]["promisedBy"] == placed["delivery"]["promisedBy"] != edited["estimatedDelivery"]


def test_a_slot_that_lost_an_order_is_found(session: Session, cast: Cast, fern: Product, slot: str) -> None:
    place_order(cast.alice, order_form((fern, 2), slotId=slot))

    def broken() -> list[str]:
        with Session(session.get_bind()) as fresh:
            return [result.name for result in invariants.check(fresh) if not result.holds]

    session.execute(text("UPDATE slots SET taken = 0"))
    session.commit()
    assert broken() == ["slots have exactly the orders that hold a place in them"]
    session.execute(text("UPDATE order_deliveries SET held_slot_id = NULL"))
    session.commit()
    assert broken() == ["an order holds its place in a slot until it is cancelled"]


def test_a_removed_zone_can_be_made_again(session: Session, cast: Cast) -> None:
    form = parse(ZoneForm, {"name": "East side", "zips": ["97201"]})
    zones.remove(session, cast.ada, zones.add(session, cast.ada, form).id)
    assert zones.add(session, cast.ada, form).zips == ("97201",)


@pytest.mark.parametrize("pin", ["", "123", "12345", "12a4", "    "])
def test_the_database_takes_pins_of_four_digits_only(
    session: Session, cast: Cast, fern: Product, slot: str, pin: str
) -> None:
    place_order(cast.alice, order_form((fern, 2), slotId=slot))
    row = session.execute(select(OrderDelivery)).scalar_one()
    row.door_pin = pin
    session.add(row)
    with pytest.raises(IntegrityError, match="door_pin_digits"):
        session.flush()
