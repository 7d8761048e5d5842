"""What a quote knows of its shopper, of products and of the place (RULE quote, RULE quote-place)."""

from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import errors
from marketplace_app.limits import DELIVERY_FEE_CENTS, MINIMUM_ORDER_CENTS
from marketplace_app.models import OrderStatus, Product
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import QuoteForm
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services.buying import quotes
from marketplace_app.services.delivery.zones import ZoneTerms
from tests.builders import give_credit, make_order, make_product
from tests.conftest import Cast
from tests.counting import count_statements


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=5)
    session.commit()
    return product


def form(product: Product, quantity: int = 1, **values: Any) -> QuoteForm:
    return parse(QuoteForm, {"items": [{"productId": product.id, "quantity": quantity}]} | values)


@pytest.mark.parametrize("status", OrderStatus)
def test_only_an_order_that_was_not_cancelled_ends_the_first_purchase(
    session: Session, cast: Cast, status: OrderStatus
) -> None:
    make_order(session, cast.alice, 50_00, status=status)
    standing = quotes.standing_of(session, cast.alice.id)
    buyer = quotes.buyer_of(cast.alice, standing, use_credit=False)
    assert standing.has_ordered is not buyer.is_first_purchase is (status is OrderStatus.CANCELLED)


def test_credit_counts_if_it_is_to_be_used_and_is_never_negative(session: Session, cast: Cast) -> None:
    give_credit(session, cast.alice, 25_00)
    give_credit(session, cast.bob, -5_00)
    found = [
        quotes.find_buyer(session, who, use_credit=use_credit).credit_cents
        for who, use_credit in ((cast.alice, True), (cast.alice, False), (cast.bob, True))
    ]
    assert found == [25_00, 0, 0]


def test_nothing_is_read_of_a_user_without_discount_or_credit(engine: Engine, session: Session, cast: Cast) -> None:
    cast.alice.first_purchase_discount_used = True
    session.flush()
    with count_statements(engine) as statements:
        buyer = quotes.find_buyer(session, cast.alice, use_credit=False)
    assert (statements, buyer.is_first_purchase) == ([], False)


def test_a_referral_discount_is_for_a_referred_user_who_has_not_had_it(session: Session, cast: Cast) -> None:
    def has_bonus() -> bool:
        return quotes.find_buyer(session, cast.alice, use_credit=False).has_referral_bonus

    assert not has_bonus()
    cast.alice.referred_by_id = cast.bob.id
    assert has_bonus()
    cast.alice.referral_bonus_used = True
    assert not has_bonus()


def test_products_that_are_not_sold_any_more_count_as_sold_out_in_the_order_that_was_asked_for(
    session: Session, cast: Cast, fern: Product
) -> None:
    gone = make_product(session, "Moss", stock=9, is_active=False)
    wanted = {999_999: 1, gone.id: 2, fern.id: 3}
    items = quotes.items_of(quotes.load_products(session, wanted), wanted)
    assert [(item.product_id, item.quantity, item.available) for item in items] == [
        (999_999, 1, 0),
        (gone.id, 2, 0),
        (fern.id, 3, 5),
    ]


def test_guests_get_no_quote(session: Session, fern: Product) -> None:
    with pytest.raises(errors.NotSignedIn):
        quotes.make(session, None, form(fern))


def test_a_quote_changes_neither_stock_nor_cart(session: Session, cast: Cast, fern: Product) -> None:
    assert quotes.make(session, cast.alice, form(fern, 2)).subtotal_cents == 240_00
    assert not session.dirty | session.new
    assert session.get_one(Product, fern.id, populate_existing=True).stock == 5


@pytest.mark.parametrize(
    ("has_zones", "enforces", "left_open"),
    [(False, False, ()), (True, False, ("zone",)), (False, True, ("tax",)), (True, True, ("zone", "tax"))],
)
def test_without_any_place_a_quote_leaves_open_what_depends_on_one(
    session: Session, cast: Cast, has_zones: bool, enforces: bool, left_open: tuple[str, ...]
) -> None:
    shop = ShopSettings(enforce_jurisdiction=int(enforces))
    ruling = quotes.find_ruling(session, cast.alice, shop, [], has_zones=has_zones, place=None)
    assert ruling.terms.open == left_open


def test_what_a_zone_sets_replaces_the_shops_terms_and_the_larger_minimum_holds() -> None:
    def terms(**set_by_zone: int) -> tuple[int, int, str]:
        values = {"fee_cents": None, "free_from_cents": None, "minimum_cents": None} | set_by_zone
        found = quotes.terms_in(ShopSettings(), ZoneTerms(id=1, name="East side", **values), "97201")
        return found.delivery_fee_cents, found.minimum_order_cents, found.minimum_in

    more, less = MINIMUM_ORDER_CENTS + 1, MINIMUM_ORDER_CENTS - 1
    assert terms() == (DELIVERY_FEE_CENTS, MINIMUM_ORDER_CENTS, "")
    assert terms(fee_cents=0, minimum_cents=less) == (0, MINIMUM_ORDER_CENTS, "")
    assert terms(minimum_cents=more) == (DELIVERY_FEE_CENTS, more, "East side")


@pytest.mark.parametrize(("zip_code", "code"), [(None, "address_not_understood"), ("97201", "outside_delivery_area")])
def test_a_place_without_a_zone_blocks_the_order(zip_code: str | None, code: str) -> None:
    assert [each.code for each in quotes.terms_in(ShopSettings(), None, zip_code).blockers] == [code]
