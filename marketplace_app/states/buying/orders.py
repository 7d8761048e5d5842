"""The account's list of orders, a page at a time."""

from dataclasses import dataclass

import reflex as rx
from sqlmodel import Session

from marketplace_app import clock, limits, messages, money
from marketplace_app.config import get_settings
from marketplace_app.display.labels import ORDER_HUES, PAYMENT_METHOD_LABELS
from marketplace_app.display.paging import Paging
from marketplace_app.messages import Notice
from marketplace_app.models import User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderId
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.controls import PageNumber
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import settings
from marketplace_app.services.buying import orders
from marketplace_app.states.events.base import SIGNED_IN, Events, action, read, toast
from marketplace_app.states.events.choices import visit


@dataclass(frozen=True)
class OwnOrderCard:
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
    weekend_note: str
    contact_phone: str
    contents: str
    """`Fern Hollow × 2, Quiet Mint × 1`"""


class OrdersState(rx.State):
    is_loading: bool = True
    orders: list[OwnOrderCard] = []
    page: int = 1
    pages: int = 1

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_ACCOUNT)
    async def go_to(self, page: int) -> Events:
        """Show the page at once, then put it into the URL."""
        number = parse(PageNumber, {"page": page})
        await self._load(number.page)
        return await visit(self, f"/account?tab=orders&page={number.page}")

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_ACCOUNT)
    async def view_details(self, order_id: str) -> Events:
        """Open the order's own page, with a toast (RULE orders-of-a-person)."""
        order = await read(self, orders.get, parse(OrderId, {"orderId": order_id}).order_id)
        await toast(self, "success", Notice("Order Details", f"Order {order.number}"))
        return await visit(self, f"/orders/{order.id}")

    async def _load(self, page: int) -> None:
        """A page number beyond the end shows the last page."""

        def listed(session: Session, actor: User | None) -> tuple[int, int, tuple[OrderView, ...], ShopSettings]:
            size = limits.ORDERS_PAGE_SIZE
            pages = Paging(page, size, orders.count_own(session, actor)).pages
            number = min(page, pages)
            shown = orders.list_own(session, actor, limit=size, offset=(number - 1) * size)
            return number, pages, shown, settings.published(session, actor)

        self.page, self.pages, shown, shop = await read(self, listed)
        self.orders = [card_of(order, shop) for order in shown]
        self.is_loading = False


def short_id(order_id: str) -> str:
    return order_id[-limits.SHORT_ID_CHARACTERS :]


def delivery_time(order: OrderView) -> str:
    """`Fri, Nov 27, 5:00 PM to 7:00 PM`; empty for an order without a slot."""
    delivery = order.delivery
    if delivery is None or delivery.window_starts_at is None or delivery.window_ends_at is None:
        return ""
    return clock.show_span(delivery.window_starts_at, delivery.window_ends_at, get_settings().timezone)


def weekend_note(order: OrderView, shop: ShopSettings) -> str:
    """`Weekend deliveries can take up to 72 hours.`; empty where that does not apply, and for an order that
    has ended or has a slot."""
    if order.status.is_ended or (order.delivery and order.delivery.window_ends_at):
        return ""
    return shop.weekend_note(order.created_at, order.estimated_delivery_at, get_settings().timezone)


def card_of(order: OrderView, shop: ShopSettings) -> OwnOrderCard:
    timezone = get_settings().timezone
    return OwnOrderCard(
        id=order.id,
        short_id=short_id(order.id),
        number=str(order.number),
        status=order.status.value,
        status_label=order.status.label,
        status_hue=ORDER_HUES[order.status],
        total=money.show(order.total_cents),
        placed=clock.show_date(order.created_at, timezone),
        payment=PAYMENT_METHOD_LABELS[order.payment_method],
        delivery_address=order.delivery_address,
        estimated_delivery=clock.show_time(order.estimated_delivery_at, timezone),
        weekend_note=weekend_note(order, shop),
        contact_phone=order.contact_phone,
        contents=", ".join(f"{item.name} × {item.quantity}" for item in order.items),
    )
