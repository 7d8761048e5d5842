"""What a user would pay now: looks up their entitlements and computes the quote."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.delivery_messages import ADDRESS_NOT_UNDERSTOOD, outside_delivery_area
from marketplace_app.models import Order, OrderStatus, Product, User
from marketplace_app.models.base import table_of
from marketplace_app.packaging import picture_of
from marketplace_app.places import Place
from marketplace_app.schemas.buying.order_forms import QuoteForm
from marketplace_app.schemas.buying.quotes import Blocker, Quote
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import credits, pricing, settings
from marketplace_app.services.accounts import require_shopper
from marketplace_app.services.delivery import place_terms, slots, zones
from marketplace_app.services.jurisdictions import allowance, enforcement
from marketplace_app.services.jurisdictions.enforcement import Ruling

# Built once, because they are run whenever a cart is read.
_EARLIER = select(col(Order.id)).where(
    col(Order.user_id) == bindparam("user_id"), col(Order.status) != OrderStatus.CANCELLED
)
_STANDING = select(_EARLIER.exists().label("has_ordered"), credits.BALANCE.scalar_subquery().label("credit_cents"))


class Standing(NamedTuple):
    """What a shopper's earlier orders and credit entitle them to."""

    has_ordered: bool
    """Whether there is an earlier order that was not cancelled (RULE first-purchase-discount)."""
    credit_cents: int
    """What they can spend; never negative."""


class QuotedProduct(NamedTuple):
    """A product, as far as an order needs it."""

    id: int
    name: str
    price_cents: int
    stock: int
    is_active: bool
    image: str
    category: str
    net_weight_grams: float | None
    thc_mg: int | None
    has_batches: bool

    @property
    def weight_mg(self) -> int | None:
        return pricing.milligrams(self.net_weight_grams)

    @property
    def available(self) -> int:
        """How many could be sold: none of a product that is no longer offered."""
        return self.stock if self.is_active else 0

    @property
    def picture(self) -> str:
        return picture_of(self.image, self.name, self.category)


_PRODUCTS = table_of(Product)
_QUOTED = (
    select(*[_PRODUCTS.c[name] for name in QuotedProduct._fields])
    .where(_PRODUCTS.c.id.in_(bindparam("wanted", expanding=True)))
    .order_by(_PRODUCTS.c.id)
)
_QUOTED_TO_LOCK = _QUOTED.with_for_update()


def make(session: Session, actor: User | None, form: QuoteForm) -> Quote:
    """`POST /api/orders/quote`: the quote for any items, whatever is in the cart."""
    shopper = require_shopper(actor)
    wanted = form.quantities()
    items = items_of(load_products(session, wanted), wanted)
    shop, has_zones = settings.current_with_zones(session)
    place = form.read_place()
    ruling = find_ruling(session, shopper, shop, items, has_zones=has_zones, place=place, slot_id=form.slot_id)
    quote = pricing.quote(items, ruling.terms, find_buyer(session, shopper, use_credit=form.use_credit))
    return quote.model_copy(update={"limits": allowance.views(ruling.uses)}) if ruling.uses else quote


NO_ZONE = ("address_not_understood", "outside_delivery_area")
"""Blockers of a shop with zones where none is known: the other terms are the shop's own."""


def terms_of(shop: ShopSettings) -> pricing.Terms:
    return pricing.Terms(
        minimum_order_cents=shop.minimum_order_cents,
        delivery_fee_cents=shop.delivery_fee_cents,
        free_delivery_cents=shop.free_delivery_cents,
        first_purchase_percent=shop.first_purchase_percent,
        referral_discount_cents=shop.referral_discount_cents,
        cash_rounding_cents=shop.cash_rounding_cents,
    )


