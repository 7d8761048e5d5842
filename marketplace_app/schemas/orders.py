"""Orders, as drafted and as shown (RULE wire-order)."""

from typing import Annotated

from pydantic import Field, PlainSerializer

from marketplace_app.models import Order, OrderStatus
from marketplace_app.packaging import picture_of, picture_url
from marketplace_app.schemas.base import Answer, Moment, Money, ProblemAnswer, View


class QuoteLineAnswer(Answer):
    code: str = Field(examples=["first_purchase"])
    label: str = Field(examples=["First purchase, 25%"])
    base: str = Field(examples=["170.00"])
    rate: str | None = Field(examples=["0.25"])
    amount: str = Field(examples=["-42.50"])
    reason: str


class BlockerAnswer(Answer):
    code: str = Field(examples=["minimum_order"])
    message: str = Field(examples=["Minimum order amount is $100.00. Please add more items to your cart."])


class AmountsAnswer(Answer):
    subtotal: str = Field(examples=["170.00"])
    delivery_fee: str = Field(examples=["25.00"])
    new_customer_discount: str = Field(examples=["42.50"])
    referral_discount: str = Field(examples=["0.00"])
    credit_applied: str = Field(examples=["0.00"])
    total: str = Field(examples=["152.50"])
    lines: list[QuoteLineAnswer]


class QuoteAnswer(AmountsAnswer):
    blockers: list[BlockerAnswer]


class OrderConflictAnswer(ProblemAnswer):
    quote: QuoteAnswer | None = Field(None, description="With `quote_changed`: the total to confirm instead.")


class OrderLineView(View):
    product_id: int
    name: str
    image: Annotated[str, PlainSerializer(picture_url)] = Field(alias="imageUrl")
    quantity: int
    unit_price_cents: Money = Field(alias="price")


class OrderAddress(View):
    street: str
    city: str
    state: str
    zip: str


class StatusChange(View):
    from_status: OrderStatus | None = Field(alias="from")
    to_status: OrderStatus = Field(alias="to")
    created_at: Moment = Field(alias="at")


class OrderView(View):
    id: str
    number: int
    status: OrderStatus
    created_at: Moment
    estimated_delivery_at: Moment = Field(alias="estimatedDelivery")
    subtotal_cents: Money = Field(examples=["170.00"])
    delivery_fee_cents: Money = Field(examples=["25.00"])
    new_customer_discount_cents: Money = Field(examples=["42.50"])
    referral_discount_cents: Money = Field(examples=["0.00"])
    credit_applied_cents: Money = Field(examples=["0.00"])
    total_cents: Money = Field(examples=["152.50"])
    quote_lines: tuple[QuoteLineAnswer, ...] = Field(alias="lines")
    payment_method: str = Field(examples=["cod"])
    items: tuple[OrderLineView, ...]
    delivery_address: str
    address: OrderAddress
    contact_phone: str
    delivery_instructions: str
    payment_instructions: str
    customer_name: str
    customer_email: str
    history: tuple[StatusChange, ...]


_MADE = ("items", "address", "history")
_KEPT = tuple(name for name in OrderView.model_fields if name not in _MADE)


def view_of(order: Order) -> OrderView:
    """Lines and history must be loaded."""
    made = {
        "items": [
            OrderLineView(
                product_id=line.product_id,
                name=line.name,
                image=picture_of(line.image, line.name, ""),
                quantity=line.quantity,
                unit_price_cents=line.unit_price_cents,
            )
            for line in order.lines
        ],
        "address": OrderAddress(street=order.street, city=order.city, state=order.state, zip=order.zip_code),
        "history": [StatusChange.of(change) for change in order.history],
    }
    return OrderView.model_validate({name: getattr(order, name) for name in _KEPT} | made)
