"""The cart of a signed-in shopper."""

from dataclasses import dataclass

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import InCartAlready, InvalidInput, NotFound, OutOfStock
from marketplace_app.limits import MAX_LINE_QUANTITY, MAX_ORDER_LINES
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import CartLine, Product, User
from marketplace_app.schemas.cart import AddForm, CartLineView
from marketplace_app.schemas.products import view_of
from marketplace_app.schemas.quotes import Quote
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import credits, events, pricing, quotes, settings
from marketplace_app.services.accounts import lock, require_shopper

# Put together once: a cart is looked at with every change of it.
_LINES = (
    select(CartLine, Product)
    .join(Product, col(Product.id) == col(CartLine.product_id))
    .where(col(CartLine.user_id) == bindparam("user_id"))
    .order_by(col(CartLine.id))
)


@dataclass(frozen=True)
class CartView:
    lines: tuple[CartLineView, ...]
    quote: Quote
    credit_cents: int
    shop: ShopSettings
    """What it was priced with."""

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)


def show(session: Session, actor: User | None, *, use_credit: bool = False) -> CartView:
    """The lines and what they would cost now."""
    shopper = require_shopper(actor)
    lines = list_lines(session, shopper)
    items = [
        pricing.Item(line.product.id, line.product.name, line.quantity, line.product.price_cents, line.available)
        for line in lines
    ]
    shop = settings.current(session)
    quote = pricing.quote(items, quotes.terms_of(shop), quotes.buyer_of(session, shopper, use_credit=use_credit))
    return CartView(lines, quote, max(0, credits.balance(session, shopper.id)), shop)


def list_lines(session: Session, actor: User | None) -> tuple[CartLineView, ...]:
    shopper = require_shopper(actor)
    found = session.execute(_LINES, {"user_id": shopper.id})
    return tuple(_view(line, product) for line, product in found)


def add(session: Session, actor: User | None, form: AddForm) -> CartLineView:
    """Put more of a product in; the same product merges. Raises NotFound, OutOfStock."""
    shopper = require_shopper(actor)
    lock(session, shopper)
    product = session.get(Product, form.product_id)
    if product is None or not product.is_active:
        raise NotFound(PRODUCT_NOT_FOUND)
    lines = session.execute(select(CartLine).where(col(CartLine.user_id) == shopper.id)).scalars().all()
    line = next((line for line in lines if line.product_id == form.product_id), None)
    if line is None:
        if len(lines) >= MAX_ORDER_LINES:
            raise InvalidInput(
                {"productId": f"A cart holds at most {MAX_ORDER_LINES} different products. Please remove one first."}
            )
        line = CartLine(user_id=shopper.id, product_id=form.product_id, quantity=0)
    _set(session, line, product, line.quantity + form.quantity)
    return _view(line, product)


def add_up_to(session: Session, actor: User | None, product_id: int, quantity: int) -> int:
    """Put in as many as there are, at most `quantity`; answers how many that were."""
    shopper = lock(session, require_shopper(actor))
    product = session.get(Product, product_id)
    held = select(col(CartLine.quantity)).where(
        col(CartLine.user_id) == shopper.id, col(CartLine.product_id) == product_id
    )
    room = min(product.available if product else 0, MAX_LINE_QUANTITY) - (session.execute(held).scalar() or 0)
    count = min(quantity, room)
    if count <= 0:
        return 0
    add(session, shopper, AddForm(productId=product_id, quantity=count))
    return count


def set_quantity(session: Session, actor: User | None, line_id: int, *, quantity: int) -> CartLineView | None:
    """0 removes the line and returns None. Raises NotFound for another user's line, OutOfStock."""
    shopper = require_shopper(actor)
    lock(session, shopper)
    line = _get(session, shopper, line_id)
    if quantity == 0:
        session.delete(line)
        events.publish(session, live.cart(line.user_id))
        return None
    product = session.get_one(Product, line.product_id)
    _set(session, line, product, quantity)
    return _view(line, product)


def remove(session: Session, actor: User | None, line_id: int) -> None:
    shopper = lock(session, require_shopper(actor))
    line = _get(session, shopper, line_id)
    session.delete(line)
    events.publish(session, live.cart(line.user_id))


def take_out(session: Session, user_id: int, quantities: dict[int, int]) -> None:
    """What was ordered leaves the cart; what was added meanwhile stays."""
    statement = select(CartLine).where(col(CartLine.user_id) == user_id, col(CartLine.product_id).in_(quantities))
    events.publish(session, live.cart(user_id))
    for line in session.execute(statement).scalars():
        left = line.quantity - quantities[line.product_id]
        if left > 0:
            line.quantity = left
        else:
            session.delete(line)


def _get(session: Session, shopper: User, line_id: int) -> CartLine:
    line = session.get(CartLine, line_id)
    if line is None or line.user_id != shopper.id:
        raise NotFound("That item is not in your cart.")
    return line


def _set(session: Session, line: CartLine, product: Product, quantity: int) -> None:
    if quantity > MAX_LINE_QUANTITY:
        raise InvalidInput({"quantity": f"At most {MAX_LINE_QUANTITY} of one product can be ordered."})
    if quantity > product.available and quantity > line.quantity:
        if line.quantity:
            raise InCartAlready(product.name, product.available, line.quantity)
        raise OutOfStock(product.name, product.available)
    line.quantity = quantity
    session.add(line)
    session.flush()
    events.publish(session, live.cart(line.user_id))


def _view(line: CartLine, product: Product) -> CartLineView:
    return CartLineView(line.id, view_of(product), line.quantity, product.available)
