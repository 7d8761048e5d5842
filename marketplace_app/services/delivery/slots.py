"""Places in slots: each is taken and given back by a conditional update, so no slot has more orders than places."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from marketplace_app.delivery_messages import WINDOW_FULL
from marketplace_app.errors import Conflict, OrderBlocked
from marketplace_app.limits import ALTERNATIVE_SLOTS
from marketplace_app.models import OrderDelivery, Slot, Substitution
from marketplace_app.models.base import table_of
from marketplace_app.schemas.buying.quotes import Blocker
from marketplace_app.schemas.delivery.slots import OfferedSlot, SlotId, read_slot_id
from marketplace_app.schemas.jurisdictions.state_rules import Version
from marketplace_app.services.claims import claim_one
from marketplace_app.services.delivery import windows, zones
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

    def row(self, order_id: str, promised_by: datetime, wish: Substitution) -> dict[str, Any]:
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
            "substitution": wish,
            "attempts": 0,
            "ready_asked_at": None,
            "ready_at": None,
        }


def blocker(
    session: Session, zip_code: str | None, slot_id: str, at: datetime, version: Version | None
) -> Blocker | None:
    """Why an order cannot have this slot now: it has no place left, or the rules of the state do not allow it."""
    offer = windows.find(session, zip_code, read_slot_id(slot_id), at) if zip_code else None
    if offer is None or offer.is_full:
        return Blocker(code=WindowFull.code, message=WINDOW_FULL)
    return enforcement.slot_blocker(version, offer.starts_at, offer.ends_at, at)


def claim(
    session: Session, zone: ZoneTerms, zip_code: str, slot_id: str, at: datetime, version: Version | None = None
) -> Delivery:
    """Take a place in a slot; its row is created with its first order.

    Raises WindowFull with the next slots, and OrderBlocked if the rules of the state do not allow it.
    """
    wanted = windows.find(session, zip_code, read_slot_id(slot_id), at, lock=True)
    taken = _take(session, wanted, at, version)
    if taken is None:
        raise WindowFull(_alternatives(windows.offered(session, zip_code, at), slot_id, at, version))
    return Delivery(zone, taken.id, taken.starts_at, taken.ends_at)


def list_others(
    session: Session, delivery: OrderDelivery, zip_code: str, at: datetime, version: Version | None
) -> tuple[OfferedSlot, ...]:
    """The other slots in an order's zone that the rules allow; full ones are listed too, but cannot be chosen."""
    offers = _other_offers(session, delivery, zip_code, at, _id_of(session, delivery))
    return tuple(offer.view for offer in windows.allowed(offers, version, at))


def move(
    session: Session, delivery: OrderDelivery, zip_code: str, slot_id: str, at: datetime, version: Version | None
) -> bool:
    """Move an order to another slot of its zone and free its old place. False if it has this slot already.

    Raises what `claim` does; then the order keeps its old place.
    """
    own = _id_of(session, delivery)
    if own is not None and own.text == slot_id:
        return False
    wanted = None
    if _is_in_zone(session, delivery, zip_code, lock=True):
        wanted = windows.find(session, zip_code, read_slot_id(slot_id), at, lock=True)
    taken = _take(session, wanted, at, version, held_slot_id=delivery.held_slot_id)
    if taken is None:
        raise WindowFull(_alternatives(_other_offers(session, delivery, zip_code, at, own), slot_id, at, version))
    if delivery.held_slot_id is not None:
        _give_back(session, delivery.held_slot_id)
    delivery.slot_id = delivery.held_slot_id = taken.id
    delivery.window_starts_at, delivery.window_ends_at = taken.starts_at, taken.ends_at
    delivery.promised_by = taken.ends_at
    session.add(delivery)
    return True


def lock_slots_of_orders(session: Session, order_ids: Sequence[str]) -> None:
    """Lock the slots of several orders in id order, so that two changes of many orders never deadlock."""
    chosen = select(col(OrderDelivery.slot_id)).where(col(OrderDelivery.order_id).in_(order_ids))
    session.execute(select(_SLOTS.c.id).where(_SLOTS.c.id.in_(chosen)).order_by(_SLOTS.c.id).with_for_update())


