"""The cart of a signed-in shopper."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, delete, func, literal_column, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from marketplace_app.adapters import live
from marketplace_app.errors import AlreadyInCart, InvalidInput, NotFound, OutOfStock
from marketplace_app.limits import MAX_LINE_QUANTITY, MAX_ORDER_LINES
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import CartLine, Product, User
from marketplace_app.models.base import table_of
from marketplace_app.places import Place
from marketplace_app.schemas.buying.cart import AddForm, CartLineView
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.schemas.products.products import COLUMNS, ProductView, view_of_row
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import pricing, settings
from marketplace_app.services.accounts import lock, require_shopper
from marketplace_app.services.buying import quotes
from marketplace_app.services.jurisdictions.allowance import Use
from marketplace_app.services.records import announcements

# Built once, because every change of a cart reads it.
_CART, _PRODUCTS = table_of(CartLine), table_of(Product)
_FACTS = [_PRODUCTS.c[name] for name in COLUMNS]
_LINES = (
    select(_CART.c.id, _CART.c.quantity, _PRODUCTS.c.has_batches, *_FACTS)
    .join(_PRODUCTS, _PRODUCTS.c.id == _CART.c.product_id)
    .where(_CART.c.user_id == bindparam("user_id"))
    .order_by(_CART.c.id)
)
_PRODUCT = select(*_FACTS).where(_PRODUCTS.c.id == bindparam("product_id"))
_OWN_LINE = and_(_CART.c.product_id == _PRODUCTS.c.id, _CART.c.user_id == bindparam("user_id"))
_LINE_COUNT = (
    select(func.count())
    .select_from(_CART.alias("all_lines"))
    .where(literal_column("all_lines.user_id") == bindparam("user_id"))
)
_PRODUCT_AND_CART = (
    select(func.coalesce(_CART.c.quantity, 0), _LINE_COUNT.scalar_subquery(), *_FACTS)
    .select_from(_PRODUCTS.outerjoin(_CART, _OWN_LINE))
    .where(_PRODUCTS.c.id == bindparam("product_id"))
)
"""A product, how many of it are in the cart, and how many lines the cart has."""
_OWN_LINES = select(_CART.c.id, _CART.c.product_id, _CART.c.quantity).where(_CART.c.user_id == bindparam("user_id"))
"""The lines without the facts of their products."""
_ORDERED = _OWN_LINES.where(_CART.c.product_id.in_(bindparam("products", expanding=True)))
_REDUCE = update(_CART).where(_CART.c.id == bindparam("line_id")).values(quantity=bindparam("left"))
_DELETE = delete(_CART).where(_CART.c.id.in_(bindparam("lines", expanding=True)))


class _Offer(NamedTuple):
    """A product as the cart shows it. `quotes.QuotedProduct` is a product as an order needs it."""

    product: ProductView
    available: int


class _Line(NamedTuple):
    product_id: int
    quantity: int


class Shortage(Enum):
    """Why fewer of a product were added than were asked for."""

    UNAVAILABLE = auto()
    STOCK = auto()
    """Too few are left besides those in the cart, or one line may not have more."""
    CART_IS_FULL = auto()


@dataclass(frozen=True)
class CartView:
    lines: tuple[CartLineView, ...]
    quote: Quote
    credit_cents: int
    shop: ShopSettings
    """The settings that it was priced with."""
    terms: pricing.Terms
    """They follow from these settings and the place of delivery."""
    has_zones: bool
    uses: tuple[Use, ...] = ()
    """How much of each legal limit is used; empty while none is known (RULE legal-limits)."""

    @property
    def are_terms_known(self) -> bool:
        """Whether these are the terms of the place of delivery. With zones, only places in a zone have terms."""
        return "zone" not in self.terms.open and not any(each.code in quotes.NO_ZONE for each in self.terms.blockers)

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def takes_wish(self) -> bool:
        """Whether its shopper can say what to do if an order is packed from another batch (RULE batch-wish).

        Only orders with units of batches need a wish, and only orders placed in a store with zones keep it.
        """
        return self.has_zones and any(line.has_batches for line in self.lines)


def show(session: Session, actor: User | None, *, use_credit: bool = False, place: Place | None = None) -> CartView:
    """The lines and what they would cost now, delivered to a place or, without one, to the shopper's usual place."""
    shopper = require_shopper(actor)
    lines = list_lines(session, shopper)
    items = [_item(line) for line in lines]
    shop, has_zones = settings.current_with_zones(session)
    terms, uses = quotes.find_ruling(session, shopper, shop, items, has_zones=has_zones, place=place)
    standing = quotes.standing_of(session, shopper.id)
    quote = pricing.quote(items, terms, quotes.buyer_of(shopper, standing, use_credit=use_credit))
    return CartView(lines, quote, standing.credit_cents, shop, terms, has_zones, uses)


