"""Concurrent purchases and referrals (promises P1, P3, P4).

Each race has its negative control: the naive way must fail under the same load, or the race proves nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update
from sqlmodel import Session, col

from marketplace_app import clock, db, errors
from marketplace_app.models import Order, OrderDelivery, OrderLine, OrderStatus, Product, Slot, StockMovement, User
from marketplace_app.schemas.account.referrals import ApplyForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.delivery.slots import read_slot_id
from marketplace_app.services import credits, referrals
from marketplace_app.services.account import invitations
from marketplace_app.services.buying import cart, fulfilment, orders, own_orders, quotes
from marketplace_app.services.delivery import slots, windows
from marketplace_app.services.records import audit_chain
from tests.builders import make_product, make_user, make_window, make_zone, order_form, slot_id
from tests.conftest import Cast
from tests.services.account.test_invitations import invite

pytestmark = pytest.mark.race
THREADS = 20


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Run them on twenty threads that start together; the answers, refusals among them."""
    start = Barrier(min(THREADS, len(calls)))

    def run(number: int) -> Any:
        if number < start.parties:
            start.wait()
        try:
            return calls[number]()
        except errors.StoreError as error:
            return error

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(len(calls))))


def shoppers(session: Session, count: int) -> list[User]:
    people = [make_user(session, f"shopper{n}") for n in range(count)]
    session.commit()
    return people


def placing(user: User, *items: tuple[Product, int], key: str | None = None) -> Callable[[], Any]:
    form = order_form(*items)
    return lambda: db.write(lambda s: orders.place(s, s.get(User, user.id), form, key=key))


def sold(engine: Engine, product: Product) -> int:
    with Session(engine) as session:
        statement = select(func.coalesce(func.sum(col(OrderLine.quantity)), 0))
        return int(session.execute(statement.where(col(OrderLine.product_id) == product.id)).scalar_one())


def stock_of(engine: Engine, product: Product) -> int:
    with Session(engine) as session:
        return session.get_one(Product, product.id).stock


def test_two_hundred_buyers_for_fifty_units_buy_fifty(engine: Engine, session: Session) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    answers = at_once([placing(user, (product, 1)) for user in shoppers(session, 200)])
    assert Counter(type(answer) for answer in answers) == {dict: 50, errors.OutOfStock: 150}
    assert (sold(engine, product), stock_of(engine, product)) == (50, 0)
    with Session(engine) as after:
        ledger = select(func.sum(col(StockMovement.change))).where(col(StockMovement.product_id) == product.id)
        assert after.execute(ledger).scalar_one() == 0
        assert after.execute(select(func.count(func.distinct(col(Order.number))))).scalar_one() == 50


def placing_at(user: User, product: Product, slot: str) -> Callable[[], Any]:
    form = order_form((product, 1), slotId=slot)
    return lambda: db.write(lambda s: orders.place(s, s.get(User, user.id), form, key=None))


def places_taken(engine: Engine) -> tuple[int, int]:
    """As the slot counts them, and as its orders do."""
    with Session(engine) as session:
        held = select(func.count()).where(col(OrderDelivery.held_slot_id).is_not(None))
        return session.execute(select(col(Slot.taken))).scalar_one(), session.execute(held).scalar_one()


def test_fifty_buyers_for_ten_places_in_a_slot_take_ten(engine: Engine, session: Session) -> None:
    """Each buys another product, and none is sold out: otherwise the lock of the product, or of the catalogue's
    version, would let them come one after the other."""
    products = [make_product(session, price_cents=100_00, stock=5) for _ in range(50)]
    window = make_window(session, make_zone(session, "97201"), capacity=10)
    people = shoppers(session, 50)
    slot = slot_id(window)
    answers = at_once([placing_at(*each, slot) for each in zip(people, products, strict=True)])
    assert Counter(type(answer) for answer in answers) == {dict: 10, slots.WindowFull: 40}
    assert places_taken(engine) == (10, 10)
    assert sum(stock_of(engine, product) for product in products) == 240
    cancelled = at_once(
        [
            lambda answer=answer, user=user: db.write(
                lambda s: own_orders.cancel(s, s.get(User, user.id), answer["id"])
            )
            for answer, user in zip(answers, people, strict=True)
            if isinstance(answer, dict)
        ]
        * 2
    )
    assert len(cancelled) == 20
    assert places_taken(engine) == (0, 0), "each gave its place back once"


