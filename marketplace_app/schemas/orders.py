"""Orders, as drafted and as shown (RULE wire-order)."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from pydantic import Field

from marketplace_app import clock, money
from marketplace_app.models import Order, OrderStatus
from marketplace_app.packaging import picture_of, picture_url
from marketplace_app.schemas.base import Answer, ProblemAnswer


@dataclass(frozen=True)
class OrderLineView:
    product_id: int
    name: str
    image: str
    quantity: int
    unit_price_cents: int

    def wire(self) -> dict[str, Any]:
        return {
            "productId": self.product_id,
            "name": self.name,
            "imageUrl": picture_url(self.image),
            "quantity": self.quantity,
            "price": money.decimal(self.unit_price_cents),
        }


@dataclass(frozen=True)
class OrderView:
    id: str
    user_id: int
    number: int
    status: OrderStatus
    created_at: datetime
    estimated_delivery_at: datetime
    subtotal_cents: int
    delivery_fee_cents: int
    new_customer_discount_cents: int
    referral_discount_cents: int
    credit_applied_cents: int
    total_cents: int
    quote_lines: tuple[dict[str, Any], ...]
    payment_method: str
    items: tuple[OrderLineView, ...]
    delivery_address: str
    street: str
    city: str
    state: str
    zip_code: str
    contact_phone: str
    delivery_instructions: str
    payment_instructions: str
    customer_name: str
    customer_email: str
    history: tuple[tuple[OrderStatus | None, OrderStatus, datetime], ...]

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "number": self.number,
            "status": self.status.value,
            "createdAt": clock.iso(self.created_at),
            "estimatedDelivery": clock.iso(self.estimated_delivery_at),
            "paymentMethod": self.payment_method,
            "subtotal": money.decimal(self.subtotal_cents),
            "deliveryFee": money.decimal(self.delivery_fee_cents),
            "newCustomerDiscount": money.decimal(self.new_customer_discount_cents),
            "referralDiscount": money.decimal(self.referral_discount_cents),
            "creditApplied": money.decimal(self.credit_applied_cents),
            "total": money.decimal(self.total_cents),
            "lines": list(self.quote_lines),
            "items": [item.wire() for item in self.items],
            "deliveryAddress": self.delivery_address,
            "address": {"street": self.street, "city": self.city, "state": self.state, "zip": self.zip_code},
            "contactPhone": self.contact_phone,
            "deliveryInstructions": self.delivery_instructions,
            "paymentInstructions": self.payment_instructions,
            "customerName": self.customer_name,
            "customerEmail": self.customer_email,
            "history": [
                {"from": old.value if old else None, "to": new.value, "at": clock.iso(at)}
                for old, new, at in self.history
            ],
        }


def view_of(order: Order) -> OrderView:
    """Lines and history must be loaded."""
    made = {"quote_lines", "items", "history"}
    return OrderView(
        **{field.name: getattr(order, field.name) for field in fields(OrderView) if field.name not in made},
        quote_lines=tuple(order.quote_lines),
        items=tuple(
            OrderLineView(
                line.product_id, line.name, picture_of(line.image, line.name, ""), line.quantity, line.unit_price_cents
            )
            for line in order.lines
        ),
        history=tuple((change.from_status, change.to_status, change.created_at) for change in order.history),
    )


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


class OrderItemAnswer(Answer):
    product_id: int
    name: str
    image_url: str
    quantity: int
    price: str


class AddressAnswer(Answer):
    street: str
    city: str
    state: str
    zip: str


class StatusChangeAnswer(Answer):
    from_: OrderStatus | None = Field(alias="from")
    to: OrderStatus
    at: datetime


class OrderAnswer(AmountsAnswer):
    id: str
    number: int
    status: OrderStatus
    created_at: datetime
    estimated_delivery: datetime
    payment_method: str = Field(examples=["cod"])
    items: list[OrderItemAnswer]
    delivery_address: str
    address: AddressAnswer
    contact_phone: str
    delivery_instructions: str
    payment_instructions: str
    customer_name: str
    customer_email: str
    history: list[StatusChangeAnswer]
