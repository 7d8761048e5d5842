"""The counts of pending work, by role."""

import pytest
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.models import OrderStatus, Product, User
from marketplace_app.services.admin import dashboard
from tests.builders import make_product
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import place, set_status


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=50)
    session.commit()
    return product


def last_order_number(actor: User) -> int:
    return db.read(lambda s: dashboard.count_pending(s, s.get(User, actor.id)).last_order_number)


def test_every_order_even_the_first_raises_the_last_order_number_by_one(cast: Cast, fern: Product) -> None:
    start = last_order_number(cast.ada)
    place(cast.alice, fern)
    assert last_order_number(cast.ada) == start + 1
    order_id = place(cast.bob, fern)
    assert last_order_number(cast.ada) == start + 2
    set_status(cast.ada, order_id, OrderStatus.CANCELLED)
    assert last_order_number(cast.ada) == start + 2


def test_shoppers_get_no_counts(cast: Cast) -> None:
    with pytest.raises(errors.NotAllowed):
        last_order_number(cast.alice)
