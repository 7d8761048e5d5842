"""The preview of one status for several orders (RULE bulk-status)."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import User
from marketplace_app.services import sessions
from marketplace_app.services.buying import fulfilment, orders
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.admin.orders.orders_bulk import AdminOrdersBulkState
from marketplace_app.states.events import base
from tests.builders import make_product, order_form
from tests.conftest import ON_SQLITE, Cast


async def preview(order_id: str) -> tuple[bool, str]:
    root = State()
    (await root.get_state(AdminOrdersState))._selected = {order_id}
    state = await root.get_state(AdminOrdersBulkState)
    await AdminOrdersBulkState.event_handlers["preview"].fn(state, "confirmed")
    return state.is_open, state.summary


@ON_SQLITE
def test_a_write_that_comes_between_does_not_end_a_preview(
    engine: Engine, session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A preview makes the changes and undoes them. In SQLite, a transaction that began by reading can no longer write
    once another one has written."""
    product = make_product(session, price_cents=120_00)
    token = sessions.start(session, cast.ada)
    session.commit()
    placed = db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), order_form((product, 1)), key=None))
    usual = fulfilment.lock_orders

    def lock_after_an_attempt_to_write(locking: Session, order_ids: Sequence[str]) -> Any:
        # Refused if the preview has begun as a writer, which is what makes it safe.
        with closing(sqlite3.connect(str(engine.url.database), timeout=0)) as other, suppress(sqlite3.OperationalError):
            other.execute("UPDATE products SET brand = 'Another'")
            other.commit()
        return usual(locking, order_ids)

    monkeypatch.setattr(fulfilment, "lock_orders", lock_after_an_attempt_to_write)
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)
    assert asyncio.run(preview(str(placed["id"]))) == (True, "1 order changes.")


def test_the_browser_may_close_the_preview_but_not_open_it() -> None:
    async def after(was_open: bool, is_open: bool) -> bool:
        state = await State().get_state(AdminOrdersBulkState)
        state.is_open = was_open
        await AdminOrdersBulkState.event_handlers["set_open"].fn(state, is_open)
        return bool(state.is_open)

    assert not asyncio.run(after(True, False))
    assert not asyncio.run(after(False, True))
