"""Saved addresses, as sent and as shown."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app.limits import MAX_ADDRESS_LABEL, MAX_INSTRUCTIONS
from marketplace_app.messages import FIELD_MESSAGES
from marketplace_app.models import Address
from marketplace_app.schemas.base import Form, RowId, View
from marketplace_app.schemas.buying.order_forms import RequiredLine, StateName, Zip
from marketplace_app.schemas.texts import one_line, refuse_control_characters

_ONE_LINE = AfterValidator(one_line)
Instructions = Annotated[str, Field(max_length=MAX_INSTRUCTIONS), AfterValidator(refuse_control_characters)]


class SavedAddressForm(Form):
    """A whole address, by the rules of the checkout, but without required instructions."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "label": "Home",
        "street": "214 Larch Street",
        "city": "Portland",
        "state": "OR",
        "zip": "97201",
        "deliveryInstructions": "Side entrance, the green door.",
        "paymentInstructions": "Envelope under the mat.",
        "isDefault": True,
    }

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "label": f"A label can have at most {MAX_ADDRESS_LABEL} characters.",
        "street": FIELD_MESSAGES["deliveryAddress"],
        "city": FIELD_MESSAGES["city"],
        "state": FIELD_MESSAGES["state"],
        "zip": FIELD_MESSAGES["zipCode"],
        "deliveryInstructions": f"Instructions can have at most {MAX_INSTRUCTIONS:,} characters.",
        "paymentInstructions": f"Instructions can have at most {MAX_INSTRUCTIONS:,} characters.",
    }

    label: Annotated[str, Field(max_length=MAX_ADDRESS_LABEL), _ONE_LINE] = ""
    street: Annotated[RequiredLine, _ONE_LINE]
    city: Annotated[RequiredLine, _ONE_LINE]
    state: Annotated[StateName, _ONE_LINE]
    zip: Annotated[Zip, _ONE_LINE]
    delivery_instructions: Instructions = ""
    payment_instructions: Instructions = ""
    is_default: bool = False
    """False does not unset the default: an address stays the default until another one becomes it. The first address
    that is saved becomes the default even with False."""

    def columns(self) -> dict[str, Any]:
        """The columns to set, except `is_default`."""
        return {
            "label": self.label,
            "street": self.street,
            "city": self.city,
            "state": self.state,
            "zip_code": self.zip,
            "delivery_instructions": self.delivery_instructions,
            "payment_instructions": self.payment_instructions,
        }


class AddressRef(Form):
    address: RowId


class AddressView(View):
    id: int
    label: str = Field(examples=["Home"])
    street: str = Field(examples=["214 Larch Street"])
    city: str
    state: str
    zip: str = Field(examples=["97201"])
    delivery_instructions: str
    payment_instructions: str
    is_default: bool

    @property
    def name(self) -> str:
        """`Home`, or the street if there is no label."""
        return self.label or self.street

    @property
    def full_address(self) -> str:
        return f"{self.street}, {self.city}, {self.state} {self.zip}"


def view_of(address: Address) -> AddressView:
    return AddressView(
        id=address.id,
        label=address.label,
        street=address.street,
        city=address.city,
        state=address.state,
        zip=address.zip_code,
        delivery_instructions=address.delivery_instructions,
        payment_instructions=address.payment_instructions,
        is_default=address.is_default,
    )
