"""Zones: their terms hold where they are, and nothing is delivered elsewhere (RULE zone-terms)."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.models import Address, Product, Slot, User, Zone, ZoneZip
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import QuoteForm
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.services.buying import cart, quotes
from marketplace_app.services.delivery import zones
from tests.builders import make_order, make_product, make_window, make_zone, order_form, place_order
from tests.conftest import Cast

EAST, OUTSIDE = "97201", "97999"
QUOTE_KEYS = [
    "subtotal",
    "deliveryFee",
    "newCustomerDiscount",
    "referralDiscount",
    "promotionDiscount",
    "tax",
    "creditApplied",
    "cashRounding",
    "total",
    "lines",
    "blockers",
]


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=50)
    session.commit()
    return product


def quote(who: User, product: Product, quantity: int = 2, **place: Any) -> Quote:
    form = parse(QuoteForm, {"items": [{"productId": product.id, "quantity": quantity}]} | place)
    return db.read(lambda session: quotes.make(session, session.get(User, who.id), form))


def codes(made: Quote) -> list[str]:
    return [blocker.code for blocker in made.blockers]


def test_without_zones_every_address_has_the_shops_terms(cast: Cast, fern: Product) -> None:
    plain = quote(cast.alice, fern)
    assert list(plain.wire()) == QUOTE_KEYS
    assert quote(cast.alice, fern, zip=OUTSIDE, state="AK") == plain
    assert place_order(cast.alice, order_form((fern, 2), deliveryAddress="The old mill"))["deliveryFee"] == "25.00"


def test_a_zones_fee_and_free_amount_replace_the_shops(session: Session, cast: Cast, fern: Product) -> None:
    make_zone(session, EAST, fee_cents=12_00, free_from_cents=150_00)
    session.commit()
    assert quote(cast.alice, fern, zip=EAST).delivery_fee_cents == 12_00
    assert quote(cast.alice, fern, 3, zip=EAST).delivery_fee_cents == 0
    placed = place_order(cast.alice, order_form((fern, 2)))
    assert (placed["deliveryFee"], placed["lines"][1]["reason"]) == ("12.00", "Free at $150 or more")


def test_what_a_zone_does_not_set_is_the_shops(session: Session, cast: Cast, fern: Product) -> None:
    make_zone(session, EAST)
    session.commit()
    in_zone = quote(cast.alice, fern, zip=EAST)
    session.execute(text("DELETE FROM zones"))
    session.commit()
    assert in_zone == quote(cast.alice, fern)


def test_the_larger_minimum_holds_and_the_quote_says_which(session: Session, cast: Cast, fern: Product) -> None:
    make_zone(session, EAST, minimum_cents=150_00)
    session.commit()
    message = "Minimum order amount in East side is $150.00. Please add more items to your cart."
    assert [blocker.message for blocker in quote(cast.alice, fern, zip=EAST).blockers] == [message]
    with pytest.raises(errors.OrderBlocked) as refused:
        place_order(cast.alice, order_form((fern, 2)))
    assert refused.value.message == message


def test_the_shops_minimum_holds_where_the_zones_is_smaller(session: Session, cast: Cast, fern: Product) -> None:
    make_zone(session, EAST, minimum_cents=40_00)
    session.commit()
    (only,) = quote(cast.alice, fern, 1, zip=EAST).blockers
    assert only.message == "Minimum order amount is $100.00. Please add more items to your cart."


def test_nothing_is_delivered_outside_all_zones(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    make_zone(session, EAST)
    session.commit()
    (only,) = quote(cast.alice, fern, zip=OUTSIDE).blockers
    assert (only.code, only.message) == ("outside_delivery_area", "We don't deliver to 97999 yet.")
    with pytest.raises(errors.OrderBlocked) as refused:
        place_order(cast.alice, order_form((fern, 2), deliveryAddress=f"1 Far Road, Bend, OR {OUTSIDE}"))
    assert refused.value.body()["code"] == "outside_delivery_area"
    with engine.connect() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM orders")).scalar_one() == 0


@pytest.mark.parametrize(
    "address",
    [
        {"deliveryAddress": "The old mill behind the river"},
        {"deliveryAddress": None, "address": {"street": "The old mill", "city": "Bend", "state": "OR", "zip": "ABCDE"}},
    ],
)
def test_an_address_without_a_zip_code_is_refused_where_there_are_zones(
    session: Session, cast: Cast, fern: Product, address: dict[str, Any]
) -> None:
    make_zone(session, EAST)
    session.commit()
    with pytest.raises(errors.OrderBlocked) as refused:
        place_order(cast.alice, order_form((fern, 2), **address))
    assert refused.value.body()["code"] == "address_not_understood"


def test_a_longer_zip_code_is_in_the_zone_of_its_first_digits(session: Session, cast: Cast, fern: Product) -> None:
    make_zone(session, EAST, fee_cents=12_00)
    session.commit()
    assert quote(cast.alice, fern, zip="97201-1234").delivery_fee_cents == 12_00


def test_a_quote_without_a_place_takes_the_last_address(session: Session, cast: Cast, fern: Product) -> None:
    make_zone(session, EAST, fee_cents=12_00)
    make_zone(session, "97211", name="North", fee_cents=9_00)
    session.commit()
    unknown = quote(cast.alice, fern)
    assert (unknown.wire()["open"], unknown.delivery_fee_cents, codes(unknown)) == (["zone"], 25_00, [])
    make_order(session, cast.alice, 100_00, delivery_address=f"214 Larch Street, Portland, OR {EAST}")
    session.commit()
    assert (quote(cast.alice, fern).delivery_fee_cents, "open" in quote(cast.alice, fern).wire()) == (12_00, False)
    saved = {"street": "1 Oak", "city": "Portland", "state": "OR", "zip_code": "97211"}
    session.add(Address(user_id=cast.alice.id, place=1, is_default=True, **saved))
    session.commit()
    assert quote(cast.alice, fern).delivery_fee_cents == 9_00
    assert db.read(lambda s: cart.show(s, s.get(User, cast.alice.id))).terms.delivery_fee_cents == 9_00
    assert quote(cast.bob, fern).wire()["open"] == ["zone"], "the addresses of others do not count"


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_removing_a_zone_waits_for_an_order_that_is_placed_in_it(engine: Engine, session: Session, cast: Cast) -> None:
    """SQLite has one writer at a time anyway."""
    zone = make_zone(session, EAST)
    session.commit()
    with Session(engine) as placing, Session(engine) as removing:
        assert zones.find(placing, EAST, lock=True) is not None
        removing.execute(text("SET LOCAL lock_timeout = '50ms'"))
        with pytest.raises(OperationalError, match="lock timeout"):
            zones.remove(removing, cast.ada, zone.id)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_removing_a_zone_locks_no_slot_before_the_zone(engine: Engine, session: Session, cast: Cast) -> None:
    """An order locks its zone, then its slot: in the other order the two would deadlock."""
    zone = make_zone(session, EAST)
    window, day = make_window(session, zone), clock.now() + timedelta(days=1)
    slot = Slot(window_id=window.id, day=day.date(), starts_at=day, ends_at=day + timedelta(hours=2), capacity=1)
    session.add(slot)
    session.commit()
    slot_id, zone_id, ada_id = slot.id, zone.id, cast.ada.id
    session.rollback()
    with ThreadPoolExecutor(1) as pool, Session(engine) as placing:
        assert zones.find(placing, EAST, lock=True) is not None
        removal = pool.submit(db.write, lambda removing: zones.remove(removing, removing.get(User, ada_id), zone_id))
        wait_for_a_blocked_transaction(engine)
        placing.execute(text("SELECT id FROM slots WHERE id = :id FOR UPDATE NOWAIT"), {"id": slot_id})
        placing.rollback()
        removal.result(timeout=10)


def wait_for_a_blocked_transaction(engine: Engine) -> None:
    blocked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        with engine.connect() as connection:
            if connection.execute(text(blocked)).scalar_one():
                return
        time.sleep(0.01)
    raise AssertionError("no transaction waits for a lock")


@pytest.mark.parametrize("wrong", ["9720", "972011", "9720a", "9720 "])
def test_the_database_takes_zip_codes_of_five_digits_only(session: Session, wrong: str) -> None:
    zone = make_zone(session, EAST)
    session.add(ZoneZip(zip_code=wrong, zone_id=zone.id))
    with pytest.raises(IntegrityError):
        session.flush()


def test_a_zip_code_is_in_one_zone(session: Session) -> None:
    make_zone(session, EAST)
    with pytest.raises(IntegrityError):
        make_zone(session, EAST, name="West")


@pytest.mark.parametrize("wrong", [{"name": ""}, {"fee_cents": -1}, {"minimum_cents": -1}, {"free_from_cents": -1}])
def test_the_database_takes_no_nameless_or_negative_zone(session: Session, wrong: dict[str, Any]) -> None:
    session.add(Zone(**({"name": "East side"} | wrong)))
    with pytest.raises(IntegrityError):
        session.flush()
