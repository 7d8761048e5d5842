"""A shopper cancels their own order while the shop has not confirmed it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import db, errors, messages
from marketplace_app.models import AuditEntry, Order, OrderStatus, OutboxMessage, Product, StockMovement, User
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services import credits
from marketplace_app.services.buying import fulfilment, own_orders
from tests.builders import give_credit, make_product, make_user
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import place, set_status, stock
from tests.services.test_races import at_once

CANCELLED, CONFIRMED, DELIVERED, OUT = (
    OrderStatus.CANCELLED,
    OrderStatus.CONFIRMED,
    OrderStatus.DELIVERED,
    OrderStatus.OUT_FOR_DELIVERY,
)


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=5)
    session.commit()
    return product


def cancel(who: User, order_id: str) -> OrderStatus:
    return db.write(lambda s: own_orders.cancel(s, s.get(User, who.id), order_id)).status


def test_stock_credit_and_discounts_come_back_and_the_trail_says_who(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    friend = make_user(session, "friend", referred_by=cast.bob)
    give_credit(session, friend, 30_00)
    session.commit()
    order_id = place(friend, fern, useCredit=True)
    assert cancel(friend, order_id) is CANCELLED
    assert stock(engine, fern) == 5
    with Session(engine) as after:
        person = after.get_one(User, friend.id)
        assert (person.first_purchase_discount_used, person.referral_bonus_used) == (False, False)
        assert credits.balance(after, friend.id) == 30_00
        entry = after.execute(select(AuditEntry).order_by(col(AuditEntry.id).desc())).scalars().first()
        assert (entry.action, entry.actor_id, entry.details) == (
            "order.status",
            friend.id,
            {"from": "pending", "to": "cancelled"},
        )
        mails = select(OutboxMessage).where(col(OutboxMessage.kind) == "order_status")
        assert [mail.payload["status"] for mail in after.execute(mails).scalars()] == ["cancelled"]


def test_cancelling_is_idempotent(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    answers = at_once([lambda: cancel(cast.alice, order_id)] * 8)
    assert answers == [CANCELLED] * 8
    with Session(engine) as session:
        movements = session.execute(select(col(StockMovement.change)).order_by(col(StockMovement.id))).scalars().all()
    assert movements == [5, -2, 2]
    assert stock(engine, fern) == 5


@pytest.mark.parametrize("status", [CONFIRMED, OUT, DELIVERED])
def test_a_confirmed_order_cannot_be_cancelled_by_its_customer(
    engine: Engine, cast: Cast, fern: Product, status: OrderStatus
) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, status)
    with pytest.raises(own_orders.NotPending):
        cancel(cast.alice, order_id)
    assert stock(engine, fern) == 3


def test_users_cannot_cancel_orders_of_others(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    for who in (cast.bob, cast.ada):
        with pytest.raises(errors.NotFound, match=f"^{messages.ORDER_NOT_FOUND}$"):
            cancel(who, order_id)
    with pytest.raises(errors.NotSignedIn):
        db.write(lambda s: own_orders.cancel(s, None, order_id))
    assert stock(engine, fern) == 3


@pytest.mark.race
def test_a_shopper_who_cancels_and_staff_who_confirm_do_not_both_win(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    """Staff confirm what they saw: an order that was pending."""
    people = [make_user(session, f"buyer{n}") for n in range(2)]
    session.commit()
    for number in range(12):
        who = people[number % 2]
        order_id = place(who, fern, 1)
        with Session(engine) as before:
            seen = fulfilment.editable_values(before.get_one(Order, order_id))
        answers = at_once([lambda o=order_id, w=who: cancel(w, o), confirming(cast.ada, order_id, seen)])
        with Session(engine) as after:
            status = after.get_one(Order, order_id).status
        assert sum(isinstance(answer, errors.Conflict) for answer in answers) == 1, answers
        assert status in answers
        if status is CONFIRMED:
            set_status(cast.ada, order_id, CANCELLED)
    assert stock(engine, fern) == 5


def confirming(actor: User, order_id: str, seen: dict[str, Any]) -> Callable[[], OrderStatus]:
    form = OrderEditForm(status=CONFIRMED)
    return lambda: db.write(lambda s: fulfilment.edit(s, s.get(User, actor.id), order_id, form, seen=seen).status)


def confirming_unseen(actor: User, order_id: str) -> Callable[[], OrderStatus]:
    """As REST and the bulk change do, which say nothing of what the order was before."""
    form = OrderEditForm(status=CONFIRMED)
    return lambda: db.write(lambda s: fulfilment.edit(s, s.get(User, actor.id), order_id, form).status)


def test_an_order_cancelled_by_its_customer_is_not_reopened(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    cancel(cast.alice, order_id)
    with pytest.raises(fulfilment.CannotReopen, match="^The customer cancelled this order, so it cannot be reopened.$"):
        confirming_unseen(cast.ada, order_id)()
    assert stock(engine, fern) == 5


def test_an_order_cancelled_by_staff_is_reopened_by_staff_only(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, CANCELLED)
    assert cancel(cast.alice, order_id) is CANCELLED
    set_status(cast.ada, order_id, CONFIRMED)
    assert stock(engine, fern) == 3


@pytest.mark.race
def test_whoever_confirms_unseen_and_the_shopper_who_cancels_do_not_both_win(
    engine: Engine, session: Session, cast: Cast
) -> None:
    product = make_product(session, price_cents=120_00, stock=40)
    session.commit()
    ids = [place(cast.alice, product, 1) for _ in range(10)]
    pairs = [(lambda o=each: cancel(cast.alice, o), confirming_unseen(cast.ada, each)) for each in ids]
    answers = at_once([call for number, pair in enumerate(pairs) for call in (pair if number % 2 else pair[::-1])])
    won = Counter(answer for answer in answers if isinstance(answer, OrderStatus))
    assert won.total() == 10, answers
    with Session(engine) as after:
        assert Counter(after.get_one(Order, each).status for each in ids) == won
    assert stock(engine, product) == 40 - won[CONFIRMED]
