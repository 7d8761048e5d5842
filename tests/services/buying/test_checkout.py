"""What checkout is filled in with, and what is saved with its order (RULE checkout-opening, RULE saved-addresses)."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.limits import MAX_ADDRESSES
from marketplace_app.models import Product, User
from marketplace_app.services.buying import checkout
from tests.builders import make_order, order_form
from tests.conftest import Cast
from tests.services.account.test_addresses import add, fern, form, own

__all__ = ["fern"]  # fixtures, which tests take by name


def test_the_default_address_comes_first_and_before_that_of_the_last_order(session: Session, cast: Cast) -> None:
    make_order(session, cast.alice, 50_00, street="9 Elm Street")
    session.commit()
    add(cast.alice, label="Work", street="1 Oak Street")
    add(cast.alice, isDefault=True)
    found = checkout.load_defaults(session, cast.alice)
    assert [each.label for each in found.saved] == ["Home", "Work"]
    assert found.address == found.saved[0]


def test_without_a_saved_address_that_of_the_last_order_with_parts_is_filled_in(session: Session, cast: Cast) -> None:
    assert checkout.load_defaults(session, cast.alice).address is None
    ago = [clock.now() - timedelta(days=days) for days in range(5)]
    make_order(session, cast.alice, 50_00, street="", created_at=ago[0])
    make_order(session, cast.alice, 50_00, street="7 Ash Street", created_at=ago[1], deleted_at=clock.now())
    make_order(session, cast.alice, 50_00, street="214 Larch Street", created_at=ago[2])
    make_order(session, cast.alice, 50_00, street="9 Elm Street", created_at=ago[3])
    make_order(session, cast.bob, 50_00, street="1 Oak Street", created_at=ago[1])
    address = checkout.load_defaults(session, cast.alice).address
    assert address is not None
    assert (address.id, address.street, address.is_default) == (0, "214 Larch Street", False)


def test_guests_are_filled_in_with_nothing(session: Session) -> None:
    with pytest.raises(errors.NotSignedIn):
        checkout.load_defaults(session, None)


def test_an_order_is_placed_though_there_is_no_room_for_its_address(cast: Cast, fern: Product) -> None:
    for number in range(MAX_ADDRESSES):
        add(cast.alice, street=f"{number} Elm Street")
    address = form(label="", street="214 Larch Street")
    placed = db.write(
        lambda s: checkout.place_order(
            s, s.get(User, cast.alice.id), order_form((fern, 1)), key=str(uuid4()), address_to_save=address
        )
    )
    assert placed["id"]
    assert len(own(cast.alice)) == MAX_ADDRESSES
