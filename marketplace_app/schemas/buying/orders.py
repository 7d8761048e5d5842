"""Orders as the API and the pages show them (RULE wire-order)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, PlainSerializer

from marketplace_app.models import Order, OrderStatus
from marketplace_app.packaging import picture_of, picture_url
from marketplace_app.schemas.base import Moment, Money, ProblemAnswer, View
from marketplace_app.schemas.buying.quotes import Amounts, Quote, QuoteLine
from marketplace_app.schemas.delivery.slots import OfferedSlot, OrderDeliveryView


class OrderConflictAnswer(ProblemAnswer):
    quote: Quote | None = Field(None, description="With `quote_changed`: the total to confirm instead.")
    windows: list[OfferedSlot] = Field([], description="With `window_full`: the next delivery times that are free.")


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


class OrderView(Amounts):
    id: str
    number: int
    status: OrderStatus
    created_at: Moment
    estimated_delivery_at: Moment = Field(alias="estimatedDelivery")
    quote_lines: tuple[QuoteLine, ...] = Field(alias="lines")
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
    delivery: OrderDeliveryView | None = Field(None, description="Left out for orders that were placed without zones.")

    def wire(self) -> dict[str, Any]:
        body = super().wire()
        if self.delivery:
            body["delivery"] = self.delivery.wire()  # its own `wire` leaves out some fields
        else:
            del body["delivery"]
        return body

    def without_door_pin(self) -> Self:
        """For answers to staff, and for exports (RULE door-pin)."""
        shown = self.delivery and self.delivery.model_copy(update={"door_pin": None})
        return self.model_copy(update={"delivery": shown})


_NESTED = ("items", "address", "history", "delivery")
_DELIVERY = tuple(OrderDeliveryView.model_fields)
_ADDRESS = ("street", "city", "state", "zip_code")
_LINE = ("product_id", "name", "image", "quantity", "unit_price_cents")
_COPIED = tuple(name for name in OrderView.model_fields if name not in _NESTED)


def view_of(order: Order, *, for_customer: bool = False) -> OrderView:
    """Lines and history must be loaded. Only the customer's own view has the door PIN (RULE door-pin)."""
    lines = [_columns(line, _LINE) for line in order.lines]
    history = [_columns(change, StatusChange.model_fields) for change in order.history]
    delivery = _columns(order.delivery, _DELIVERY) if order.delivery else None
    shown = view_of_rows(_columns(order, (*_COPIED, *_ADDRESS)), lines, history, delivery)
    return shown if for_customer else shown.without_door_pin()


def _columns(row: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def view_of_rows(
    order: Mapping[str, Any],
    lines: Sequence[Mapping[str, Any]],
    history: Sequence[Mapping[str, Any]],
    delivery: Mapping[str, Any] | None = None,
) -> OrderView:
    """The customer's own view, with the door PIN, made from columns: of the order, its lines, history and delivery."""
    copied = {name: order[name] for name in _COPIED}
    street, city, state, zip_code = (order[name] for name in _ADDRESS)
    nested = {
        "items": [_line_of(line) for line in lines],
        "address": OrderAddress(street=street, city=city, state=state, zip=zip_code),
        "delivery": delivery and OrderDeliveryView(**{name: delivery[name] for name in _DELIVERY}),
        "history": [StatusChange.model_validate(change, by_alias=False, by_name=True) for change in history],
    }
    return OrderView.model_validate(copied | nested)


def _line_of(line: Mapping[str, Any]) -> OrderLineView:
    return OrderLineView(
        product_id=line["product_id"],
        name=line["name"],
        image=picture_of(line["image"], line["name"], category=""),  # an order does not keep the category
        quantity=line["quantity"],
        unit_price_cents=line["unit_price_cents"],
    )
