"""Places in slots: each is taken and given back by a conditional update, so no slot has more orders than places."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from marketplace_app.errors import Conflict, OrderBlocked
from marketplace_app.limits import ALTERNATIVE_SLOTS
from marketplace_app.messages import WINDOW_FULL
from marketplace_app.models import OrderDelivery, Slot
from marketplace_app.models.base import table_of
from marketplace_app.schemas.quotes import Blocker
from marketplace_app.schemas.slots import OfferedSlot
from marketplace_app.schemas.state_rules import Version
from marketplace_app.services.claims import claim_one
from marketplace_app.services.delivery import windows
from marketplace_app.services.delivery.zones import ZoneTerms
from marketplace_app.services.jurisdictions import enforcement

_SLOTS = table_of(Slot)
_CLAIM = (
    update(_SLOTS)
    .where(
        _SLOTS.c.window_id == bindparam("of_window"),
        _SLOTS.c.day == bindparam("on_day"),
        _SLOTS.c.taken < _SLOTS.c.capacity,
    )
    .values(taken=_SLOTS.c.taken + 1)
    .returning(_SLOTS.c.id, _SLOTS.c.starts_at, _SLOTS.c.ends_at)
)


class WindowFull(Conflict):
    """The slot cannot be chosen: it is full, past its cut-off, closed, or of another zone."""

    code = "window_full"
    message = WINDOW_FULL

    def __init__(self, alternatives: Sequence[OfferedSlot]) -> None:
        super().__init__()
        self.windows = tuple(alternatives)

    def body(self) -> dict[str, object]:
        return super().body() | {"windows": [each.wire() for each in self.windows]}


@dataclass(frozen=True)
class Delivery:
    """How a new order will be delivered."""

    zone: ZoneTerms
    slot_id: int | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None

    def row(self, order_id: str, promised_by: datetime) -> dict[str, Any]:
        return {
            "order_id": order_id,
            "zone_id": self.zone.id,
            "zone_name": self.zone.name,
            "slot_id": self.slot_id,
            "held_slot_id": self.slot_id,
            "window_starts_at": self.starts_at,
            "window_ends_at": self.ends_at,
            "promised_by": promised_by,
            "door_pin": f"{secrets.randbelow(10_000):04}",
            "attempts": 0,
        }


def blocker(
    session: Session, zip_code: str | None, slot_id: str, at: datetime, version: Version | None
) -> Blocker | None:
    """Why an order could not choose the slot now: it is not free, or the rules of the place do not allow it."""
    offers = windows.offered(session, zip_code, at) if zip_code else []
    offer = next((offer for offer in offers if offer.id.text == slot_id), None)
    if offer is None or offer.is_full:
        return Blocker(code=WindowFull.code, message=WINDOW_FULL)
    return enforcement.slot_blocker(version, offer.starts_at, offer.ends_at, at)


def claim(
    session: Session, zone: ZoneTerms, zip_code: str, slot_id: str, at: datetime, version: Version | None = None
) -> Delivery:
    """Take a place in a slot, which is made if this is its first. Raises WindowFull with the next slots, and
    OrderBlocked where the rules of the place do not allow it."""
    offers = windows.offered(session, zip_code, at, lock=True)
    wanted = next((offer for offer in offers if offer.id.text == slot_id), None)
    if wanted and (unlawful := enforcement.slot_blocker(version, wanted.starts_at, wanted.ends_at, at)):
        raise OrderBlocked(unlawful.code, unlawful.message)
    taken = _take_place(session, wanted) if wanted is not None and not wanted.is_full else None
    if wanted is None or taken is None:
        allowed = windows.allowed(offers, version, at)
        others = [offer.view for offer in allowed if not offer.is_full and offer is not wanted]
        raise WindowFull(others[:ALTERNATIVE_SLOTS])
    return Delivery(zone, taken.id, taken.starts_at, taken.ends_at)


def lock_of_orders(session: Session, order_ids: Sequence[str]) -> None:
    """Lock the slots of several orders in id order, so that two changes of many orders never deadlock."""
    chosen = select(col(OrderDelivery.slot_id)).where(col(OrderDelivery.order_id).in_(order_ids))
    session.execute(select(_SLOTS.c.id).where(_SLOTS.c.id.in_(chosen)).order_by(_SLOTS.c.id).with_for_update())


def settle(session: Session, delivery: OrderDelivery, *, holds: bool) -> bool:
    """Make an order hold its place, or not. False if it should and its slot is full; the same twice changes nothing."""
    if delivery.slot_id is None or holds is (delivery.held_slot_id is not None):
        return True
    change = update(Slot).where(col(Slot.id) == delivery.slot_id).execution_options(synchronize_session=False)
    if holds:
        if not claim_one(session, change.where(col(Slot.taken) < col(Slot.capacity)).values(taken=Slot.taken + 1)):
            return False
    else:
        claim_one(session, change.where(col(Slot.taken) > 0).values(taken=Slot.taken - 1))
    delivery.held_slot_id = delivery.slot_id if holds else None
    session.add(delivery)
    return True


def _take_place(session: Session, offer: windows.Offer) -> Any:
    """The slot; None if it has become full."""
    connection = session.connection()
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    new = {
        "window_id": offer.id.window_id,
        "day": offer.id.day,
        "starts_at": offer.starts_at,
        "ends_at": offer.ends_at,
        "capacity": offer.capacity,
        "taken": 0,
    }
    made = dialect.insert(_SLOTS).on_conflict_do_nothing(index_elements=["window_id", "day"])
    connection.execute(made, new)
    return connection.execute(_CLAIM, {"of_window": offer.id.window_id, "on_day": offer.id.day}).first()