def list_lines(session: Session, actor: User | None) -> tuple[CartLineView, ...]:
    return list_lines_of(session, require_shopper(actor))


def list_lines_of(session: Session, user: User) -> tuple[CartLineView, ...]:
    """Also of a user who may no longer shop."""
    found = session.connection().execute(_LINES, {"user_id": user.id})
    return tuple(_view(line_id, quantity, _offer(row), has_batches) for line_id, quantity, has_batches, *row in found)


def add(session: Session, actor: User | None, form: AddForm) -> CartLineView:
    """Add a product, or more of one that is in the cart.

    Raises NotFound, OutOfStock, and InvalidInput if the cart or its line would exceed a limit.
    """
    shopper = lock(session, require_shopper(actor))
    wanted = {"user_id": shopper.id, "product_id": form.product_id}
    found = session.connection().execute(_PRODUCT_AND_CART, wanted).first()
    if found is None or not found.is_active:
        raise NotFound(PRODUCT_NOT_FOUND)
    before, line_count, *facts = found
    if not before and line_count >= MAX_ORDER_LINES:
        raise InvalidInput(
            {"productId": f"A cart holds at most {MAX_ORDER_LINES} different products. Please remove one first."}
        )
    return _set_quantity(session, shopper, _offer(facts), before, before + form.quantity)


def add_up_to(session: Session, actor: User | None, product_id: int, quantity: int) -> tuple[int, Shortage | None]:
    """Add as many as are available, at most `quantity`; returns how many were added, and why not all."""
    shopper = lock(session, require_shopper(actor))
    offer, in_cart = _find_offer(session, product_id), _quantities(session, shopper)
    if offer is None or not offer.available:
        return 0, Shortage.UNAVAILABLE
    if product_id not in in_cart and len(in_cart) >= MAX_ORDER_LINES:
        return 0, Shortage.CART_IS_FULL
    left = min(offer.available, MAX_LINE_QUANTITY) - in_cart.get(product_id, 0)
    count = max(0, min(quantity, left))
    if count:
        add(session, shopper, AddForm(productId=product_id, quantity=count))
    return count, Shortage.STOCK if count < quantity else None


def set_quantity(session: Session, actor: User | None, line_id: int, *, quantity: int) -> CartLineView | None:
    """0 removes the line and returns None. Raises NotFound for another user's line, OutOfStock."""
    shopper = lock(session, require_shopper(actor))
    return _change_line(session, shopper, line_id, _find_line(session, shopper, line_id), quantity)


def step(session: Session, actor: User | None, line_id: int, *, by: int) -> CartLineView | None:
    """One more or one fewer than there are now, so that two presses before the first answer count twice."""
    shopper = lock(session, require_shopper(actor))
    line = _find_line(session, shopper, line_id)
    return _change_line(session, shopper, line_id, line, line.quantity + by)


def _change_line(session: Session, shopper: User, line_id: int, line: _Line, quantity: int) -> CartLineView | None:
    if quantity == 0:
        _delete(session, shopper, line_id)
        return None
    offer = _find_offer(session, line.product_id)
    assert offer is not None, "a line's product cannot be deleted"
    return _set_quantity(session, shopper, offer, line.quantity, quantity)


