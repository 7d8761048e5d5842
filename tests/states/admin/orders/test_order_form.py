"""The dialog in which staff edit an order (RULE order-edit)."""

import asyncio
from datetime import UTC, datetime

import pytest
from reflex.state import State
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.models import Order, User
from marketplace_app.services import sessions
from marketplace_app.states.admin.orders.order_form import AdminOrderFormState
from marketplace_app.states.events import base
from tests.builders import make_order
from tests.conftest import ON_SQLITE, Cast


@ON_SQLITE
@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("2026-11-22T11:40", datetime(2026, 11, 22, 19, 40, tzinfo=UTC)),
        ("2026-11-22T11:40+05:00", datetime(2026, 11, 22, 6, 40, tzinfo=UTC)),
        ("2026-11-22", None),
        ("20261122T1140", None),
    ],
    ids=["as browsers write it", "with an offset", "a day", "without separators"],
)
def test_the_estimate_is_the_time_that_was_typed_in_the_time_zone_of_the_store(
    typed: str,
    stored: datetime | None,
    engine: Engine,
    session: Session,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is not a time is refused beside the field."""
    order = make_order(session, cast.alice, 100_00)
    session.commit()
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.ada.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)

    async def save() -> str:
        state = await State().get_state(AdminOrderFormState)
        await AdminOrderFormState.event_handlers["edit"].fn(state, order.id)
        async for _ in AdminOrderFormState.event_handlers["save"].fn(state, {"estimatedDelivery": typed}):
            pass
        return str(state.errors["estimatedDelivery"])

    estimate = order.estimated_delivery_at
    assert bool(asyncio.run(save())) == (stored is None)
    with Session(engine) as fresh:
        assert fresh.get_one(Order, order.id).estimated_delivery_at == (stored or estimate)
