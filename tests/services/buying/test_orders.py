"""Placing an order is one transaction: everything or nothing."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from marketplace_app import codes, db, errors
from marketplace_app.adapters import live
from marketplace_app.auth import acting
from marketplace_app.limits import MAX_PRICE_CENTS
from marketplace_app.models import (
    AuditEntry,
    CreditEntry,
    IdempotencyKey,
    Order,
    OrderLine,
    OrderStatus,
    OutboxMessage,
    Product,
    StockMovement,
    User,
)
from marketplace_app.services import credits, sessions
from marketplace_app.services.buying import orders
from tests.builders import give_credit, make_product, make_user, order_form, place_order
from tests.conftest import Cast
from tests.counting import count_statements

ADDED_LATER = {"promotion_discount", "tax", "cash_rounding", "slot_id", "substitution", "birth_date"}
"""Fields of drafts that the first release did not have."""


def count(engine: Engine, table: type) -> int:
    with Session(engine) as session:
        return session.execute(select(func.count()).select_from(table)).scalar_one()


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=5)
    session.commit()
    return product


def test_an_order_stores_what_was_agreed(engine: Engine, cast: Cast, fern: Product) -> None:
    placed = place_order(cast.alice, order_form((fern, 2), firstName="Alice", lastName="Archer"))
    assert placed["status"] == "pending"
    assert (placed["subtotal"], placed["deliveryFee"], placed["newCustomerDiscount"]) == ("120.00", "25.00", "30.00")
    assert placed["total"] == "115.00"
    assert placed["customerName"] == "Alice Archer"
    assert placed["items"] == [
        {
            "productId": fern.id,
            "name": "Fern Hollow",
            "imageUrl": "/pictures/fern-hollow-640.webp",
            "quantity": 2,
            "price": "60.00",
        }
    ]
    with Session(engine) as after:
        assert after.get_one(Product, fern.id).stock == 3
        moved = after.execute(select(col(StockMovement.change)).where(col(StockMovement.order_id) == placed["id"]))
        assert moved.scalars().all() == [-2]
        assert after.execute(select(col(OutboxMessage.kind))).scalars().all() == ["order_placed"]
        entry = after.execute(select(AuditEntry)).scalars().one()
        assert (entry.action, entry.details) == ("order.placed", {"total": 115_00, "number": placed["number"]})


def test_an_order_without_a_drafted_name_has_that_of_the_account(session: Session, cast: Cast, fern: Product) -> None:
    alice = session.get_one(User, cast.alice.id)
    for first, last, shown in (("Alice", "Archer", "Alice Archer"), ("", "", "alice@example.org")):
        alice.first_name, alice.last_name = first, last
        session.commit()
        assert place_order(cast.alice, order_form((fern, 2)))["customerName"] == shown


def test_lines_are_numbered_as_they_were_ordered(session: Session, cast: Cast, fern: Product) -> None:
    early = make_product(session, "Early Mist")
    session.commit()
    place_order(cast.alice, order_form((early, 1), (fern, 2)))
    lines = session.execute(select(OrderLine).order_by(col(OrderLine.position))).scalars()
    assert [(line.position, line.product_id) for line in lines] == [(1, early.id), (2, fern.id)]


def test_an_address_in_one_line_is_kept_without_parts(session: Session, cast: Cast, fern: Product) -> None:
    placed = place_order(cast.alice, order_form((fern, 2), deliveryAddress="The old mill, Salem"))
    order = session.get_one(Order, placed["id"])
    assert order.delivery_address == "The old mill, Salem"
    assert [order.street, order.city, order.state, order.zip_code] == [""] * 4


def test_an_order_is_placed_by_its_customer_and_due_in_48_hours(session: Session, cast: Cast, fern: Product) -> None:
    placed = place_order(cast.alice, order_form((fern, 2)))
    order = session.get_one(Order, placed["id"])
    assert order.estimated_delivery_at - order.created_at == timedelta(hours=48)
    assert [(step.from_status, step.to_status, step.actor_id) for step in order.history] == [
        (None, OrderStatus.PENDING, cast.alice.id)
    ]
    assert order.history[0].created_at == order.created_at
    assert (order.referrer_id, order.referral_credit_cents) == (None, 0)
    assert placed["customerEmail"] == cast.alice.email
    assert placed["contactPhone"] == "503 555 0142"
    assert placed["deliveryInstructions"] == "Side entrance, the green door."
    assert placed["paymentInstructions"] == "Envelope under the mat."
    assert "fern hollow" in order.search_text


def test_a_changed_product_does_not_change_the_order(session: Session, cast: Cast, fern: Product) -> None:
    place_order(cast.alice, order_form((fern, 2)))
    fern = session.get_one(Product, fern.id, populate_existing=True)
    fern.name, fern.price_cents = "Renamed", 1_00
    session.commit()
    listed = db.read(lambda s: orders.list_own(s, s.get(User, cast.alice.id)))
    assert (listed[0].items[0].name, listed[0].items[0].unit_price_cents) == ("Fern Hollow", 60_00)


def test_nobody_sees_another_persons_orders(cast: Cast, fern: Product) -> None:
    place_order(cast.alice, order_form((fern, 2)))
    assert db.read(lambda s: orders.list_own(s, s.get(User, cast.bob.id))) == ()


def test_the_first_purchase_discount_is_given_once(cast: Cast, fern: Product) -> None:
    first = place_order(cast.alice, order_form((fern, 2)))
    second = place_order(cast.alice, order_form((fern, 2)))
    assert (first["newCustomerDiscount"], second["newCustomerDiscount"]) == ("30.00", "0.00")


def test_the_referral_discount_is_given_once_and_links_the_referrer(
    session: Session, cast: Cast, fern: Product
) -> None:
    rita = make_user(session, "rita", referred_by=cast.bob)
    session.commit()
    first = place_order(rita, order_form((fern, 2)))
    second = place_order(rita, order_form((fern, 2)))
    assert (first["referralDiscount"], first["total"]) == ("100.00", "15.00")
    assert second["referralDiscount"] == "0.00"
    referrers = session.execute(select(col(Order.referrer_id)).order_by(col(Order.number))).scalars().all()
    assert referrers == [cast.bob.id, None]


def test_the_referral_discount_is_used_up_by_a_later_order_too(session: Session, cast: Cast, fern: Product) -> None:
    rita = make_user(session, "rita", referred_by=cast.bob)
    rita.first_purchase_discount_used = True
    session.commit()
    discounts = [place_order(rita, order_form((fern, 2)))["referralDiscount"] for _ in range(2)]
    assert discounts == ["100.00", "0.00"]


def test_an_order_is_announced_to_its_customer_the_staff_and_the_referrer_whom_it_rewards(
    session: Session, cast: Cast, fern: Product
) -> None:
    rita = make_user(session, "rita", referred_by=cast.bob)
    session.commit()

    def announced() -> set[str]:
        def order(s: Session) -> set[str]:
            orders.place(s, s.get(User, rita.id), order_form((fern, 2)), key=None)
            return set(s.info[live.TOPICS])

        return {topic for topic in db.write(order) if topic.startswith("person") or topic == live.STAFF}

    assert announced() == {live.user(rita.id), live.user(cast.bob.id), live.STAFF}
    assert announced() == {live.user(rita.id), live.STAFF}


def test_credit_is_spent_only_when_asked_and_is_gone_after(session: Session, cast: Cast, fern: Product) -> None:
    give_credit(session, cast.alice, 40_00)
    session.commit()
    unasked = place_order(cast.alice, order_form((fern, 2)))
    asked = place_order(cast.alice, order_form((fern, 2), useCredit=True))
    assert (unasked["creditApplied"], asked["creditApplied"]) == ("0.00", "40.00")
    assert db.read(lambda s: credits.balance(s, cast.alice.id)) == 0
    assert session.execute(select(func.count()).select_from(CreditEntry)).scalar_one() == 2


def test_a_difference_of_more_than_a_cent_writes_nothing(engine: Engine, cast: Cast, fern: Product) -> None:
    with pytest.raises(errors.QuoteChanged) as refused:
        place_order(cast.alice, order_form((fern, 2), total="114.98"))
    assert refused.value.quote["total"] == "115.00"
    assert (count(engine, Order), count(engine, StockMovement)) == (0, 1)
    assert place_order(cast.alice, order_form((fern, 2), total="115.01"))["total"] == "115.00"


def test_a_price_that_differs_is_refused(cast: Cast, fern: Product) -> None:
    items = [{"productId": fern.id, "quantity": 2, "price": "1.00"}]
    with pytest.raises(errors.QuoteChanged):
        place_order(cast.alice, order_form(items=items))


def test_the_same_key_and_draft_answer_the_first_order_again(engine: Engine, cast: Cast, fern: Product) -> None:
    form = order_form((fern, 2), estimatedDelivery="2026-11-22T10:00:00Z")
    retried = order_form((fern, 2), estimatedDelivery="2026-11-22T10:00:09Z")
    assert place_order(cast.alice, form, "k1") == place_order(cast.alice, retried, "k1")
    assert count(engine, Order) == 1


def test_the_same_key_with_another_draft_is_refused(engine: Engine, cast: Cast, fern: Product) -> None:
    place_order(cast.alice, order_form((fern, 2)), "k1")
    with pytest.raises(errors.IdempotencyMismatch):
        place_order(cast.alice, order_form((fern, 3)), "k1")
    assert count(engine, Order) == 1


def test_a_draft_repeated_across_a_release_finds_its_order(fern: Product) -> None:
    """Its fingerprint was stored by a release that did not know these fields."""
    form = order_form((fern, 2))
    assert not ADDED_LATER & form.model_fields_set
    known_then = form.model_dump_json(exclude={"estimated_delivery", *ADDED_LATER})
    assert form.body_hash() == codes.fingerprint(known_then)
    assert order_form((fern, 2), tax="1.00").body_hash() != form.body_hash()


@pytest.mark.parametrize("name", ["tax", "cashRounding", "promotionDiscount"])
def test_an_amount_that_the_quote_does_not_have_is_refused(
    engine: Engine, cast: Cast, fern: Product, name: str
) -> None:
    with pytest.raises(errors.QuoteChanged):
        place_order(cast.alice, order_form((fern, 2), **{name: "1.00"}))
    assert count(engine, Order) == 0
    assert place_order(cast.alice, order_form((fern, 2), **{name: "0.00"}))[name] == "0.00"


def test_an_idempotency_key_belongs_to_one_user(engine: Engine, cast: Cast, fern: Product) -> None:
    place_order(cast.alice, order_form((fern, 2)), "k1")
    place_order(cast.bob, order_form((fern, 2)), "k1")
    assert (count(engine, Order), count(engine, IdempotencyKey)) == (2, 2)


@pytest.mark.parametrize(
    ("person", "quantity", "error", "code"),
    [
        ("zoe", 2, errors.AgeVerificationRequired, "age_verification_required"),
        ("alice", 1, errors.OrderBlocked, "minimum_order"),
        ("alice", 6, errors.OutOfStock, "out_of_stock"),
    ],
)
def test_an_order_that_may_not_be_placed_leaves_no_trace(
    engine: Engine, cast: Cast, fern: Product, person: str, quantity: int, error: type[errors.StoreError], code: str
) -> None:
    with pytest.raises(error) as refused:
        place_order(getattr(cast, person), order_form((fern, quantity)), "k1")
    assert refused.value.body()["code"] == code
    assert [count(engine, table) for table in (Order, OrderLine, IdempotencyKey, OutboxMessage, AuditEntry)] == [0] * 5


def test_an_order_that_no_column_could_hold_is_refused_with_a_sentence(
    engine: Engine, session: Session, cast: Cast
) -> None:
    expensive = [make_product(session, f"Gold {number}", price_cents=MAX_PRICE_CENTS, stock=99) for number in range(3)]
    session.commit()
    with pytest.raises(errors.OrderBlocked) as refused:
        place_order(cast.alice, order_form(*((product, 99) for product in expensive)))
    assert refused.value.body()["code"] == "order_too_large"
    assert "at most $10,000,000.00" in refused.value.message
    assert count(engine, Order) == 0


def test_a_product_that_is_no_longer_sold_is_out_of_stock(session: Session, cast: Cast, fern: Product) -> None:
    fern.is_active = False
    session.add(fern)
    session.commit()
    with pytest.raises(errors.OutOfStock):
        place_order(cast.alice, order_form((fern, 2)))


def test_a_product_listed_twice_is_one_line(cast: Cast, fern: Product) -> None:
    assert [item["quantity"] for item in place_order(cast.alice, order_form((fern, 1), (fern, 2)))["items"]] == [3]


def test_orders_have_short_numbers_that_follow_one_another(cast: Cast, fern: Product) -> None:
    first, second = place_order(cast.alice, order_form((fern, 2))), place_order(cast.bob, order_form((fern, 2)))
    assert second["number"] == first["number"] + 1


def test_listing_orders_takes_the_same_number_of_statements_for_one_and_for_many(
    engine: Engine, session: Session, cast: Cast
) -> None:
    product = make_product(session, stock=99)
    session.commit()

    def listing() -> int:
        with count_statements(engine) as statements:
            db.read(lambda s: orders.list_own(s, s.get(User, cast.alice.id)))
        return len(statements)

    place_order(cast.alice, order_form((product, 2)))
    one = listing()
    for _ in range(4):
        place_order(cast.alice, order_form((product, 2)))
    assert listing() == one <= 5


def test_an_order_takes_sixteen_statements_however_many_products_it_has(
    engine: Engine, session: Session, cast: Cast
) -> None:
    """Its price in the database, which every customer waits for: not a number to raise without a reason."""
    plants = [make_product(session, name=f"Plant {number}", price_cents=120_00, stock=5) for number in range(20)]
    session.commit()
    token = db.write(lambda session: sessions.start(session, cast.alice))

    def statements_for(products: list[Product]) -> int:
        form = order_form(*((product, 1) for product in products))
        with count_statements(engine) as statements:
            acting.write(token, orders.place, form, key=str(uuid4()))
        return len(statements)

    statements_for(plants[:1])  # the first purchase also claims its discount and fills the profile
    # PostgreSQL locks the person, and tells the other processes, in statements of their own. It takes the number of the
    # order on another connection, whose statements are not counted.
    repeated = 16 if engine.dialect.name == "sqlite" else 17
    assert [statements_for(plants[:count]) for count in (1, 2, 20)] == [repeated] * 3
