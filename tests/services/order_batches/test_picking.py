"""Which batches staff may pick for an order, and who may (RULE batch-swap)."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.errors import NotAllowed, NotFound
from marketplace_app.models import OrderStatus, Product, Role, User
from marketplace_app.services.batches import keeping
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.services.order_batches import picking
from tests.builders import make_batch, make_product, make_user
from tests.conftest import Cast
from tests.services.batches.test_of_orders import HOLD_FORM, batch_id, broken, counts, set_status, units_by_batch
from tests.services.batches.test_swaps import fern, order_of, swap
from tests.services.order_batches.test_wishes import place

__all__ = ["fern"]  # fixtures, which tests take by name


def test_a_batch_that_is_not_for_sale_or_has_too_few_units_is_not_taken(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    order = order_of(cast.alice, fern, 3)
    place(cast.bob, (fern, 6))
    assert counts(engine)["B1"] == (1, 0)
    first, held = batch_id(engine, "A1"), batch_id(engine, "C1")
    db.write(lambda s: keeping.hold(s, s.get(User, cast.ada.id), held, HOLD_FORM))
    for code in ("A1", "B1", "C1"):  # sold out, one unit left, held
        with pytest.raises(picking.BatchUnavailable):
            swap(engine, cast.ada, order, "A1", code)
    choices = db.read(lambda s: picking.list_choices(s, cast.ada, order, fern.id, first))
    assert [choice.code for choice in choices.others] == ["D1", "E1"]
    assert units_by_batch(engine, order) == {"A1": 3}
    assert broken(engine) == []


def test_an_order_that_is_out_or_has_ended_is_not_swapped(engine: Engine, cast: Cast, fern: Product) -> None:
    order, first = order_of(cast.alice, fern), batch_id(engine, "A1")
    for status in (OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED):
        set_status(cast, order, status)
        with pytest.raises(OrderAlreadyOut):
            swap(engine, cast.ada, order, "A1", "B1")
        with pytest.raises(OrderAlreadyOut):
            db.read(lambda s: picking.list_choices(s, cast.ada, order, fern.id, first))
    assert units_by_batch(engine, order) == {"A1": 2}
    set_status(cast, order, OrderStatus.CANCELLED)
    with pytest.raises(OrderAlreadyOut):
        swap(engine, cast.ada, order, "A1", "B1")
    assert units_by_batch(engine, order) == {}


def test_what_an_order_does_not_have_is_not_found(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    other = make_product(session, "Moss", stock=0)
    make_batch(session, other, "M1", units=9)
    session.commit()
    order, first = order_of(cast.alice, fern), batch_id(engine, "A1")
    for before, after in (("B1", "A1"), ("A1", "M1"), ("M1", "A1")):
        with pytest.raises(NotFound):
            swap(engine, cast.ada, order, before, after)
    with pytest.raises(NotFound):
        db.read(lambda s: picking.list_choices(s, cast.ada, order, other.id, first))
    assert broken(engine) == []


def test_only_those_who_may_edit_orders_may_swap(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    viewer, support = make_user(session, "vera", role=Role.VIEWER), make_user(session, "sam", role=Role.SUPPORT)
    session.commit()
    order = order_of(cast.alice, fern)
    for who in (viewer, cast.alice):
        with pytest.raises(NotAllowed):
            swap(engine, who, order, "A1", "B1")
    assert swap(engine, support, order, "A1", "B1") == {"B1": 2}
