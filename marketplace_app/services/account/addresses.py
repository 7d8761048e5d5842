"""A user's saved addresses: at most ten, and one of them is the default as long as there are any."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.limits import MAX_ADDRESSES
from marketplace_app.models import Address, User
from marketplace_app.schemas.account.addresses import AddressView, SavedAddressForm, view_of
from marketplace_app.services.accounts import lock, require_signed_in
from marketplace_app.services.records import announcements

PLACES = range(1, MAX_ADDRESSES + 1)
"""The values of the column `place`, which numbers a user's addresses so that the database allows no eleventh."""


class TooManyAddresses(Conflict):
    code = "too_many_addresses"
    message = f"You can save up to {MAX_ADDRESSES} addresses. Please remove one first."


class AddressNotFound(NotFound):
    message = "Address not found."


def list_own(session: Session, actor: User | None) -> tuple[AddressView, ...]:
    """The default first, then in the order they were saved."""
    return tuple(view_of(address) for address in _own(session, require_signed_in(actor)))


def add(session: Session, actor: User | None, form: SavedAddressForm) -> AddressView:
    """The first one is the default whatever the form says. Raises TooManyAddresses."""
    user = lock(session, require_signed_in(actor))
    own = _own(session, user)
    taken = {address.place for address in own}
    place = next((place for place in PLACES if place not in taken), None)
    if place is None:
        raise TooManyAddresses()
    address = Address(user_id=user.id, place=place, **form.columns())
    session.add(address)
    session.flush()
    if form.is_default or not own:
        _make_default(session, address, own)
    _announce(session, user)
    return view_of(address)


def change(session: Session, actor: User | None, address_id: int, form: SavedAddressForm) -> AddressView:
    """Replace the whole address. The default stays the default, whatever the form says. Raises AddressNotFound."""
    user = lock(session, require_signed_in(actor))
    own = _own(session, user)
    address = _pick(own, address_id)
    for name, value in form.columns().items():
        setattr(address, name, value)
    session.flush()
    if form.is_default:
        _make_default(session, address, own)
    _announce(session, user)
    return view_of(address)


def make_default(session: Session, actor: User | None, address_id: int) -> AddressView:
    """Raises AddressNotFound."""
    user = lock(session, require_signed_in(actor))
    own = _own(session, user)
    address = _pick(own, address_id)
    _make_default(session, address, own)
    _announce(session, user)
    return view_of(address)


def remove(session: Session, actor: User | None, address_id: int) -> None:
    """When the default is removed, the address saved first becomes the default. Raises AddressNotFound."""
    user = lock(session, require_signed_in(actor))
    own = _own(session, user)
    address = _pick(own, address_id)
    session.delete(address)
    session.flush()
    left = [each for each in own if each is not address]
    if address.is_default and left:
        _make_default(session, left[0], left)
    _announce(session, user)


def save_from_order(session: Session, actor: User | None, form: SavedAddressForm) -> bool:
    """Save the address of an order; a known one gets the new instructions. False if there are too many already."""
    user = lock(session, require_signed_in(actor))
    own = _own(session, user)
    known = next((each for each in own if _is_same(each, form)), None)
    if known is not None:
        known.delivery_instructions = form.delivery_instructions
        known.payment_instructions = form.payment_instructions
    elif len(own) >= MAX_ADDRESSES:
        return False
    else:
        add(session, user, form)
    return True


def _own(session: Session, user: User) -> Sequence[Address]:
    statement = (
        select(Address)
        .where(col(Address.user_id) == user.id)
        .order_by(col(Address.is_default).desc(), col(Address.id))
        .execution_options(populate_existing=True)
    )
    return session.execute(statement).scalars().all()


def _pick(own: Sequence[Address], address_id: int) -> Address:
    address = next((each for each in own if each.id == address_id), None)
    if address is None:
        raise AddressNotFound()
    return address


def _make_default(session: Session, address: Address, own: Sequence[Address]) -> None:
    """In two steps, because the database never allows a second default."""
    for each in own:
        each.is_default = False
    session.flush()
    address.is_default = True
    session.flush()


def _is_same(address: Address, form: SavedAddressForm) -> bool:
    ours = (address.street, address.city, address.state, address.zip_code)
    theirs = (form.street, form.city, form.state, form.zip)
    return [part.casefold() for part in ours] == [part.casefold() for part in theirs]


def _announce(session: Session, user: User) -> None:
    announcements.publish(session, live.user(user.id))