def remove(session: Session, actor: User | None, line_id: int) -> None:
    shopper = lock(session, require_shopper(actor))
    _find_line(session, shopper, line_id)
    _delete(session, shopper, line_id)


def remove_ordered(session: Session, user_id: int, quantities: dict[int, int]) -> None:
    """Remove from the cart what was ordered; what was added meanwhile stays."""
    announcements.publish(session, live.cart(user_id))
    connection = session.connection()
    ordered = connection.execute(_ORDERED, {"user_id": user_id, "products": [*quantities]})
    lines = [(line_id, quantity - quantities[product_id]) for line_id, product_id, quantity in ordered]
    if kept := [{"line_id": line_id, "left": left} for line_id, left in lines if left > 0]:
        connection.execute(_REDUCE, kept)
    if gone := [line_id for line_id, left in lines if left <= 0]:
        connection.execute(_DELETE, {"lines": gone})


def _item(line: CartLineView) -> pricing.Item:
    product = line.product
    return pricing.Item(
        product_id=product.id,
        name=product.name,
        quantity=line.quantity,
        unit_price_cents=product.price_cents,
        available=line.available,
        category=product.category,
        weight_mg=pricing.milligrams(product.net_weight_grams),
        thc_mg=product.thc_mg,
    )


def _quantities(session: Session, shopper: User) -> dict[int, int]:
    """The quantity of each product in the cart."""
    return {product_id: quantity for _, product_id, quantity in session.execute(_OWN_LINES, {"user_id": shopper.id})}


def _find_line(session: Session, shopper: User, line_id: int) -> _Line:
    for each, product_id, quantity in session.execute(_OWN_LINES, {"user_id": shopper.id}):
        if each == line_id:
            return _Line(product_id, quantity)
    raise NotFound("That item is not in your cart.")


def _find_offer(session: Session, product_id: int) -> _Offer | None:
    row = session.execute(_PRODUCT, {"product_id": product_id}).first()
    return _offer(row) if row else None


def _set_quantity(session: Session, shopper: User, offer: _Offer, before: int, quantity: int) -> CartLineView:
    if quantity > MAX_LINE_QUANTITY:
        raise InvalidInput({"quantity": f"At most {MAX_LINE_QUANTITY} of one product can be ordered."})
    if quantity > offer.available and quantity > before:
        if before:
            raise AlreadyInCart(offer.product.name, offer.available, before)
        raise OutOfStock(offer.product.name, offer.available)
    line = {"user_id": shopper.id, "product_id": offer.product.id, "quantity": quantity}
    connection = session.connection()
    line_id = connection.execute(_upsert_line(connection.dialect.name), line).scalar_one()
    announcements.publish(session, live.cart(shopper.id))
    return _view(line_id, quantity, offer)


@lru_cache(maxsize=2)
def _upsert_line(dialect: str) -> Any:
    """Inserts a product's line, or changes its quantity; returns the line's id."""
    written = (sqlite if dialect == "sqlite" else postgresql).insert(_CART)
    changed = written.on_conflict_do_update(
        index_elements=["user_id", "product_id"], set_={"quantity": written.excluded.quantity}
    )
    return changed.returning(_CART.c.id)


def _delete(session: Session, shopper: User, line_id: int) -> None:
    session.execute(_DELETE, {"lines": [line_id]})
    announcements.publish(session, live.cart(shopper.id))


def _offer(row: Sequence[Any]) -> _Offer:
    """From the values of COLUMNS."""
    *_, stock, is_active = row
    return _Offer(view_of_row(row), stock if is_active else 0)


def _view(line_id: int, quantity: int, offer: _Offer, has_batches: bool = False) -> CartLineView:
    return CartLineView(line_id, offer.product, quantity, offer.available, has_batches)
