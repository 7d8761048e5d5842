"""Delivery times as the checkout and an order's page show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.schemas.delivery.slots import OfferedSlot
from marketplace_app.schemas.settings import ShopSettings

FEW_LEFT = 3
"""When a slot has this many places or fewer, its note says how many."""


@dataclass(frozen=True)
class DeliveryTime:
    key: str
    """The slot's id; empty for any time."""
    text: str
    """`Fri, Nov 27, 5:00 PM to 7:00 PM`"""
    note: str
    """`2 left`, `Full`, or nothing."""
    is_full: bool


def estimate(time: str, shop: ShopSettings) -> tuple[str, str]:
    """`Delivery by Nov 22, 2026, 11:40 AM.`, or `Delivery Fri, Nov 27, 5:00 PM to 7:00 PM.` for a chosen time; and the
    note on weekends, if it concerns this delivery."""
    if time:
        return f"Delivery {time}.", ""
    timezone, at = get_settings().timezone, clock.now()
    due = at + shop.delivery_promise
    return f"Delivery by {clock.show_time(due, timezone)}.", shop.weekend_note(at, due, timezone)


def delivery_times(slots: Sequence[OfferedSlot], within: str) -> list[DeliveryTime]:
    """'Any time' and then each slot, or nothing without slots. `within` is the longest wait, such as `48 hours`."""
    any_time = DeliveryTime("", f"Any time within {within}", "", False)
    return [any_time, *slot_times(slots)] if slots else []


def slot_times(slots: Sequence[OfferedSlot]) -> list[DeliveryTime]:
    return [_delivery_time(slot) for slot in slots]


def _delivery_time(slot: OfferedSlot) -> DeliveryTime:
    note = "Full" if not slot.left else f"{slot.left} left" if slot.left <= FEW_LEFT else ""
    timezone = get_settings().timezone
    return DeliveryTime(slot.id, clock.show_span(slot.starts_at, slot.ends_at, timezone), note, not slot.left)
