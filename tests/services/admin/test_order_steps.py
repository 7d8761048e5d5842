"""A step and its undo, as the admin pages send them with the status that was seen."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.models import Order, OrderStatus, Product, User
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services import credits
from marketplace_app.services.buying import fulfilment
from tests.builders import make_product, make_user
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import place, set_status
from tests.services.test_races import at_once

CONFIRMED, DELIVERED, OUT, PENDING = (
    OrderStatus.CONFIRMED,
    OrderStatus.DELIVERED,
    OrderStatus.OUT_FOR_DELIVERY,
    OrderStatus.PENDING,
)


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=50)
    session.commit()
    return product


def step(actor: User, order_id: str, seen: OrderStatus, status: OrderStatus) -> OrderStatus:
    form = OrderEditForm(status=status)
    return db.write(lambda s: fulfilment.edit(s, s.get(User, actor.id), order_id, form, seen={"status": seen}).status)


def test_undoing_a_delivery_takes_the_referrers_credit_back_once(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    friend = make_user(session, "friend", referred_by=cast.bob)
    session.commit()
    order_id = place(friend, fern)
    set_status(cast.ada, order_id, CONFIRMED, OUT)
    for _ in range(2):
        assert step(cast.ada, order_id, OUT, DELIVERED) is DELIVERED
        with Session(engine) as after:
            assert credits.balance(after, cast.bob.id) == 100_00
        assert step(cast.ada, order_id, DELIVERED, OUT) is OUT
        with Session(engine) as after:
            assert credits.balance(after, cast.bob.id) == 0


def test_a_status_set_by_another_is_neither_overwritten_nor_undone(cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    step(cast.ada, order_id, PENDING, CONFIRMED)
    set_status(cast.ada, order_id, OrderStatus.CANCELLED)
    for seen, status in ((PENDING, CONFIRMED), (CONFIRMED, OUT), (CONFIRMED, PENDING)):
        with pytest.raises(errors.EditedMeanwhile):
            step(cast.ada, order_id, seen, status)


@pytest.mark.race
def test_simultaneous_steps_advance_an_order_once(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    assert at_once([lambda: step(cast.ada, order_id, PENDING, CONFIRMED)] * 6) == [CONFIRMED] * 6
    with Session(engine) as session:
        order = session.get_one(Order, order_id)
        assert [change.to_status for change in order.history] == [PENDING, CONFIRMED]
