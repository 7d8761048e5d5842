"""The taxes of orders, as they are stored and shown (RULE taxes)."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.limits import MAX_PRICE_CENTS
from marketplace_app.models import Order, OrderTax, Product, TaxKind, User
from marketplace_app.schemas.jurisdictions.state_rules import TaxComponent
from marketplace_app.services import invariants, privacy
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import orders, own_orders, quotes
from tests.builders import give_credit, make_product, make_tax, order_form, place_order
from tests.conftest import Cast
from tests.counting import count_statements

EXCISE = make_tax(code="excise", label="Excise tax", basis_points=15_00, base=("items", "delivery"))
SALES = make_tax(code="sales", label="Sales tax", basis_points=8_50, base=("items", "delivery", "excise"))
LOCAL = make_tax(code="local", label="Local tax", basis_points=3_00, kind=TaxKind.INCLUDED)
Levy = Callable[..., None]


@pytest.fixture
def levy(monkeypatch: pytest.MonkeyPatch) -> Levy:
    """`levy(EXCISE)`: the terms of every place have this tax."""
    real = quotes.terms_of

    def change(*taxes: TaxComponent) -> None:
        monkeypatch.setattr(quotes, "terms_of", lambda shop: replace(real(shop), taxes=taxes))

    return change


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=100_00, stock=50)
    session.commit()
    return product


def stored(session: Session) -> list[tuple[int, str, str, int, int, int]]:
    names = ("position", "code", "kind", "basis_points", "base_cents", "amount_cents")
    columns = [col(getattr(OrderTax, name)) for name in names]
    return [tuple(row) for row in session.execute(select(*columns).order_by(col(OrderTax.position)))]


def test_the_largest_order_with_as_much_tax_can_be_stored(session: Session, cast: Cast, levy: Levy) -> None:
    levy(make_tax(basis_points=100_00, base=("items", "delivery")))
    gold = [make_product(session, name, price_cents=MAX_PRICE_CENTS, stock=99) for name in ("Gold", "Silver")]
    cast.alice.first_purchase_discount_used = True
    session.add(cast.alice)
    session.commit()
    placed = place_order(cast.alice, order_form((gold[0], 99), (gold[1], 1)))
    assert (placed["subtotal"], placed["total"]) == ("10000000.00", "20000000.00")


def test_an_order_keeps_each_tax_and_its_lines_name_them(
    session: Session, cast: Cast, fern: Product, levy: Levy
) -> None:
    levy(EXCISE, SALES, LOCAL)
    placed = place_order(cast.alice, order_form((fern, 1)))
    # $100.00 less 25 %, and $25.00 for delivery.
    assert stored(session) == [
        (1, "excise", "added", 15_00, 100_00, 15_00),
        (2, "sales", "added", 8_50, 115_00, 9_78),
        (3, "local", "included", 3_00, 75_00, 2_18),
    ]
    assert (placed["tax"], placed["total"]) == ("24.78", "124.78")
    assert [(line["label"], line["amount"]) for line in placed["lines"][3:]] == [
        ("Excise tax, 15%", "15.00"),
        ("Sales tax, 8.5%", "9.78"),
        ("Includes local tax of $2.18", "0.00"),
    ]
    assert [check for check in invariants.check(session) if not check.holds] == []


def test_the_shopper_and_staff_read_the_same_lines(cast: Cast, fern: Product, levy: Levy) -> None:
    levy(EXCISE, LOCAL)
    placed = place_order(cast.alice, order_form((fern, 1)))
    levy()
    own = db.read(lambda s: orders.get(s, s.get(User, cast.alice.id), placed["id"])).wire()
    seen = db.read(lambda s: admin_orders.get(s, s.get(User, cast.ada.id), placed["id"])).wire()
    assert own["lines"] == seen["lines"] == placed["lines"]
    assert own["tax"] == seen["tax"] == "15.00"


def test_a_tax_that_the_customer_has_not_seen_is_not_charged(cast: Cast, fern: Product, levy: Levy) -> None:
    levy(EXCISE)
    with pytest.raises(errors.QuoteChanged) as refused:
        place_order(cast.alice, order_form((fern, 1), total="100.00"))
    assert (refused.value.quote["tax"], refused.value.quote["taxes"][0]["amount"]) == ("15.00", "15.00")
    place_order(cast.alice, order_form((fern, 1), total="115.00", tax="15.00"))


def test_credit_pays_tax(session: Session, cast: Cast, fern: Product, levy: Levy) -> None:
    levy(EXCISE)
    give_credit(session, cast.alice, 500_00)
    session.commit()
    placed = place_order(cast.alice, order_form((fern, 1), useCredit=True))
    assert (placed["tax"], placed["creditApplied"], placed["total"]) == ("15.00", "115.00", "0.00")


def test_an_order_with_taxes_takes_one_more_statement(engine: Engine, cast: Cast, fern: Product, levy: Levy) -> None:
    place_order(cast.alice, order_form((fern, 1)))  # the first purchase also claims its discount

    def statements() -> list[str]:
        with count_statements(engine) as found:
            place_order(cast.alice, order_form((fern, 1)))
        return [each for each in found if "order_taxes" in each]

    assert statements() == []
    levy(EXCISE, SALES)
    assert len(statements()) == 1


def test_cancelling_and_erasing_leave_the_taxes_of_the_order(
    session: Session, cast: Cast, fern: Product, levy: Levy
) -> None:
    levy(EXCISE)
    placed = place_order(cast.alice, order_form((fern, 1)))
    db.write(lambda s: own_orders.cancel(s, s.get(User, cast.alice.id), placed["id"]))
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert len(stored(session)) == 1
    assert session.get_one(Order, placed["id"]).tax_cents == 15_00
    assert [check for check in invariants.check(session) if not check.holds] == []
