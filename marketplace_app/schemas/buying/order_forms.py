"""What clients send about orders: drafts, edits and ids (RULE wire-order)."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, AwareDatetime, Field, ValidationInfo, field_validator

from marketplace_app import codes, places
from marketplace_app.limits import (
    FIRST_BIRTH_YEAR,
    MAX_INSTRUCTIONS,
    MAX_LINE_QUANTITY,
    MAX_ORDER_LINES,
    MAX_PHONE,
    MIN_PHONE,
)
from marketplace_app.messages import FIELD_MESSAGES
from marketplace_app.models import OrderStatus, Substitution
from marketplace_app.rule_messages import BIRTH_YEAR_EXPECTED
from marketplace_app.schemas.base import Cents, Form, IsoDay, RowId
from marketplace_app.schemas.buying.cart import Quantity
from marketplace_app.schemas.delivery.slots import SlotIdText, five_digits

RequiredLine = Annotated[str, Field(min_length=1, max_length=200)]
StateName = Annotated[str, Field(min_length=1, max_length=80)]
RequiredText = Annotated[str, Field(min_length=1, max_length=MAX_INSTRUCTIONS)]
Phone = Annotated[str, Field(min_length=MIN_PHONE, max_length=MAX_PHONE)]
Zip = Annotated[str, Field(min_length=5, max_length=12)]


def _not_before_first_birth_year(born: date) -> date:
    if born.year < FIRST_BIRTH_YEAR:
        raise ValueError(BIRTH_YEAR_EXPECTED)
    return born


BirthDate = Annotated[IsoDay, AfterValidator(_not_before_first_birth_year)]
Wish = Annotated[Substitution, Field(strict=False)]
# Near the years 1 and 9999 a moment cannot always be formatted, or converted to the store's time zone.
DeliveryMoment = Annotated[
    AwareDatetime,
    Field(strict=False, ge=datetime(2000, 1, 1, tzinfo=UTC), lt=datetime(3000, 1, 1, tzinfo=UTC)),
]


class ItemForm(Form):
    product_id: RowId
    quantity: Quantity
    price: Cents | None = None
    """The price that the client showed; it is compared, never used."""


class ItemsForm(Form):
    items: Annotated[list[ItemForm], Field(min_length=1, max_length=MAX_ORDER_LINES)]
    use_credit: bool = False

    @field_validator("items")
    @classmethod
    def _within_line_limit(cls, items: list[ItemForm]) -> list[ItemForm]:
        if any(quantity > MAX_LINE_QUANTITY for quantity in _quantities(items).values()):
            raise ValueError(f"at most {MAX_LINE_QUANTITY} of one product can be ordered")
        return items

    def quantities(self) -> Mapping[int, int]:
        """Product id to quantity; a product named twice is one line."""
        return _quantities(self.items)


def _quantities(items: list[ItemForm]) -> dict[int, int]:
    wanted: dict[int, int] = {}
    for item in items:
        wanted[item.product_id] = wanted.get(item.product_id, 0) + item.quantity
    return wanted


class QuoteForm(ItemsForm):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"items": [{"productId": 1, "quantity": 3}], "useCredit": False}

    MESSAGES: ClassVar[Mapping[str, str]] = {"zip": FIELD_MESSAGES["zipCode"], "state": FIELD_MESSAGES["state"]}

    items: Annotated[list[ItemForm], Field(max_length=MAX_ORDER_LINES)]
    zip: Annotated[Zip, AfterValidator(five_digits)] | None = None
    """Where the items would go; without it, the caller's usual place counts (RULE quote-place)."""
    state: StateName | None = None
    slot_id: SlotIdText | None = None

    def read_place(self) -> places.Place | None:
        """Where the items would go; None if the form does not say."""
        return places.read(self.zip, self.state or "") if self.zip else None


class AddressForm(Form):
    street: RequiredLine
    city: RequiredLine
    state: StateName
    zip: Zip

    def joined(self) -> str:
        return f"{self.street}, {self.city}, {self.state} {self.zip}"


FIELDS_OF_LATER_RELEASES = ("promotion_discount", "tax", "cash_rounding", "slot_id", "substitution")
"""The fields that later releases added to drafts. They count for the fingerprint of a draft only if they are set, so
that a draft sent before an update and again after it still finds its order (RULE idempotency-key)."""


