"""The checkout screen: what it opens with, and its order together with the address to keep."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.models import Order, User
from marketplace_app.schemas.addresses import AddressView, SavedAddressForm
from marketplace_app.schemas.order_forms import OrderForm
from marketplace_app.services import addresses, orders
from marketplace_app.services.accounts import require_shopper


@dataclass(frozen=True)
class Opening:
    """What the form is filled in with; empty where nothing is known."""

    first_name: str
    last_name: str
    phone: str
    saved: tuple[AddressView, ...]
    """The default first."""
    address: AddressView | None
    """The default one; of a person without any, where their last order went."""


def opening(session: Session, actor: User | None) -> Opening:
    """What the store already knows of the shopper."""
    shopper = require_shopper(actor)
    saved = addresses.list_own(session, shopper)
    address = saved[0] if saved else _last_ordered_to(session, shopper)
    return Opening(shopper.first_name, shopper.last_name, shopper.phone, saved, address)


def place(
    session: Session, actor: User | None, form: OrderForm, *, key: str | None, saves: SavedAddressForm | None
) -> orders.OrderAnswerBody:
    """`orders.place`, and the address is kept with it. No room for another address is no reason not to sell."""
    answer = orders.place(session, actor, form, key=key)
    if saves is not None:
        addresses.keep(session, actor, saves)
    return answer


def _last_ordered_to(session: Session, shopper: User) -> AddressView | None:
    """An order that came over REST with a joined address has no parts to fill in."""
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
