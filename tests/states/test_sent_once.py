"""A form is taken once, and a question answered once, however often the button is pressed (RULE sent-once)."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine, func, select
from sqlmodel import Session

from marketplace_app.errors import InvalidInput
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import (
    Address,
    CashMovement,
    Product,
    RunStop,
    ShiftCount,
    StockMovement,
    StockReason,
    Ticket,
    TicketMessage,
    User,
)
from marketplace_app.schemas.tickets import TicketForm
from marketplace_app.services.support import tickets
from marketplace_app.states.account import referrals
from marketplace_app.states.account.addresses import AddressesState
from marketplace_app.states.admin import product, searches
from marketplace_app.states.admin.batches import recall_form
from marketplace_app.states.admin.cash.cash_forms import AdminCashFormsState
from marketplace_app.states.admin.cash.shift import AdminShiftState
from marketplace_app.states.admin.delivery import zones
from marketplace_app.states.admin.dispatch import dispatch
from marketplace_app.states.admin.dispatch.run_paper import AdminPaperState
from marketplace_app.states.admin.invitations import invitation_file
from marketplace_app.states.admin.jurisdictions import rules
from marketplace_app.states.admin.orders import order_batches, order_form, orders_bulk
from marketplace_app.states.admin.products import lab_report, product_archive
from marketplace_app.states.admin.products.product_stock import AdminStockState
from marketplace_app.states.admin.users import user_form
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.support.ticket import TicketState
from marketplace_app.states.support.ticket_form import TicketFormState
from tests.conftest import ON_SQLITE, Cast
from tests.services.cash.test_shifts import shift_and_order
from tests.services.cash.test_transfers import correct
from tests.services.dispatch.conftest import dora, fern, zone
from tests.services.dispatch.test_paper import a_run
from tests.services.dispatch.test_runs import call
from tests.states.conftest import SignInAs

__all__ = ["dora", "fern", "shift_and_order", "zone"]  # fixtures, which tests take by name

NOT_HOME = {"outcome": "failed", "reason": "not_home"}


async def send(state: Any, event: str, *arguments: Any) -> None:
    sent = type(state).event_handlers[event].fn(state, *arguments)
    if inspect.isasyncgen(sent):
        async for _ in sent:
            pass
    else:
        await sent


async def press_twice(state: Any, event: str, form: dict[str, Any]) -> None:
    """Before the answer arrives: both times the form is the one of the screen."""
    shown = form | {"form_key": str(state.form_key)}
    await send(state, event, shown)
    await send(state, event, dict(shown))


async def press_twice_on(state_class: Any, event: str, sent: dict[str, Any], **shown: Any) -> str:
    """The title of the last toast."""
    root = State()
    state = await root.get_state(state_class)
    for name, value in shown.items():
        setattr(state, name, value)
    await press_twice(state, event, sent)
    return str((await root.get_state(SignalState)).title)


def count(engine: Engine, table: Any, *where: Any) -> int:
    with Session(engine) as session:
        return int(session.execute(select(func.count()).select_from(table).where(*where)).scalar_one())


async def enter_from_paper(run_id: int, press: Callable[[Any], Awaitable[None]]) -> str:
    """The number of the stop that the dialog asks about after `press`, such as `2.`; empty if it has closed."""
    state = await State().get_state(AdminPaperState)
    state.run_id = run_id
    await state._show_next()
    await press(state)
    return str(state.title)[:2] if state.is_open else ""


@ON_SQLITE
def test_pressing_twice_enters_one_stop_from_paper(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product, zone: None, sign_in_as: SignInAs
) -> None:
    run_id, _ = a_run(session, cast, dora, fern)
    sign_in_as(cast.ada)
    assert asyncio.run(enter_from_paper(run_id, lambda state: press_twice(state, "save", NOT_HOME))) == "2."
    with Session(engine) as fresh:
        stops = fresh.execute(select(RunStop.outcome).order_by(RunStop.position)).scalars().all()  # type: ignore[call-overload]
    assert [outcome is None for outcome in stops] == [False, True]


@ON_SQLITE
def test_a_stop_that_was_not_on_the_screen_is_not_skipped(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product, zone: None, sign_in_as: SignInAs
) -> None:
    run_id, _ = a_run(session, cast, dora, fern)
    sign_in_as(cast.ada)

    async def skip(state: Any) -> None:
        shown = state.form_key
        await send(state, "skip", shown)
        await send(state, "skip", shown)

    assert asyncio.run(enter_from_paper(run_id, skip)) == "2."


@ON_SQLITE
def test_a_count_is_not_its_own_recount(
    engine: Engine, cast: Cast, shift_and_order: tuple[int, str], sign_in_as: SignInAs
) -> None:
    sign_in_as(cast.ada)

    async def shown() -> tuple[str, str]:
        state = await State().get_state(AdminShiftState)
        state.id = shift_and_order[0]
        await press_twice(state, "count", {"pieces_10000": "1"})
        return state.shift_state, state.failure

    assert asyncio.run(shown()) == ("recount", "")
    assert count(engine, ShiftCount) == 1


@ON_SQLITE
def test_a_refused_form_may_be_sent_again(
    engine: Engine, cast: Cast, shift_and_order: tuple[int, str], sign_in_as: SignInAs
) -> None:
    sign_in_as(cast.ada)

    async def keys() -> list[int]:
        state = await State().get_state(AdminShiftState)
        state.id, shown = shift_and_order[0], {"form_key": "0"}
        await send(state, "count", {"pieces_10000": "x"} | shown)
        refused = state.form_key
        await send(state, "count", {"pieces_10000": "1"} | shown)
        return [refused, state.form_key]

    assert asyncio.run(keys()) == [0, 1]
    assert count(engine, ShiftCount) == 1


@ON_SQLITE
@pytest.mark.parametrize("key", ["", "-1", "1", "zero", ["0", "0"], 0])
def test_a_form_with_another_key_is_not_taken(
    key: Any, engine: Engine, cast: Cast, shift_and_order: tuple[int, str], sign_in_as: SignInAs
) -> None:
    sign_in_as(cast.ada)

    async def try_it() -> None:
        state = await State().get_state(AdminShiftState)
        state.id = shift_and_order[0]
        await send(state, "count", {"pieces_10000": "1", "form_key": key})

    asyncio.run(try_it())
    assert count(engine, ShiftCount) == 0


@ON_SQLITE
def test_cash_is_moved_once(engine: Engine, cast: Cast, sign_in_as: SignInAs) -> None:
    correct(cast.ada, "desk", "500.00")
    before = count(engine, CashMovement)
    sign_in_as(cast.ada)
    form = {"kind": "drop", "amount": "10.00"}
    assert asyncio.run(press_twice_on(AdminCashFormsState, "move", form, form="move")) == "Cash moved"
    assert count(engine, CashMovement) == before + 1


@ON_SQLITE
def test_stock_is_adjusted_once(engine: Engine, cast: Cast, fern: Product, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.ada)
    form = {"change": "-2", "note": "Broken jar"}
    asyncio.run(press_twice_on(AdminStockState, "adjust", form, product_id=fern.id))
    assert count(engine, StockMovement, StockMovement.reason == StockReason.ADJUST) == 1


@ON_SQLITE
def test_a_reply_and_a_ticket_are_sent_once(engine: Engine, cast: Cast, sign_in_as: SignInAs) -> None:
    ticket = call(cast.alice, tickets.create, TicketForm(subject="Late", message="Where is the driver?"))
    before = count(engine, TicketMessage)
    sign_in_as(cast.alice)
    asyncio.run(press_twice_on(TicketState, "send", {"message": "Still nobody"}, id=ticket.id))
    assert count(engine, TicketMessage) == before + 1
    guests = {"subject": "Bag", "message": "It was torn", "customerEmail": "guest@example.org"}
    asyncio.run(press_twice_on(TicketFormState, "send", guests))
    assert count(engine, Ticket) == 2


@ON_SQLITE
def test_an_address_is_saved_once(engine: Engine, cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)
    form = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
    asyncio.run(press_twice_on(AddressesState, "save", form, is_open=True))
    assert count(engine, Address) == 1


def test_a_new_product_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    async def write(state: Any, _form: Any) -> Any:
        written.append(state.view)
        return type("Saved", (), {"id": 5})

    async def save_twice() -> None:
        state = await State().get_state(product.AdminProductState)
        state.view = product.NEW
        form = {"form_key": str(state.form_key)}
        for _ in range(2):
            await send(state, "save", dict(form))

    monkeypatch.setattr(product.AdminProductState, "_write", write)
    monkeypatch.setattr(product, "wire_of", lambda *_: {})
    monkeypatch.setattr(product, "parse", lambda *_: None)
    asyncio.run(save_twice())
    assert written == [product.NEW]


@pytest.mark.parametrize(
    ("module", "state_class", "event", "arguments"),
    [
        (order_form, order_form.AdminOrderFormState, "delete", ()),
        (user_form, user_form.AdminUserFormState, "delete", ()),
        (product_archive, product_archive.AdminProductArchiveState, "archive", ()),
        (zones, zones.AdminZonesState, "remove", ()),
        (rules, rules.AdminRulesState, "review", ()),
        (recall_form, recall_form.AdminRecallFormState, "recall", ()),
        (lab_report, lab_report.AdminLabReportState, "remove", ()),
        (orders_bulk, orders_bulk.AdminOrdersBulkState, "apply", ()),
        (order_batches, order_batches.AdminOrderBatchState, "save", ()),
        (dispatch, dispatch.AdminDispatchState, "put_on", ("7",)),
        (invitation_file, invitation_file.AdminInvitationFileState, "send", ("",)),
        (searches, searches.AdminSearchState, "save", ({"edit_term": "joint", "edit_replacement": "pre-roll"},)),
        (referrals, referrals.ReferralsState, "apply", ({"referralCode": "FRIEND2024"},)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_longer_asked_is_not_done(
    module: ModuleType, state_class: Any, event: str, arguments: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first press has closed the question, so the second would say that it failed."""
    written: list[Any] = []

    async def write(_state: Any, service: Any, *_: Any, **__: Any) -> Any:
        written.append(service)
        raise InvalidInput({"id": "It is gone."})

    async def said() -> str:
        root = State()
        state = await root.get_state(state_class)
        if isinstance(state, recall_form.AdminRecallFormState):  # it still knows what it asked about
            state._batch_id, state._reason = 1, "Mould"
        await send(state, event, *arguments)
        return str((await root.get_state(SignalState)).title)

    monkeypatch.setattr(module, "write", write)
    assert asyncio.run(said()) == ""
    assert written == []
