"""The draft of an order that the checkout makes of its form (RULE place-order)."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.errors import OrderBlocked
from marketplace_app.models import User
from marketplace_app.schemas.account.addresses import AddressView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.buying.checkout import CheckoutForm
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.services.buying import cart
from marketplace_app.states.buying.checkout_form import (
    ADDRESS_FIELDS,
    address_text,
    address_values,
    draft_of,
    saved_address_form,
    shown_total,
)
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast
from tests.states.buying.test_checkout import FORM

AGREED = {"subtotal": "120.00", "total": "115.00"}


def draft(who: User, *, slot: str = "", wish: str = "", agreed: dict[str, str] = AGREED) -> OrderForm:
    view = db.read(lambda s: cart.show(s, s.get(User, who.id)))
    return draft_of(parse(CheckoutForm, FORM), view, agreed, False, slot, wish)


@pytest.fixture
def buyer(session: Session, cast: Cast) -> User:
    """Has two of a product in the cart."""
    fern = make_product(session, price_cents=60_00)
    session.commit()
    db.write(lambda s: cart.add(s, s.get_one(User, cast.alice.id), AddForm(productId=fern.id, quantity=2)))
    return cast.alice


@ON_SQLITE
def test_a_draft_has_the_prices_and_amounts_that_were_on_the_screen(buyer: User) -> None:
    """The store refuses the order if its own differ (RULE server-prices)."""
    form = draft(buyer)
    assert [(item.quantity, item.price) for item in form.items] == [(2, 60_00)]
    assert form.agreed_amounts() == {"subtotal": 120_00, "total": 115_00}


@ON_SQLITE
@pytest.mark.parametrize(("chosen", "sent"), [("", None), ("12-2026-11-27", "12-2026-11-27")])
def test_a_time_that_was_not_chosen_is_not_sent(buyer: User, chosen: str, sent: str | None) -> None:
    assert draft(buyer, slot=chosen).slot_id == sent


@ON_SQLITE
def test_a_wish_that_was_not_asked_for_is_not_sent(buyer: User) -> None:
    without, with_wish = draft(buyer), draft(buyer, wish="any")
    assert without.substitution is None
    assert str(with_wish.substitution) == "any"


@ON_SQLITE
def test_an_empty_cart_makes_no_draft(cast: Cast) -> None:
    with pytest.raises(OrderBlocked) as refused:
        draft(cast.alice)
    assert refused.value.blocker == "empty_cart"


@pytest.mark.parametrize(
    ("form", "total"), [({"total": "$1,152.50"}, {"total": "1152.50"}), ({"total": ""}, {"total": ""}), ({}, {})]
)
def test_the_total_on_the_screen_is_read_as_it_was_shown(form: Any, total: dict[str, str]) -> None:
    """Without one, that of the last quote counts; what is no amount is refused with the draft."""
    assert shown_total(form) == total


def test_an_address_is_saved_with_its_instructions_and_without_the_person() -> None:
    saved = saved_address_form(parse(CheckoutForm, FORM)).columns()
    assert (saved["street"], saved["zip_code"], saved["label"]) == ("214 Larch Street", "97201", "")
    assert (saved["delivery_instructions"], saved["payment_instructions"]) == ("Side door", "Envelope")


@pytest.mark.parametrize(
    ("label", "text"),
    [("Home", "Home: 214 Larch Street, Portland, OR 97201"), ("", "214 Larch Street, Portland, OR 97201")],
)
def test_a_saved_address_is_offered_by_its_label_if_it_has_one(label: str, text: str) -> None:
    parts = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
    rest = {"delivery_instructions": "", "payment_instructions": "", "is_default": True}
    assert address_text(AddressView.model_validate({"id": 1, "label": label} | parts | rest)) == text


def test_a_saved_address_fills_each_field_of_its_own() -> None:
    parts = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
    rest = {"delivery_instructions": "Green door", "payment_instructions": "Under the mat", "is_default": True}
    assert address_values(AddressView.model_validate({"id": 1, "label": "Home"} | parts | rest)) == {
        "deliveryAddress": "214 Larch Street",
        "city": "Portland",
        "state": "OR",
        "zipCode": "97201",
        "deliveryInstructions": "Green door",
        "paymentInstructions": "Under the mat",
    }
    assert address_values(None) == dict.fromkeys(ADDRESS_FIELDS, "")