class OrderForm(ItemsForm):
    """Amounts are compared with the quote; `estimatedDelivery` is replaced (RULE server-prices)."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "items": [{"productId": 1, "quantity": 3}],
        "deliveryAddress": "214 Larch Street, Portland, OR 97201",
        "contactPhone": "503 555 0142",
        "deliveryInstructions": "Side entrance, the green door.",
        "paymentInstructions": "Envelope under the mat.",
    }

    MESSAGES: ClassVar[Mapping[str, str]] = FIELD_MESSAGES | {
        "address.street": FIELD_MESSAGES["deliveryAddress"],
        "address.city": FIELD_MESSAGES["city"],
        "address.state": FIELD_MESSAGES["state"],
        "address.zip": FIELD_MESSAGES["zipCode"],
        "items": f"Add between 1 and {MAX_ORDER_LINES} products.",
    }

    address: AddressForm | None = None
    delivery_address: Annotated[str, Field(min_length=1, max_length=500)] | None = Field(None, validate_default=True)
    contact_phone: Phone
    delivery_instructions: RequiredText
    payment_instructions: RequiredText
    first_name: RequiredLine | None = None
    last_name: RequiredLine | None = None
    estimated_delivery: Annotated[str, Field(max_length=64)] | None = None
    subtotal: Cents | None = None
    delivery_fee: Cents | None = None
    referral_discount: Cents | None = None
    new_customer_discount: Cents | None = None
    credit_applied: Cents | None = None
    total: Cents | None = None
    promotion_discount: Cents | None = None
    tax: Cents | None = None
    cash_rounding: Cents | None = None
    slot_id: SlotIdText | None = None
    """When the order should come: one of `GET /api/delivery/windows` (RULE delivery-slots)."""
    substitution: Wish | None = None
    """What to do if the order is packed from another batch; None asks the customer (RULE batch-wish)."""
    birth_date: BirthDate | None = None
    """Required only if a quote says that the order needs it (RULE order-record)."""

    @field_validator("delivery_address")
    @classmethod
    def _one_address(cls, joined: str | None, info: ValidationInfo) -> str | None:
        if "address" not in info.data:
            return joined  # an address was sent and is invalid: its own errors say so
        parts = info.data["address"]
        if joined is None and parts is None:
            raise ValueError(FIELD_MESSAGES["deliveryAddress"])
        if joined is not None and parts is not None:
            raise ValueError("send either deliveryAddress or address, not both")
        return joined

    def read_place(self) -> places.Place | None:
        """Where the order goes; None if the address does not say."""
        if self.address is not None:
            return places.read(self.address.zip, self.address.state)
        return places.read_address(self.delivery_address or "")

    def wish(self) -> Substitution:
        return self.substitution or Substitution.ASK

    def agreed_amounts(self) -> dict[str, int]:
        """The cents that the customer saw, by wire name; what a draft leaves out is not compared."""
        amounts = {
            "subtotal": self.subtotal,
            "deliveryFee": self.delivery_fee,
            "referralDiscount": self.referral_discount,
            "newCustomerDiscount": self.new_customer_discount,
            "creditApplied": self.credit_applied,
            "total": self.total,
            "promotionDiscount": self.promotion_discount,
            "tax": self.tax,
            "cashRounding": self.cash_rounding,
        }
        return {name: cents for name, cents in amounts.items() if cents is not None}

    def body_hash(self) -> str:
        """A fingerprint of the draft, to notice a key that is sent again with another draft.

        `estimated_delivery` is left out, because the server replaces it. So is `birth_date`: whoever knows the rest of
        a draft could find it by trying every date.
        """
        left_out = {name for name in FIELDS_OF_LATER_RELEASES if getattr(self, name) is None}
        return codes.fingerprint(self.model_dump_json(exclude={"estimated_delivery", "birth_date", *left_out}))


class OrderEditForm(Form):
    """What staff may change in an order; a field left out stays (RULE order-edit)."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"status": "confirmed", "contactPhone": "503 555 0142"}

    MESSAGES: ClassVar[Mapping[str, str]] = FIELD_MESSAGES | {
        "status": f"The status must be one of {', '.join(OrderStatus)}.",
        "estimatedDelivery": "A time such as 2026-11-22T19:40:00Z is expected.",
    }

    status: Annotated[OrderStatus, Field(strict=False)] | None = None
    delivery_address: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    delivery_instructions: RequiredText | None = None
    payment_instructions: RequiredText | None = None
    contact_phone: Phone | None = None
    estimated_delivery: DeliveryMoment | None = None

    def columns(self) -> dict[str, Any]:
        """Columns of `orders` to set; the status is not among them."""
        texts = ("delivery_address", "delivery_instructions", "payment_instructions", "contact_phone")
        given: dict[str, Any] = {name: getattr(self, name) for name in texts if getattr(self, name) is not None}
        if self.delivery_address is not None:  # the parts belong to the address that is replaced
            given |= dict.fromkeys(("street", "city", "state", "zip_code"), "")
        if self.estimated_delivery is not None:
            given["estimated_delivery_at"] = self.estimated_delivery
        return given


class OrderId(Form):
    order_id: Annotated[str, Field(max_length=64)]


class OrderStep(OrderId):
    """An order, and the status that it had on the sender's screen."""

    status: Annotated[OrderStatus, Field(strict=False)]
