"""The account's list of orders."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import clock, limits, messages, money
from marketplace_app.config import get_settings
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.orders import OrderView
from marketplace_app.services import orders
from marketplace_app.states.base import SIGNED_IN, action, read

STATUS_HUES = {
    OrderStatus.PENDING: "yellow",
    OrderStatus.CONFIRMED: "blue",
    OrderStatus.OUT_FOR_DELIVERY: "purple",
    OrderStatus.DELIVERED: "green",
    OrderStatus.CANCELLED: "red",
}
PAYMENT_NAMES = {"cod": "Cash on delivery"}


@dataclass(frozen=True)
class OrderCard:
    id: str
    short_id: str
    """The last eight characters."""
    number: str
    status: str
    status_label: str
    status_hue: str
    total: str
    placed: str
    payment: str
    delivery_address: str
    estimated_delivery: str
    contact_phone: str
    contents: str
    """`Fern Hollow × 2, Quiet Mint × 1`"""


class OrdersState(rx.State):
    is_loading: bool = True
    orders: list[OrderCard] = []

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_ACCOUNT)
    async def load(self):
        """on_load."""
        self.orders = [card_of(order) for order in await read(self, orders.list_own)]
        self.is_loading = False


def card_of(order: OrderView) -> OrderCard:
    zone = get_settings().timezone
    return OrderCard(
        id=order.id,
        short_id=order.id[-limits.CARD_ID_CHARACTERS :],
        number=str(order.number),
        status=order.status.value,
        status_label=order.status.label,
        status_hue=STATUS_HUES[order.status],
        total=money.show(order.total_cents),
        placed=clock.show_date(order.created_at, zone),
        payment=PAYMENT_NAMES[order.payment_method],
        delivery_address=order.delivery_address,
        estimated_delivery=clock.show_time(order.estimated_delivery_at, zone),
        contact_phone=order.contact_phone,
        contents=", ".join(f"{item.name} × {item.quantity}" for item in order.items),
    )
