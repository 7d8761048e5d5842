"""The checkout screen: what its form is filled in with, and placing its order together with saving the address."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.limits import MAX_ADDRESSES
from marketplace_app.models import IdempotencyKey, Order, User
from marketplace_app.places import Place
from marketplace_app.schemas.account.addresses import AddressView, SavedAddressForm
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.schemas.delivery.slots import OfferedSlot
from marketplace_app.services.account import addresses
from marketplace_app.services.accounts import require_shopper
from marketplace_app.services.buying import cart, orders
from marketplace_app.services.buying.cart import CartView
from marketplace_app.services.delivery import windows


@dataclass(frozen=True)
class CheckoutDefaults:
    """What the form is filled in with; empty where nothing is known."""

    first_name: str
    last_name: str
    phone: str
    saved: tuple[AddressView, ...]
    """The default first."""
    address: AddressView | None
    """The default one or, without saved addresses, the one of the last order."""

    @property
    def may_save_another(self) -> bool:
        return len(self.saved) < MAX_ADDRESSES


def load_defaults(session: Session, actor: User | None) -> CheckoutDefaults:
    """What the store already knows of the shopper."""
    shopper = require_shopper(actor)
    saved = addresses.list_own(session, shopper)
    address = saved[0] if saved else _last_ordered_to(session, shopper)
    return CheckoutDefaults(shopper.first_name, shopper.last_name, shopper.phone, saved, address)


def show_cart(
    session: Session, actor: User | None, *, use_credit: bool, place: Place | None
) -> tuple[CartView, tuple[OfferedSlot, ...]]:
    """The cart as it would be delivered to a place, and the delivery times there."""
    view = cart.show(session, actor, use_credit=use_credit, place=place)
    if place is None or not view.has_zones:
        return view, ()
    return view, windows.list_for(session, place.zip_code, view.terms.version)


def was_placed(session: Session, actor: User | None, key: str) -> bool:
    """Whether this shopper has placed an order with this idempotency key."""
    return session.get(IdempotencyKey, (require_shopper(actor).id, key)) is not None


def place_order(
    session: Session, actor: User | None, form: OrderForm, *, key: str | None, address_to_save: SavedAddressForm | None
) -> orders.OrderAnswerBody:
    """`orders.place`, and save the address. Having too many saved addresses already does not prevent the order."""
    answer = orders.place(session, actor, form, key=key)
    if address_to_save is not None:
        addresses.save_from_order(session, actor, address_to_save)
    return answer


def _last_ordered_to(session: Session, shopper: User) -> AddressView | None:
    """Orders whose address was sent as one text over REST have no parts to fill in, and are skipped."""
    statement = (
        select(Order)
        .where(col(Order.user_id) == shopper.id, col(Order.deleted_at).is_(None), col(Order.street) != "")
        .order_by(col(Order.created_at).desc(), col(Order.number).desc())
        .limit(1)
    )
    order: Order | None = session.execute(statement).scalar_one_or_none()
    if order is None:
        return None
    return AddressView(
        id=0,
        label="",
        street=order.street,
        city=order.city,
        state=order.state,
        zip=order.zip_code,
        delivery_instructions=order.delivery_instructions,
        payment_instructions=order.payment_instructions,
        is_default=False,
    )
