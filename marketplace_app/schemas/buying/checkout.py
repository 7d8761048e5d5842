"""What the checkout screen sends: its form, each field when it loses the focus, and choices."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from marketplace_app.errors import InvalidInput
from marketplace_app.messages import FIELD_MESSAGES
from marketplace_app.schemas.base import Form, parse
from marketplace_app.schemas.buying.order_forms import BirthDate, Phone, RequiredLine, RequiredText, StateName, Zip


def _birth_date(value: object) -> date:
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError(FIELD_MESSAGES["birthDate"]) from None


class CheckoutForm(Form):
    """The checkout screen's fields (RULE checkout-fields)."""

    MESSAGES: ClassVar[Mapping[str, str]] = FIELD_MESSAGES

    first_name: RequiredLine
    last_name: RequiredLine
    contact_phone: Phone
    delivery_address: RequiredLine
    city: RequiredLine
    state: StateName
    zip_code: Zip
    birth_date: Annotated[BirthDate, BeforeValidator(_birth_date)] | None = None
    """None if the screen does not ask for it; otherwise it is required."""
    delivery_instructions: RequiredText
    payment_instructions: RequiredText


FieldName = Literal[
    "firstName",
    "lastName",
    "contactPhone",
    "deliveryAddress",
    "city",
    "state",
    "zipCode",
    "birthDate",
    "deliveryInstructions",
    "paymentInstructions",
]


class FieldCheck(Form):
    """One field of the checkout, checked when it loses the focus."""

    name: FieldName
    value: Annotated[str, Field(max_length=5000)]

    def error(self) -> str:
        """What is wrong with the value; empty if nothing is."""
        try:
            parse(CheckoutForm, {self.name: self.value})
        except InvalidInput as error:
            return error.fields.get(self.name, "")
        return ""


class SavedAddressChoice(Form):
    key: Annotated[str, Field(max_length=12)]
    """The id of a saved address. Any other text chooses an address that is still to be typed."""


class SlotChoice(Form):
    key: Annotated[str, Field(max_length=24)]
    """One of the delivery times on the screen; empty for any time."""


class UseCredit(Form):
    use: bool
