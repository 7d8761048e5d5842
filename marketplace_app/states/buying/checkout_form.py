"""The checkout's form: its fields, what the browser sends of it, and the order draft made of that."""

from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from marketplace_app import messages, money
from marketplace_app.errors import InvalidInput, OrderBlocked
from marketplace_app.schemas.account.addresses import AddressView, SavedAddressForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.checkout import CheckoutForm
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.services.buying.cart import CartView

FIELD_LABELS = {
    "firstName": "First name",
    "lastName": "Last name",
    "contactPhone": "Contact phone",
    "deliveryAddress": "Address",
    "city": "City",
    "state": "State",
    "zipCode": "Zip code",
    "birthDate": "Date of birth",
    "deliveryInstructions": "Delivery instructions",
    "paymentInstructions": "Payment pickup instructions",
}
ADDRESS_FIELDS = ("deliveryAddress", "city", "state", "zipCode", "deliveryInstructions", "paymentInstructions")


class CheckoutFormData(TypedDict, total=False):
    """The form's fields, as the browser sends them."""

    firstName: str
    lastName: str
    contactPhone: str
    deliveryAddress: str
    city: str
    state: str
    zipCode: str
    birthDate: str
    deliveryInstructions: str
    paymentInstructions: str
    saveAddress: bool
    slot: str
    """The chosen delivery time. Not used: the state already has it."""
    substitution: str
    """The wish for other batches. Not used either, for the same reason."""
    savedAddress: str
    """The choice under 'Deliver to'. Not used: choosing an address has already filled the address fields."""
    total: str
    """The total that was on the screen when the form was sent: `$152.50`."""


@dataclass(frozen=True)
class FieldError:
    name: str
    label: str
    message: str


@dataclass(frozen=True)
class SavedAddress:
    key: str
    text: str
    """`Home: 214 Larch Street, Portland, OR 97201`"""


@dataclass(frozen=True)
class ShownQuote:
    """A quote on the screen, to which the shopper agrees by ordering."""

    amounts: dict[str, str]
    prices: dict[int, int]
    """Cents of one unit by product id."""
    choices: tuple[Any, ...]
    """What the amounts depend on and the shopper decides: quantities, place, and whether credit is used."""

    def has_changed_unasked(self, now: "ShownQuote") -> bool:
        """Whether something changed that the shopper did not ask for.

        That is a product's price or, while the shopper's choices are the same, an amount such as the delivery fee.
        """
        has_other_price = any(self.prices.get(product_id, cents) != cents for product_id, cents in now.prices.items())
        return has_other_price or (self.choices == now.choices and self.amounts != now.amounts)


def shown_quote_of(view: CartView, zip_code: str, state: str, use_credit: bool) -> ShownQuote:
    return ShownQuote(
        amounts={name: money.decimal(cents) for name, cents in view.quote.amounts().items()},
        prices={line.product.id: line.product.price_cents for line in view.lines},
        choices=(tuple((line.product.id, line.quantity) for line in view.lines), zip_code, state, use_credit),
    )


def address_text(address: AddressView) -> str:
    return f"{address.label}: {address.full_address}" if address.label else address.full_address


def saved_address_form(contact: CheckoutForm) -> SavedAddressForm:
    return parse(
        SavedAddressForm,
        {
            "street": contact.delivery_address,
            "city": contact.city,
            "state": contact.state,
            "zip": contact.zip_code,
            "deliveryInstructions": contact.delivery_instructions,
            "paymentInstructions": contact.payment_instructions,
        },
    )


def address_values(address: AddressView | None) -> dict[str, str]:
    """The fields of ADDRESS_FIELDS with this address in them, or empty."""
    values = ("",) * len(ADDRESS_FIELDS)
    if address is not None:
        place = (address.street, address.city, address.state, address.zip)
        values = (*place, address.delivery_instructions, address.payment_instructions)
    return dict(zip(ADDRESS_FIELDS, values, strict=True))


def shown_total(form: CheckoutFormData) -> dict[str, str]:
    """The total that the customer saw when sending the form, for the draft.

    The state may have a newer one that was not on the screen yet: pressing the button also leaves the last field, and
    that requotes the cart before the form arrives.
    """
    return {"total": money.normalize_typed(form["total"])} if "total" in form else {}


def summary_of(error: InvalidInput) -> list[FieldError]:
    """In the form's order."""
    return [FieldError(name, label, error.fields[name]) for name, label in FIELD_LABELS.items() if name in error.fields]


def draft_of(
    contact: CheckoutForm, view: CartView, agreed: dict[str, str], use_credit: bool, slot: str, wish: str
) -> OrderForm:
    """An order draft: the current cart, with the amounts that were on the screen (`agreed`)."""
    items = [
        {"productId": line.product.id, "quantity": line.quantity, "price": money.decimal(line.product.price_cents)}
        for line in view.lines
    ]
    if not items:
        raise OrderBlocked("empty_cart", messages.EMPTY_CART.text)
    draft = {
        "address": {
            "street": contact.delivery_address,
            "city": contact.city,
            "state": contact.state,
            "zip": contact.zip_code,
        },
        "contactPhone": contact.contact_phone,
        "deliveryInstructions": contact.delivery_instructions,
        "paymentInstructions": contact.payment_instructions,
        "firstName": contact.first_name,
        "lastName": contact.last_name,
        "items": items,
        "useCredit": use_credit,
        "slotId": slot or None,
        "substitution": wish or None,
        "birthDate": contact.birth_date,
    }
    return parse(OrderForm, draft | agreed)