def settle(session: Session, delivery: OrderDelivery, *, holds: bool) -> bool:
    """Make an order hold a place in its slot, or free it. False if it should hold one and the slot is full.

    Doing the same twice changes nothing.
    """
    if delivery.slot_id is None or holds is (delivery.held_slot_id is not None):
        return True
    change = update(Slot).where(col(Slot.id) == delivery.slot_id).execution_options(synchronize_session=False)
    if holds:
        if not claim_one(session, change.where(col(Slot.taken) < col(Slot.capacity)).values(taken=Slot.taken + 1)):
            return False
    else:
        _give_back(session, delivery.slot_id)
    delivery.held_slot_id = delivery.slot_id if holds else None
    session.add(delivery)
    return True


def _id_of(session: Session, delivery: OrderDelivery) -> SlotId | None:
    """None if the order has no slot, or its window was removed."""
    found = session.execute(select(_SLOTS.c.window_id, _SLOTS.c.day).where(_SLOTS.c.id == delivery.slot_id)).first()
    return SlotId(*found) if found else None


def _is_in_zone(session: Session, delivery: OrderDelivery, zip_code: str, *, lock: bool = False) -> bool:
    """Whether an order's ZIP code is still in its zone."""
    zone = zones.find(session, zip_code, lock=lock)
    return zone is not None and zone.id == delivery.zone_id


def _other_offers(
    session: Session, delivery: OrderDelivery, zip_code: str, at: datetime, own: SlotId | None
) -> list[windows.SlotOffer]:
    """The offers in an order's zone, apart from its own slot; full ones too."""
    if not _is_in_zone(session, delivery, zip_code):
        return []
    return [offer for offer in windows.offered(session, zip_code, at) if offer.id != own]


def _alternatives(
    offers: Sequence[windows.SlotOffer], slot_id: str, at: datetime, version: Version | None
) -> list[OfferedSlot]:
    """The next slots with a free place, apart from the one that was chosen."""
    others = [offer for offer in windows.allowed(offers, version, at) if not offer.is_full and offer.id.text != slot_id]
    return [offer.view for offer in others[:ALTERNATIVE_SLOTS]]


def _take(
    session: Session,
    wanted: windows.SlotOffer | None,
    at: datetime,
    version: Version | None,
    *,
    held_slot_id: int | None = None,
) -> Any:
    """The slot, with a place taken in it; None if it is full or not offered. Raises OrderBlocked."""
    if wanted is None:
        return None
    if unlawful := enforcement.slot_blocker(version, wanted.starts_at, wanted.ends_at, at):
        raise OrderBlocked(unlawful.code, unlawful.message)
    return None if wanted.is_full else _take_place(session, wanted, held_slot_id)


def _take_place(session: Session, offer: windows.SlotOffer, held_slot_id: int | None) -> Any:
    """The slot; None if it has become full.

    The slot that the order holds is locked as well, in id order: two orders that swap slots would otherwise deadlock.
    """
    connection = session.connection()
    if not offer.is_made:
        new = {
            "window_id": offer.id.window_id,
            "day": offer.id.day,
            "starts_at": offer.starts_at,
            "ends_at": offer.ends_at,
            "capacity": offer.capacity,
            "taken": 0,
        }
        dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
        insertion = dialect.insert(_SLOTS).on_conflict_do_nothing(index_elements=["window_id", "day"])
        connection.execute(insertion, new)
    if held_slot_id is not None:
        is_wanted = (_SLOTS.c.window_id == offer.id.window_id) & (_SLOTS.c.day == offer.id.day)
        both = select(_SLOTS.c.id).where(is_wanted | (_SLOTS.c.id == held_slot_id)).order_by(_SLOTS.c.id)
        connection.execute(both.with_for_update())
    return connection.execute(_CLAIM, {"of_window": offer.id.window_id, "on_day": offer.id.day}).first()


def _give_back(session: Session, slot_id: int) -> None:
    change = update(Slot).where(col(Slot.id) == slot_id, col(Slot.taken) > 0).values(taken=Slot.taken - 1)
    claim_one(session, change.execution_options(synchronize_session=False))
