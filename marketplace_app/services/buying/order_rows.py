"""Writing a new order: its row, its lines, and the first entry of its history."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from sqlmodel import Session

from marketplace_app.models import (
    Order,
    OrderDelivery,
    OrderLine,
    OrderStatus,
    OrderStatusChange,
    OrderTax,
    User,
)
from marketplace_app.models.base import insert_rows
from marketplace_app.models.orders import CASH_ON_DELIVERY, new_order_id
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.schemas.buying.orders import OrderView, view_of_rows
from marketplace_app.schemas.buying.quotes import Amounts, Quote, Tax
from marketplace_app.schemas.jurisdictions.state_rules import Version
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import pricing
from marketplace_app.services.buying.quotes import QuotedProduct
from marketplace_app.services.delivery.slots import Delivery
from marketplace_app.services.jurisdictions import records
from marketplace_app.services.records import counters
from marketplace_app.services.search import order_search


def write(
    session: Session,
    shopper: User,
    form: OrderForm,
    quote: Quote,
    items: Sequence[pricing.Item],
    products: Mapping[int, QuotedProduct],
    shop: ShopSettings,
    delivery: Delivery | None,
    version: Version | None,
    placed_at: datetime,
) -> OrderView:
    """Writes rows, since objects take several times as long. The caller has claimed stock, slot and discounts."""
    due = (delivery and delivery.ends_at) or placed_at + shop.delivery_promise
    order = {
        "id": new_order_id(),
        "number": counters.next_number(session, counters.ORDER_NUMBER),
        "user_id": shopper.id,
        "status": OrderStatus.PENDING,
        "quote_lines": [line.wire() for line in quote.lines],
        "payment_method": CASH_ON_DELIVERY,
        "created_at": placed_at,
        "estimated_delivery_at": due,
        **{name: getattr(quote, name) for name in Amounts.model_fields},
        **_referral(shopper, quote, shop),
        **_customer(shopper, form),
    }
    order["search_text"] = order_search.search_text(order, [item.name for item in items])
    lines = [_order_line(order["id"], position, item, products) for position, item in enumerate(items, start=1)]
    change = _first_change(order)
    insert_rows(session, Order, [order])
    insert_rows(session, OrderLine, lines)
    insert_rows(session, OrderStatusChange, [change])
    insert_rows(session, OrderTax, _taxes(order["id"], quote))
    if version is not None:
        records.write(session, order["id"], version, form.birth_date)
    delivery_row = delivery.row(order["id"], due, form.wish()) if delivery is not None else None
    if delivery_row is not None:
        insert_rows(session, OrderDelivery, [delivery_row])
    return view_of_rows(order, lines, [change], delivery_row)


def _first_change(order: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "order_id": order["id"],
        "from_status": None,
        "to_status": order["status"],
        "actor_id": order["user_id"],
        "created_at": order["created_at"],
    }


def _referral(shopper: User, quote: Quote, shop: ShopSettings) -> dict[str, Any]:
    is_referred = bool(quote.referral_discount_cents)
    return {
        "referrer_id": shopper.referred_by_id if is_referred else None,
        "referral_credit_cents": shop.referral_credit_cents if is_referred else 0,
    }


def _customer(shopper: User, form: OrderForm) -> dict[str, Any]:
    address = form.address
    drafted_name = " ".join(name for name in (form.first_name, form.last_name) if name)
    return {
        "delivery_address": address.joined() if address else cast(str, form.delivery_address),
        "street": address.street if address else "",
        "city": address.city if address else "",
        "state": address.state if address else "",
        "zip_code": address.zip if address else "",
        "contact_phone": form.contact_phone,
        "delivery_instructions": form.delivery_instructions,
        "payment_instructions": form.payment_instructions,
        "customer_name": drafted_name or shopper.full_name or shopper.email,
        "customer_email": shopper.email,
    }


def _order_line(
    order_id: str, position: int, item: pricing.Item, products: Mapping[int, QuotedProduct]
) -> dict[str, Any]:
    return {
        "order_id": order_id,
        "position": position,
        "product_id": item.product_id,
        "name": item.name,
        "image": products[item.product_id].picture,
        "quantity": item.quantity,
        "unit_price_cents": item.unit_price_cents,
    }


def _taxes(order_id: str, quote: Quote) -> list[dict[str, Any]]:
    return [
        {name: getattr(tax, name) for name in Tax.model_fields}
        | {"order_id": order_id, "position": position, "kind": tax.kind.value}
        for position, tax in enumerate(quote.taxes, start=1)
    ]