def test_control_places_that_are_read_and_then_written_are_given_twice(engine: Engine, session: Session) -> None:
    """Reading in one transaction and writing in another: the check of the table is all that is left."""
    window, now = make_window(session, make_zone(session, "97201")), clock.now()
    offer = windows.SlotOffer(read_slot_id(slot_id(window)), now, now + timedelta(hours=2), 10, 0, is_made=False)
    session.commit()
    db.write(lambda s: slots._take_place(s, offer, None))
    start = Barrier(THREADS)

    def take(_number: int) -> bool:
        taken = db.read(lambda s: s.execute(select(col(Slot.taken))).scalar_one())
        start.wait()
        if taken >= 10:
            return False
        db.write(lambda s: s.execute(update(Slot).values(taken=taken + 1)))
        return True

    with ThreadPoolExecutor(THREADS) as pool:
        given = sum(pool.map(take, range(THREADS)))
    assert given == THREADS, "twenty were told that they have one of nine places"


def at_once_async(works: list[Callable[[Session], Any]]) -> list[Any]:
    """Like `at_once`, but from the event loop, as requests come: on SQLite they share commits."""

    async def run() -> list[Any]:
        return await asyncio.gather(*(db.write_async(work) for work in works), return_exceptions=True)

    return asyncio.run(run())


def test_two_hundred_buyers_on_the_event_loop_buy_fifty_of_fifty_units(engine: Engine, session: Session) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    form = order_form((product, 1))
    ids = [user.id for user in shoppers(session, 200)]
    answers = at_once_async([lambda s, who=who: orders.place(s, s.get(User, who), form, key=None) for who in ids])
    assert Counter(type(answer) for answer in answers) == {dict: 50, errors.OutOfStock: 150}
    assert (sold(engine, product), stock_of(engine, product)) == (50, 0)
    with Session(engine) as after:
        assert after.execute(select(func.count(func.distinct(col(Order.number))))).scalar_one() == 50
        assert audit_chain.check_all(after).broken is None


def test_twenty_equal_submits_on_the_event_loop_are_one_order(engine: Engine, session: Session, cast: Cast) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    session.commit()
    form = order_form((product, 1))
    who = cast.alice.id
    answers = at_once_async([lambda s: orders.place(s, s.get(User, who), form, key="one intent")] * 20)
    assert {answer["id"] for answer in answers} == {answers[0]["id"]}
    assert (sold(engine, product), stock_of(engine, product)) == (1, 49)


def test_control_reading_checking_then_writing_oversells(engine: Engine, session: Session) -> None:
    """The naive way: read the stock in one transaction, write what is left in another."""
    product = make_product(session, stock=50)
    session.commit()
    bought: list[int] = []
    all_have_read = Barrier(THREADS)

    def naive() -> None:
        stock = db.read(lambda s: s.get_one(Product, product.id).stock)
        all_have_read.wait()
        if stock > 0:
            db.write(lambda s: _write_stock(s, product, stock - 1))
            bought.append(1)

    at_once([naive] * 60)
    assert len(bought) > 50 - stock_of(engine, product)


def _write_stock(session: Session, product: Product, stock: int) -> None:
    session.get_one(Product, product.id).stock = stock


def test_two_first_orders_at_once_share_one_discount(engine: Engine, session: Session, cast: Cast) -> None:
    people = [make_user(session, f"friend{n}", referred_by=cast.bob) for n in range(100)]
    product = make_product(session, price_cents=120_00, stock=500)
    session.commit()
    answers = at_once([placing(user, (product, 1)) for user in people for _ in range(2)])
    assert all(isinstance(answer, dict) for answer in answers)
    with Session(engine) as after:
        for column in (Order.new_customer_discount_cents, Order.referral_discount_cents):
            given = select(col(Order.user_id), func.count()).where(col(column) > 0).group_by(col(Order.user_id))
            assert Counter(count for _, count in after.execute(given)) == {1: 100}


def test_control_without_the_claim_the_discount_is_given_twice(engine: Engine, session: Session) -> None:
    """Entitlement read in one transaction and used in another: both orders would take it."""
    user = make_user(session, "newcomer")
    session.commit()
    both_have_read = Barrier(2)

    def naive() -> bool:
        is_first = db.read(lambda s: quotes.find_buyer(s, s.get_one(User, user.id), use_credit=False).is_first_purchase)
        both_have_read.wait()
        return is_first

    assert at_once([naive, naive]) == [True, True]


def test_twenty_equal_submits_are_one_order(engine: Engine, session: Session, cast: Cast) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    session.commit()
    answers = at_once([placing(cast.alice, (product, 1), key="one intent")] * 20)
    assert {answer["id"] for answer in answers} == {answers[0]["id"]}
    assert (sold(engine, product), stock_of(engine, product)) == (1, 49)


def test_control_without_a_key_twenty_equal_submits_are_twenty_orders(
    engine: Engine, session: Session, cast: Cast
) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    session.commit()
    answers = at_once([placing(cast.alice, (product, 1))] * 20)
    assert len({answer["id"] for answer in answers}) == 20


def test_adding_in_two_tabs_at_once_counts_both(engine: Engine, session: Session, cast: Cast) -> None:
    product = make_product(session, stock=90)
    session.commit()
    form = AddForm.model_validate({"productId": product.id, "quantity": 1})
    at_once([lambda: db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), form))] * 20)
    lines = db.read(lambda s: cart.list_lines(s, s.get(User, cast.alice.id)))
    assert [line.quantity for line in lines] == [20]


