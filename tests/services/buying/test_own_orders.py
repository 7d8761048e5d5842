"""What customers do with their own orders: find them, list them, and buy the same again."""

from datetime import timedelta

import pytest
from sqlmodel import Session

from marketplace_app import clock, db, errors, messages
from marketplace_app.limits import MAX_ORDER_LINES
from marketplace_app.models import Product, User
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.services.buying import cart, orders
from marketplace_app.services.buying.cart import Shortage
from tests.builders import make_order, make_product, order_form, place_order
from tests.conftest import Cast


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=5)
    session.commit()
    return product


def test_an_order_is_found_by_its_own_id_and_a_foreign_one_is_not(cast: Cast, fern: Product) -> None:
    ids = [place_order(cast.alice, order_form((fern, 2)))["id"] for _ in range(2)]
    shown = [db.read(lambda s, o=each: orders.get(s, s.get(User, cast.alice.id), o)).id for each in ids]
    assert shown == ids
    for who, order_id in ((cast.bob, ids[0]), (cast.alice, "unknown")):
        with pytest.raises(errors.NotFound, match=f"^{messages.ORDER_NOT_FOUND}$"):
            db.read(lambda s, w=who, o=order_id: orders.get(s, s.get(User, w.id), o))


def test_orders_are_listed_newest_first_and_by_number_within_a_moment(session: Session, cast: Cast) -> None:
    now = clock.now()
    made = [
        make_order(session, cast.alice, 1_00, number=number, created_at=now - timedelta(hours=hours))
        for number, hours in ((101, 2), (104, 1), (103, 1), (102, 3))
    ]
    session.commit()
    expected = [made[index].id for index in (1, 2, 0, 3)]

    def listed(**page: int) -> list[str]:
        return [each.id for each in db.read(lambda s: orders.list_own(s, s.get(User, cast.alice.id), **page))]

    assert listed() == expected
    assert listed(limit=2) == expected[:2]
    assert listed(limit=2, offset=1) == expected[1:3]
    assert db.read(lambda s: orders.count_own(s, s.get(User, cast.alice.id))) == 4


def test_buying_again_adds_what_is_left_and_names_what_is_short(session: Session, cast: Cast, fern: Product) -> None:
    dune, gone = (make_product(session, name, stock=5) for name in ("Dune", "Gone"))
    session.commit()
    order_id = place_order(cast.alice, order_form((fern, 2), (dune, 3), (gone, 1)))["id"]
    session.get_one(Product, gone.id, populate_existing=True).is_active = False
    session.commit()

    def again() -> orders.BuyAgainResult:
        return db.write(lambda s: orders.buy_again(s, s.get(User, cast.alice.id), order_id))

    gone_and = {Shortage.UNAVAILABLE: ("Gone",)}
    assert again() == orders.BuyAgainResult(("Fern Hollow", "Dune"), gone_and | {Shortage.STOCK: ("Dune",)})
    lines = db.read(lambda s: cart.list_lines(s, s.get(User, cast.alice.id)))
    assert sorted(line.quantity for line in lines) == [2, 2]
    assert again() == orders.BuyAgainResult(("Fern Hollow",), gone_and | {Shortage.STOCK: ("Fern Hollow", "Dune")})
    assert again() == orders.BuyAgainResult((), gone_and | {Shortage.STOCK: ("Fern Hollow", "Dune")})
    with pytest.raises(errors.NotFound):
        db.write(lambda s: orders.buy_again(s, s.get(User, cast.bob.id), order_id))


def test_buying_again_adds_what_a_nearly_full_cart_has_room_for(session: Session, cast: Cast, fern: Product) -> None:
    dune, kept = make_product(session, "Dune", stock=9), make_product(session, "Kept", stock=9)
    others = [make_product(session, f"Other {number}", stock=9) for number in range(MAX_ORDER_LINES - 2)]
    session.commit()
    order_id = place_order(cast.alice, order_form((kept, 1), (fern, 1), (dune, 1)))["id"]
    for product in (kept, *others):
        db.write(lambda s, p=product: cart.add(s, s.get(User, cast.alice.id), AddForm(productId=p.id, quantity=1)))
    bought = db.write(lambda s: orders.buy_again(s, s.get(User, cast.alice.id), order_id))
    assert bought == orders.BuyAgainResult(("Kept", "Fern Hollow"), {Shortage.CART_IS_FULL: ("Dune",)})
