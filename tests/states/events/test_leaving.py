"""A dialog that was left open, as by Back on a phone, is closed on the next page, and only then."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from reflex.istate.data import RouterData
from reflex.state import State
from reflex_base.constants import CompileVars

from marketplace_app.framework.events import Event, hydrate_event_name, reset_all
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.account.addresses import AddressesState
from marketplace_app.states.admin import dashboard
from marketplace_app.states.admin.dashboard import DashboardState
from marketplace_app.states.admin.dispatch.run_paper import AdminPaperState
from marketplace_app.states.admin.jurisdictions.rules import AdminRulesState
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.buying import order
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.buying.order_time import OrderTimeState
from marketplace_app.states.events import guard
from marketplace_app.states.events.leaving import _states_that_leave
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.support.support import SupportState
from marketplace_app.states.support.ticket import TicketState
from marketplace_app.states.support.ticket_form import TicketFormState

LOADED, RECONNECTED = {"hashes": []}, dict[str, Any]()
"""What a page sends with its hydrate event: `hashes` if it was just loaded, nothing after a reconnect."""
SETTINGS, ORDERS = "/account?tab=settings", "/account?tab=orders"
ADMIN_ORDERS, ADMIN_USERS = "/admin?tab=orders", "/admin?tab=users"
PAGES: dict[str, tuple[Any, str]] = {
    "/orders": (OrderState, "load"),
    "/support": (SupportState, "load"),
    "/account": (AccountState, "load"),
    "/admin/": (DashboardState, "load_counts"),
    "/admin?": (DashboardState, "load"),
}
DIALOGS: dict[str, Any] = {
    "/orders": OrderTimeState,
    "/support": TicketFormState,
    "/account": AddressesState,
    "/admin": AdminPaperState,
}
EACH_DIALOG = ["/orders/a", "/support", SETTINGS, "/admin/dispatch/1", ADMIN_ORDERS]


async def nothing(*_: object, **_options: object) -> None:
    pass


@pytest.fixture(autouse=True)
def pages_without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OrderState, "_fetch", nothing)
    monkeypatch.setattr(order, "route_argument", lambda *_: "")
    monkeypatch.setattr(AccountState, "_show_tab", nothing)
    monkeypatch.setattr(DashboardState, "_refresh", nothing)
    monkeypatch.setattr(DashboardState, "_count", nothing)
    monkeypatch.setattr(dashboard, "subscribe", lambda *_: None)


async def new_tab(path: str) -> State:
    """A tab of staff, or of a user, in which this page was loaded."""
    root = State()
    await enter(root, path, LOADED)
    await guard._identify(root, None)
    (await root.get_state(ViewerState)).is_staff = path.startswith("/admin")
    await load(root, path)
    return root


async def enter(root: State, path: str, connection: dict[str, Any] | None = None) -> None:
    """What the guard sees before the page's `load`."""
    root.router = RouterData.from_router_data({"asPath": path, "headers": {"origin": "http://a"}})
    if connection is not None:
        await hydrate(root, connection)
    event = Event(name=CompileVars.ON_LOAD_INTERNAL, payload={})
    await guard._track_navigation(root, event, None, is_initial=False)


async def hydrate(root: State, connection: dict[str, Any]) -> None:
    event = Event(name=hydrate_event_name(), payload=connection)
    await guard._track_navigation(root, event, None, is_initial=await guard._identify(root, None))


async def load(root: State, path: str) -> None:
    for prefix, (state_class, handler) in PAGES.items():
        if path.startswith(prefix):
            loading = state_class.event_handlers[handler].fn(await root.get_state(state_class))
            if hasattr(loading, "__aiter__"):
                async for _ in loading:
                    pass
            else:
                await loading


async def dialog_of(root: State, path: str) -> Any:
    return await root.get_state(next(each for prefix, each in DIALOGS.items() if path.startswith(prefix)))


async def press(root: State, path: str) -> Any:
    """Open the dialog of the page."""
    dialog = await dialog_of(root, path)
    if isinstance(dialog, AddressesState):
        await AddressesState.event_handlers["add"].fn(dialog)
    elif isinstance(dialog, TicketFormState):
        await TicketFormState.event_handlers["set_open"].fn(dialog, True)
    else:
        dialog.is_open = True
    return dialog