def test_buyers_of_the_same_two_products_in_opposite_order_do_not_deadlock(engine: Engine, session: Session) -> None:
    one, two = make_product(session, "One", stock=99), make_product(session, "Two", stock=99)
    people = shoppers(session, 40)
    pairs = [((one, 1), (two, 1)) if n % 2 else ((two, 1), (one, 1)) for n in range(40)]
    calls = [placing(user, *pair) for user, pair in zip(people, pairs, strict=True)]
    assert all(isinstance(answer, dict) for answer in at_once(calls))


def applying(user: User, code: str) -> Callable[[], Any]:
    form = parse(ApplyForm, {"referralCode": code})
    return lambda: db.write(lambda s: referrals.apply(s, s.get(User, user.id), form))


def pairs_with_codes(session: Session, count: int) -> list[tuple[User, User]]:
    people = [make_user(session, f"friend{n}") for n in range(2 * count)]
    for number, person in enumerate(people):
        person.referral_code = f"CODE{number:04d}"
    session.commit()
    return list(zip(people[::2], people[1::2], strict=True))


def count_loops(session: Session, pairs: list[tuple[User, User]]) -> int:
    """How many of the pairs refer each other."""
    session.expire_all()
    return sum(
        session.get_one(User, a.id).referred_by_id == b.id and session.get_one(User, b.id).referred_by_id == a.id
        for a, b in pairs
    )


def test_mutual_referrals_never_both_succeed(session: Session) -> None:
    pairs = pairs_with_codes(session, 30)
    answers = at_once(
        [each for a, b in pairs for each in (applying(a, b.referral_code or ""), applying(b, a.referral_code or ""))]
    )
    assert count_loops(session, pairs) == 0
    assert Counter(type(answer) for answer in answers) == {str: 30, referrals.ReferralLoop: 30}


def test_control_looking_first_and_writing_later_makes_loops(session: Session) -> None:
    pairs = pairs_with_codes(session, 5)
    all_have_looked = Barrier(10)

    def naive(person: User, other: User) -> Callable[[], None]:
        def apply() -> None:
            above = db.read(lambda s: referrals._ancestors(s, s.get_one(User, other.id)))
            all_have_looked.wait()
            if person.id not in above:
                db.write(lambda s: _refer(s, person, other))

        return apply

    at_once([each for a, b in pairs for each in (naive(a, b), naive(b, a))])
    assert count_loops(session, pairs) == 5


def _refer(session: Session, person: User, other: User) -> None:
    session.get_one(User, person.id).referred_by_id = other.id


def test_one_person_with_ten_codes_at_once_has_one_referrer(session: Session, cast: Cast) -> None:
    pairs = pairs_with_codes(session, 5)
    codes = [person.referral_code or "" for pair in pairs for person in pair]
    answers = at_once([applying(cast.alice, code) for code in codes])
    assert Counter(type(answer) for answer in answers) == {str: 1, referrals.AlreadyReferred: 9}


def test_ten_deliveries_at_once_give_the_credit_once(session: Session, cast: Cast) -> None:
    product = make_product(session, price_cents=120_00)
    friend = make_user(session, "friend", referred_by=cast.bob)
    session.commit()
    order_id = placing(friend, (product, 1))()["id"]

    def deliver() -> Any:
        status = OrderStatus.DELIVERED
        return db.write(
            lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, OrderEditForm(status=status)).id
        )

    assert at_once([deliver] * 10) == [order_id] * 10
    assert credits.balance(session, cast.bob.id) == 100_00


def test_ten_people_with_one_invitation_are_one_member(session: Session, cast: Cast) -> None:
    code = invite(cast.ada)
    people = shoppers(session, 10)

    def accepting(user: User) -> Callable[[], str]:
        return lambda: db.write(lambda s: invitations.accept(s, s.get(User, user.id), code))

    answers = at_once([accepting(user) for user in people])
    assert Counter(type(answer) for answer in answers) == {str: 1, invitations.InvalidInvitation: 9}
    assert members(session, people) == 1


def test_control_looking_first_and_accepting_later_lets_all_in(session: Session, cast: Cast) -> None:
    code = invite(cast.ada)
    people = shoppers(session, 10)
    all_have_looked = Barrier(10)

    def naive(user: User) -> None:
        db.read(lambda s: invitations.look_up(s, None, code))
        all_have_looked.wait()
        db.write(lambda s: setattr(s.get_one(User, user.id), "invited_at", clock.now()))

    at_once([lambda user=user: naive(user) for user in people])
    assert members(session, people) == 10


def members(session: Session, people: list[User]) -> int:
    session.expire_all()
    return sum(session.get_one(User, person.id).invited_at is not None for person in people)
