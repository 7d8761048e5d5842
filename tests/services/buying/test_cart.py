"""The cart of a shopper (RULE cart-lines)."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.auth import acting
from marketplace_app.models import CartLine, Product, User
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.services import sessions
from marketplace_app.services.buying import cart
from tests.builders import make_product, order_form, place_order
from tests.conftest import Cast
from tests.counting import count_statements
from tests.services.buying.test_orders import fern

__all__ = ["fern"]  # fixtures, which tests take by name


def test_ordered_items_leave_the_cart_and_later_ones_stay(cast: Cast, fern: Product) -> None:
    add = AddForm.model_validate({"productId": fern.id, "quantity": 3})
    db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), add))
    place_order(cast.alice, order_form((fern, 2)))
    lines = db.read(lambda s: cart.list_lines(s, s.get(User, cast.alice.id)))
    assert [line.quantity for line in lines] == [1]


def test_adding_to_the_cart_takes_three_statements_however_full_it_is(
    engine: Engine, session: Session, cast: Cast
) -> None:
    plants = [make_product(session, name=f"Plant {number}") for number in range(20)]
    session.commit()
    token = db.write(lambda session: sessions.start(session, cast.alice))

    def statements_for(product: Product) -> int:
        form = AddForm.model_validate({"productId": product.id, "quantity": 1})
        with count_statements(engine) as statements:
            acting.write(token, cart.add, form)
        return len(statements)

    # PostgreSQL locks the person, and tells the other processes, in statements of their own.
    expected = 3 if engine.dialect.name == "sqlite" else 5
    assert [statements_for(plant) for plant in (*plants, plants[0])] == [expected] * 21


def test_the_cart_takes_the_same_number_of_statements_for_one_and_for_many(
    engine: Engine, session: Session, cast: Cast
) -> None:
    def look() -> int:
        with count_statements(engine) as statements:
            db.read(lambda s: cart.show(s, s.get(User, cast.alice.id)))
        return len(statements)

    for n in range(6):
        session.add(CartLine(user_id=cast.alice.id, product_id=make_product(session, f"P{n}").id, quantity=1))
        session.commit()
        if n == 0:
            one = look()
    assert look() == one <= 6


def put(who: User, product: Product, quantity: int = 1) -> int:
    form = AddForm.model_validate({"productId": product.id, "quantity": quantity})
    return db.write(lambda s: cart.add(s, s.get(User, who.id), form)).id


def step(who: User, line: int, by: int) -> int | None:
    changed = db.write(lambda s: cart.step(s, s.get(User, who.id), line, by=by))
    return changed.quantity if changed else None


def test_two_presses_count_twice_and_the_last_unit_takes_the_line_away(cast: Cast, fern: Product) -> None:
    line = put(cast.alice, fern)
    assert [step(cast.alice, line, by) for by in (1, 1, -1, -1, -1)] == [2, 3, 2, 1, None]
    with pytest.raises(errors.NotFound):
        step(cast.alice, line, 1)


def test_a_full_cart_takes_more_of_what_it_has_and_nothing_else(
    session: Session, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    moss = make_product(session, "Moss")
    session.commit()
    monkeypatch.setattr(cart, "MAX_ORDER_LINES", 1)
    line = put(cast.alice, fern)
    assert put(cast.alice, fern) == line
    with pytest.raises(errors.InvalidInput, match="at most 1 different products"):
        put(cast.alice, moss)
    added = db.write(lambda s: cart.add_up_to(s, s.get(User, cast.alice.id), moss.id, 1))
    assert added == (0, cart.Shortage.CART_IS_FULL)


def test_fewer_can_be_kept_of_what_has_become_scarce_but_not_more(session: Session, cast: Cast, fern: Product) -> None:
    line = put(cast.alice, fern, 5)
    session.get_one(Product, fern.id).stock = 2
    session.commit()
    assert step(cast.alice, line, -1) == 4
    with pytest.raises(errors.AlreadyInCart):
        step(cast.alice, line, 1)
