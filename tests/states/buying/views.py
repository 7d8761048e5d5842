"""An order as its customer's page gets it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from marketplace_app.models import OrderStatus
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.delivery.slots import OrderDeliveryView

PLACED = datetime(2026, 11, 18, 20, tzinfo=UTC)
"""A Wednesday: noon at the store."""
WINDOW = datetime(2026, 11, 28, 1, tzinfo=UTC), datetime(2026, 11, 28, 3, tzinfo=UTC)
"""`Fri, Nov 27, 5:00 PM to 7:00 PM` at the store."""


def order_view(past: Sequence[OrderStatus] = (OrderStatus.PENDING,), **changes: Any) -> OrderView:
    """An order of $152.50 that has had these statuses, one an hour."""
    amounts = dict.fromkeys((name for name in OrderView.model_fields if name.endswith("_cents")), 0)
    texts = ("delivery_instructions", "payment_instructions", "customer_name", "customer_email")
    history = [
        {"from_status": before, "to_status": to, "created_at": PLACED + timedelta(hours=hours)}
        for hours, (before, to) in enumerate(zip([None, *past], past, strict=False))
    ]
    values = {
        **amounts,
        **dict.fromkeys(texts, ""),
        "id": "4f0c8a52-1d7e-4b63-9a20-0123456789ab",
        "number": 4821,
        "status": past[-1],
        "created_at": PLACED,
        "estimated_delivery_at": PLACED + timedelta(hours=48),
        "quote_lines": (),
        "total_cents": 152_50,
        "payment_method": "cod",
        "items": (),
        "delivery_address": "214 Larch Street, Portland, OR 97201",
        "address": {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"},
        "contact_phone": "503 555 0142",
        "history": history,
    }
    return OrderView.model_validate(values | changes)


def delivery_view(**changes: Any) -> OrderDeliveryView:
    """In a slot, with a door PIN."""
    starts_at, ends_at = WINDOW
    values = {
        "window_starts_at": starts_at,
        "window_ends_at": ends_at,
        "promised_by": ends_at,
        "zone_name": "East side",
        "attempts": 0,
        "substitution": "ask",
        "door_pin": "4071",
    }
    return OrderDeliveryView.model_validate(values | changes)
