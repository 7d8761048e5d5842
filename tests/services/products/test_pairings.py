"""'Goes well with' comes from what different people ordered together."""

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import versioned_cache
from marketplace_app.models import OrderStatus, Product, User
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services.buying import fulfilment, orders
from marketplace_app.services.products import pairings
from tests.builders import make_product, make_user, order_form
from tests.conftest import Cast


def products_named(session: Session, *names: str) -> list[Product]:
    made = [make_product(session, name, price_cents=120_00, stock=90) for name in names]
    session.commit()
    return made


def people(session: Session, count: int) -> list[User]:
    made = [make_user(session, f"person{number}") for number in range(count)]
    session.commit()
    return made


def buy(who: User, *products: Product) -> str:
    form = order_form(*[(product, 1) for product in products])
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None))["id"])


def names(product: Product) -> list[str]:
    versioned_cache.clear_all()
    return [view.name for view in db.read(lambda s: pairings.list_pairings(s, None, product.id))]


def test_a_pairing_needs_three_different_buyers(session: Session, cast: Cast) -> None:
    fern, mint = products_named(session, "Fern", "Mint")
    first, second, third = people(session, 3)
    for who in (first, second, second, second):
        buy(who, fern, mint)
    assert names(fern) == []
    buy(third, fern, mint)
    assert (names(fern), names(mint)) == (["Mint"], ["Fern"])


def test_cancelled_orders_do_not_count(session: Session, cast: Cast) -> None:
    fern, mint = products_named(session, "Fern", "Mint")
    placed = [buy(who, fern, mint) for who in people(session, 3)]
    cancelled = OrderEditForm(status=OrderStatus.CANCELLED)
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), placed[0], cancelled).id)
    assert names(fern) == []


def test_bestsellers_do_not_lead_every_list(session: Session) -> None:
    fern, mint, bestseller = products_named(session, "Fern", "Mint", "Bestseller")
    crowd = people(session, 12)
    for who in crowd[:3]:
        buy(who, fern, mint, bestseller)
    buy(crowd[3], fern, bestseller)
    for who in crowd[4:]:
        buy(who, bestseller)
    assert names(fern) == ["Mint", "Bestseller"]


def test_pairings_are_at_most_four_available_products(session: Session) -> None:
    fern, *others = products_named(session, "Fern", "A", "B", "C", "D", "E", "F", "G")
    for who in people(session, 3):
        buy(who, fern, *others)
    session.get_one(Product, others[0].id).stock = 0
    session.get_one(Product, others[1].id).is_active = False
    session.commit()
    assert names(fern) == ["C", "D", "E", "F"]
