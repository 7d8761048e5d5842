"""The form that edits an order, and the question before one is deleted (RULE order-edit, RULE order-delete)."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.models import Order, OrderStatus, Product, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services.buying import fulfilment
from marketplace_app.states.admin.orders.order_form import AdminOrderFormState
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import place
from tests.services.dispatch.conftest import fern
from tests.states.admin.conftest import Tab

__all__ = ["fern"]
ADDRESS = "214 Larch Street\r\nPortland, OR 97201"


@pytest.fixture
def order(session: Session, cast: Cast, fern: Product) -> str:
    return place(cast.alice, fern)


def edit(tab: Tab, order: str) -> Any:
    state = tab.state(AdminOrderFormState)
    tab.send(state, "edit", order)
    return state


def stored(order: str) -> Order:
    return db.read(lambda s: s.get_one(Order, order))


def change(owner: User, order: str, **values: str) -> None:
    form = parse(OrderEditForm, values)
    db.write(lambda s: fulfilment.edit(s, s.get(User, owner.id), order, form))


@ON_SQLITE
def test_a_form_that_is_saved_as_it_was_filled_keeps_every_value(tab: Tab, session: Session, order: str) -> None:
    """A browser has other line breaks, and shows no seconds."""
    row = session.get_one(Order, order)
    row.delivery_address = row.delivery_instructions = ADDRESS
    row.zip_code = "97201"
    row.estimated_delivery_at = datetime(2026, 12, 1, 3, 40, 12, tzinfo=UTC)
    session.commit()
    state = edit(tab, order)
    assert state.values["deliveryAddress"] == ADDRESS.replace("\r\n", "\n")
    assert state.values["estimatedDelivery"] == "2026-11-30T19:40"
    tab.send(state, "save", dict(state.values))
    kept = stored(order)
    assert (kept.delivery_address, kept.delivery_instructions, kept.zip_code) == (ADDRESS, ADDRESS, "97201")
    assert kept.estimated_delivery_at.second == 12
    assert (state.open_dialog, tab.toast[0]) == ("", messages.ORDER_UPDATED.title)


@ON_SQLITE
@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("2026-11-22T11:40", datetime(2026, 11, 22, 19, 40, tzinfo=UTC)),
        ("2026-11-22T11:40+05:00", datetime(2026, 11, 22, 6, 40, tzinfo=UTC)),
        ("2026-11-22", None),
        ("20261122T1140", None),
    ],
    ids=["as browsers write it", "with an offset", "a day", "without separators"],
)
def test_the_estimate_is_the_time_that_was_typed_in_the_time_zone_of_the_store(
    typed: str, read: datetime | None, tab: Tab, order: str
) -> None:
    """What is not a time is refused beside the field."""
    before = stored(order).estimated_delivery_at
    state = edit(tab, order)
    tab.send(state, "save", {**state.values, "estimatedDelivery": typed})
    assert bool(state.errors["estimatedDelivery"]) == (read is None)
    assert stored(order).estimated_delivery_at == (read or before)


@ON_SQLITE
def test_what_is_refused_is_said_beside_its_field_and_the_dialog_stays(tab: Tab, order: str) -> None:
    state = edit(tab, order)
    tab.send(state, "save", {**state.values, "contactPhone": "", "estimatedDelivery": ""})
    assert [name for name, said in state.errors.items() if said] == ["contactPhone", "estimatedDelivery"]
    assert (state.open_dialog, state.is_saving) == ("edit", False)


@ON_SQLITE
def test_what_a_colleague_has_set_is_named_and_replaced_by_a_second_press(tab: Tab, cast: Cast, order: str) -> None:
    state = edit(tab, order)
    typed = {**state.values, "status": "cancelled", "contactPhone": "503 555 0188"}
    change(cast.ada, order, status="out_for_delivery", deliveryInstructions="Back door.")
    tab.send(state, "save", typed)
    assert {name: said for name, said in state.errors.items() if said} == {
        "status": messages.changed_meanwhile(OrderStatus.OUT_FOR_DELIVERY.label)
    }
    assert (state.open_dialog, stored(order).contact_phone) == ("edit", "503 555 0142")
    tab.send(state, "save", typed)
    kept = stored(order)
    assert (kept.status, kept.contact_phone) == (OrderStatus.CANCELLED, "503 555 0188")
    assert kept.delivery_instructions == "Back door."


@ON_SQLITE
def test_an_order_is_deleted_only_while_the_question_is_open(tab: Tab, order: str) -> None:
    state = edit(tab, order)
    tab.send(state, "delete")
    assert stored(order).deleted_at is None
    tab.send(state, "ask_to_delete", order)
    assert state.title == f"Order {stored(order).number}"
    tab.send(state, "delete")
    assert stored(order).deleted_at is not None
    assert (state.open_dialog, tab.toast[0]) == ("", messages.ORDER_DELETED.title)
