"""A dialog that is open when its page is left, such as with Back on a phone, is closed on the next page that has it."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from reflex.istate.data import RouterData
from reflex.state import State
from reflex_base.constants import CompileVars

from marketplace_app.framework.events import Event, hydrate_event_name
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.account.addresses import AddressesState
from marketplace_app.states.buying import order
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.events import guard
from marketplace_app.states.support.support import SupportState
from marketplace_app.states.support.ticket_form import TicketFormState

LOADED, RECONNECTED = {"hashes": []}, dict[str, Any]()
"""What a page sends with its hydrate event: `hashes` if it was just loaded, nothing after a reconnect."""
SETTINGS, ORDERS = "/account?tab=settings", "/account?tab=orders"
PAGES = {"/orders": OrderState, "/support": SupportState, "/account": AccountState}


async def nothing(*_: object, **_options: object) -> None:
    pass


@pytest.fixture(autouse=True)
def pages_without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OrderState, "_fetch", nothing)
    monkeypatch.setattr(order, "route_argument", lambda *_: "")
    monkeypatch.setattr(AccountState, "_show_tab", nothing)


async def enter(root: State, path: str, connection: dict[str, Any] | None = None) -> None:
    """What the guard sees before the page's `load`."""
    root.router = RouterData.from_router_data({"asPath": path, "headers": {"origin": "http://a"}})
    if connection is not None:
        await guard._track_navigation(root, Event(name=hydrate_event_name(), payload=connection))
    await guard._track_navigation(root, Event(name=CompileVars.ON_LOAD_INTERNAL, payload={}))


async def load(root: State, path: str) -> None:
    for prefix, page in PAGES.items():
        if path.startswith(prefix):
            async for _ in page.event_handlers["load"].fn(await root.get_state(page)):
                pass


async def press(root: State, path: str) -> TicketFormState | AddressesState:
    """Open the dialog of the page."""
    if path.startswith("/account"):
        book = await root.get_state(AddressesState)
        await AddressesState.event_handlers["add"].fn(book)
        return book
    form = await root.get_state(TicketFormState)
    await TicketFormState.event_handlers["set_open"].fn(form, True)
    return form


@pytest.mark.parametrize(
    ("path", "visits", "is_open"),
    [
        ("/orders/a", ["/orders/b"], False),
        ("/orders/a", ["/account", "/orders/a"], False),
        ("/orders/a", ["/support"], False),
        ("/support", ["/support?page=2"], True),
        (SETTINGS, [ORDERS, SETTINGS], False),
        (SETTINGS, ["/", SETTINGS], False),
    ],
)
def test_a_dialog_that_was_left_open_is_not_open_on_the_next_page(
    path: str, visits: Sequence[str], is_open: bool
) -> None:
    async def run() -> bool:
        root = State()
        await enter(root, path, LOADED)
        await load(root, path)
        dialog = await press(root, path)
        for each in visits:
            await enter(root, each)
            await load(root, each)
        return bool(dialog.is_open)

    assert asyncio.run(run()) is is_open


@pytest.mark.parametrize("path", ["/orders/a", "/support", SETTINGS])
@pytest.mark.parametrize(("connection", "is_open"), [(RECONNECTED, True), (LOADED, False)], ids=["reconnect", "reload"])
def test_only_a_reconnect_keeps_a_dialog_open(path: str, connection: dict[str, Any], is_open: bool) -> None:
    async def run() -> bool:
        root = State()
        await enter(root, path, LOADED)
        dialog = await press(root, path)
        await enter(root, path, connection)
        await load(root, path)
        return bool(dialog.is_open)

    assert asyncio.run(run()) is is_open


@pytest.mark.parametrize("path", ["/orders/a", "/support", SETTINGS])
def test_a_press_that_arrives_before_the_page_has_loaded_keeps_its_dialog_open(path: str) -> None:
    """A press before the page's code has run is repeated once it has, which may be before its `load`."""

    async def run() -> bool:
        root = State()
        await guard._track_navigation(root, Event(name=hydrate_event_name(), payload=LOADED))
        dialog = await press(root, path)
        await enter(root, path)
        await load(root, path)
        return bool(dialog.is_open)

    assert asyncio.run(run())
