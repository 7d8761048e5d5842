"""Days on which nothing is delivered (RULE windows)."""

from datetime import date

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import Product
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.windows import ClosureForm
from marketplace_app.services import orders
from marketplace_app.services.delivery import closures, slots
from tests.builders import order_form
from tests.conftest import Cast
from tests.services.delivery.test_slots import CANCELLED, fern, place, slot, taken
from tests.services.test_fulfilment import set_status

__all__ = ["fern", "slot"]


def test_a_day_that_is_closed_later_keeps_its_orders_and_takes_no_more(
    engine: Engine, session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    placed = place(cast.alice, order_form((fern, 2), slotId=slot))
    day = slot.partition("-")[2]
    db.write(lambda s: closures.add(s, cast.ada, parse(ClosureForm, {"day": day})))
    assert db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire() == placed
    with pytest.raises(slots.WindowFull):
        place(cast.bob, order_form((fern, 2), slotId=slot))
    assert db.read(lambda s: closures.count_due(s, cast.ada)) == {date.fromisoformat(day): 1}
    set_status(cast.ada, placed["id"], CANCELLED)
    assert db.read(lambda s: closures.count_due(s, cast.ada)) == {}
    assert taken(engine) == 0