@pytest.mark.parametrize(
    ("path", "visits", "is_open"),
    [
        ("/orders/a", ["/orders/b"], False),
        ("/orders/a", ["/account", "/orders/a"], False),
        ("/orders/a", ["/support"], False),
        ("/support", ["/support?page=2"], True),
        (SETTINGS, [ORDERS, SETTINGS], False),
        (SETTINGS, ["/", SETTINGS], False),
        ("/admin/dispatch/1", ["/admin/dispatch/1/sheet", "/admin/dispatch/1"], False),
        ("/admin/products", ["/admin/products?page=2"], True),
        (ADMIN_ORDERS, ["/admin/dispatch"], False),
        (ADMIN_ORDERS, [ADMIN_USERS], False),
        (ADMIN_ORDERS, [f"{ADMIN_ORDERS}&search=a"], True),
    ],
)
def test_a_dialog_that_was_left_open_is_not_open_on_the_next_page(
    path: str, visits: Sequence[str], is_open: bool
) -> None:
    async def run() -> bool:
        root = await new_tab(path)
        dialog = await press(root, path)
        for each in visits:
            await enter(root, each)
            await load(root, each)
        return bool(dialog.is_open)

    assert asyncio.run(run()) is is_open


@pytest.mark.parametrize("path", EACH_DIALOG)
@pytest.mark.parametrize(("connection", "is_open"), [(RECONNECTED, True), (LOADED, False)], ids=["reconnect", "reload"])
def test_only_a_reconnect_keeps_a_dialog_open(path: str, connection: dict[str, Any], is_open: bool) -> None:
    async def run() -> bool:
        root = await new_tab(path)
        dialog = await press(root, path)
        await enter(root, path, connection)
        await load(root, path)
        return bool(dialog.is_open)

    assert asyncio.run(run()) is is_open


@pytest.mark.parametrize("path", EACH_DIALOG)
def test_a_press_before_the_pages_code_has_run_keeps_its_dialog_open(path: str) -> None:
    """It is repeated once the code runs, which may be before the page tells its URL."""

    async def run() -> bool:
        root = State()
        await hydrate(root, LOADED)
        dialog = await press(root, path)
        await enter(root, path)
        await load(root, path)
        return bool(dialog.is_open)

    assert asyncio.run(run())


@pytest.mark.parametrize("path", EACH_DIALOG)
def test_a_press_that_overtakes_the_load_of_its_page_keeps_its_dialog_open(path: str) -> None:
    async def run() -> bool:
        root = await new_tab("/" if path.startswith("/admin") else "/admin/dispatch")
        (await root.get_state(ViewerState)).is_staff = path.startswith("/admin")
        await enter(root, path)
        dialog = await press(root, path)
        await load(root, path)
        return bool(dialog.is_open)

    assert asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "connection", "heading"),
    [
        ("/?search=fern", LOADED, "All Products"),
        ("/?search=fern", RECONNECTED, "Vapes Products"),
        ("/about", RECONNECTED, "Vapes Products"),
    ],
    ids=["loaded", "reconnected", "reconnected elsewhere"],
)
def test_only_a_page_that_was_loaded_shows_nothing_that_the_tab_showed_before(
    url: str, connection: dict[str, Any], heading: str
) -> None:
    async def run() -> str:
        root = await new_tab("/?category=Vapes")
        catalogue = await root.get_state(CatalogueState)
        catalogue.heading = "Vapes Products"
        await enter(root, url, connection)
        return str(catalogue.heading)

    assert asyncio.run(run()) == heading


def test_a_page_that_was_loaded_shows_nothing_from_before_a_sign_out_either() -> None:
    """Which has reset the tab, so that it no longer knows its page."""

    async def run() -> str:
        root = await new_tab("/")
        await reset_all(root)
        await guard._identify(root, None)
        catalogue = await root.get_state(CatalogueState)
        catalogue.heading = "Vapes Products"
        await enter(root, "/?search=fern", LOADED)
        return str(catalogue.heading)

    assert asyncio.run(run()) == "All Products"


def test_the_next_page_has_no_selected_orders_and_no_opened_rules() -> None:
    async def run() -> tuple[int, int]:
        root = await new_tab(ADMIN_ORDERS)
        orders, rules = await root.get_state(AdminOrdersState), await root.get_state(AdminRulesState)
        orders._set_selected({"a"})
        rules.opened = 1
        await enter(root, "/admin/dispatch")
        return orders.selected_count, rules.opened

    assert asyncio.run(run()) == (0, 0)


def test_every_state_with_a_dialog_closes_it() -> None:
    """The browser closes a dialog by `set_open`, so a state with that handler has one. A ticket's is in the URL."""
    with_dialog = {
        state
        for state in State.get_substates()
        if state.__module__.startswith("marketplace_app.") and "set_open" in state.event_handlers
    }
    assert with_dialog
    assert with_dialog - set(_states_that_leave()) == {TicketState}


def test_leaving_a_page_assigns_nothing_where_no_dialog_is_open() -> None:
    """What is assigned is sent, and every tab of every shopper leaves pages."""

    async def run() -> dict[str, Any]:
        root = State()
        root._clean()
        for each in _states_that_leave():
            (await root.get_state(each))._leave_page()  # type: ignore[attr-defined]
        return root.get_delta()

    assert asyncio.run(run()) == {}