def find_ruling(
    session: Session,
    shopper: User,
    shop: ShopSettings,
    items: Sequence[pricing.Item],
    *,
    has_zones: bool,
    place: Place | None,
    slot_id: str | None = None,
) -> Ruling:
    """For a quote: the terms at a place or, without one, at the shopper's usual place (RULE quote-place)."""
    enforces, at = bool(shop.enforce_jurisdiction), clock.now()
    where = (place or zones.usual_place(session, shopper)) if has_zones or enforces else None
    if where is None and (has_zones or enforces):
        left_open = [name for name, depends_on_place in (("zone", has_zones), ("tax", enforces)) if depends_on_place]
        return Ruling(replace(terms_of(shop), open=tuple(left_open)))
    known = place_terms.find(session, where, at, has_zones=has_zones, enforces=enforces)
    zip_code = where.zip_code if where and has_zones else None
    terms = terms_in(shop, known.zone, zip_code) if zip_code else terms_of(shop)
    can_deliver = not terms.blockers
    ruling = Ruling(terms)
    if enforces:
        ruling = enforcement.judge(session, shopper.id, terms, known.rules, items, at, may_leave_open=place is None)
    if slot_id is None or not can_deliver:
        return ruling
    found = slots.blocker(session, zip_code, slot_id, at, ruling.terms.version)
    return ruling.blocked(found) if found else ruling


def terms_in(shop: ShopSettings, zone: zones.ZoneTerms | None, zip_code: str | None) -> pricing.Terms:
    """In a shop with zones, the terms at a ZIP code that was read, or could not be (RULE zone-terms)."""
    terms = terms_of(shop)
    if zip_code is None:
        blocker = Blocker(code="address_not_understood", message=ADDRESS_NOT_UNDERSTOOD)
        return replace(terms, blockers=(blocker,))
    if zone is None:
        blocker = Blocker(code="outside_delivery_area", message=outside_delivery_area(zip_code))
        return replace(terms, blockers=(blocker,))
    minimum = zone.minimum_cents or 0
    zone_minimum_applies = minimum > shop.minimum_order_cents
    return replace(
        terms,
        delivery_fee_cents=shop.delivery_fee_cents if zone.fee_cents is None else zone.fee_cents,
        free_delivery_cents=shop.free_delivery_cents if zone.free_from_cents is None else zone.free_from_cents,
        minimum_order_cents=max(minimum, shop.minimum_order_cents),
        minimum_in=zone.name if zone_minimum_applies else "",
    )


def standing_of(session: Session, user_id: int) -> Standing:
    """As the database has it: what the session has not written yet does not count."""
    has_ordered, balance = session.connection().execute(_STANDING, {"user_id": user_id}).one()
    return Standing(bool(has_ordered), max(0, balance))


def find_buyer(session: Session, user: User, *, use_credit: bool) -> pricing.Buyer:
    """No standing is read for a user who has used the first-purchase discount and does not want to use credit."""
    needs_standing = use_credit or not user.first_purchase_discount_used
    standing = standing_of(session, user.id) if needs_standing else Standing(has_ordered=True, credit_cents=0)
    return buyer_of(user, standing, use_credit=use_credit)


def buyer_of(user: User, standing: Standing, *, use_credit: bool) -> pricing.Buyer:
    return pricing.Buyer(
        is_first_purchase=not user.first_purchase_discount_used and not standing.has_ordered,
        has_referral_bonus=user.referred_by_id is not None and not user.referral_bonus_used,
        credit_cents=standing.credit_cents if use_credit else 0,
        is_age_verified=user.age_verified_at is not None,
    )


def load_products(session: Session, wanted: Iterable[int], *, lock: bool = False) -> Sequence[QuotedProduct]:
    """The wanted products in id order; with `lock`, locked in that order, so that two buyers never deadlock."""
    statement = _QUOTED_TO_LOCK if lock else _QUOTED
    return [QuotedProduct(*row) for row in session.connection().execute(statement, {"wanted": list(wanted)})]


def items_of(products: Sequence[QuotedProduct], wanted: Mapping[int, int]) -> list[pricing.Item]:
    """In the order of `wanted`; a product that is no longer sold counts as unavailable."""
    by_id = {product.id: product for product in products}
    return [_item(by_id.get(product_id), product_id, quantity) for product_id, quantity in wanted.items()]


def _item(product: QuotedProduct | None, product_id: int, quantity: int) -> pricing.Item:
    if product is None:
        return pricing.Item(product_id, f"Product {product_id}", quantity, 0, available=0)
    return pricing.Item(
        product_id=product_id,
        name=product.name,
        quantity=quantity,
        unit_price_cents=product.price_cents,
        available=product.available,
        category=product.category,
        weight_mg=product.weight_mg,
        thc_mg=product.thc_mg,
    )
