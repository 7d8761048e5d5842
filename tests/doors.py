"""Orders that are out, and what a driver's phone reports at their doors, for tests."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import Session
from ulid import ULID

from marketplace_app import clock
from marketplace_app.models import Order, OrderDelivery, OrderStatus, RunStop, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.dispatch.door import StopEventForm
from tests.builders import make_order

PIN = "4071"
WRONG_PIN = "9998"
TOTAL_CENTS = 152_50
ID = {"ofAge": True, "nameMatches": True, "notExpired": True}
CASH = {"counted": "152.50"}
STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("arrived", {}),
    ("id_checked", ID),
    ("pin_entered", {"pin": PIN}),
    ("cash_counted", CASH),
    ("bag_placed", {}),
)
"""All that a delivery needs where no signature is asked."""


def make_order_out(session: Session, customer: User, *, pin: str | None = PIN, **values: Any) -> Order:
    """An order that is with its driver. One without a PIN was placed while there were no zones."""
    order = make_order(session, customer, TOTAL_CENTS, **{"status": OrderStatus.OUT_FOR_DELIVERY} | values)
    if pin is not None:
        promised_by = clock.now() + timedelta(hours=3)
        session.add(OrderDelivery(order_id=order.id, zone_name="East side", promised_by=promised_by, door_pin=pin))
    session.flush()
    return order


class Phone:
    """Numbers what it reports of each stop, as a driver's phone does."""

    def __init__(self) -> None:
        self.sequences: dict[int, int] = {}

    def event(self, stop: RunStop, kind: str, **data: Any) -> dict[str, Any]:
        self.sequences[stop.id] = sequence = self.sequences.get(stop.id, 0) + 1
        return event(stop, sequence, kind, **data)

    def steps(self, stop: RunStop, upto: str = "bag_placed") -> list[dict[str, Any]]:
        names = [kind for kind, _ in STEPS]
        return [self.event(stop, kind, **data) for kind, data in STEPS[: names.index(upto) + 1]]


def event(stop: RunStop, sequence: int, kind: str, **data: Any) -> dict[str, Any]:
    moment = clock.iso(clock.now())
    return {"key": str(ULID()), "seq": sequence, "stopId": stop.id, "kind": kind, "at": moment, "data": data}


def forms(events: Sequence[dict[str, Any]]) -> list[StopEventForm]:
    return [parse(StopEventForm, each) for each in events]
