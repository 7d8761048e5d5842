"""Which tab of the dashboard is loaded, and the counts beside the tabs (RULE admin-navigation)."""

import asyncio
from typing import Any

import pytest

from marketplace_app.models import Product
from marketplace_app.states.admin.dashboard import DashboardState
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.admin.users.users import AdminUsersState
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import place
from tests.services.dispatch.conftest import fern
from tests.states.admin.conftest import Tab
from tests.states.tabs import show_url

__all__ = ["fern"]


def load(tab: Tab, url: str, *, event: str = "load", is_staff: bool = True) -> Any:
    show_url(tab.root, url)
    tab.state(ViewerState).is_staff = is_staff
    state = tab.state(DashboardState)
    tab.send(state, event)
    return state


@ON_SQLITE
@pytest.mark.parametrize(
    ("tab_name", "loaded"),
    [("orders", [True, False]), ("users", [False, True]), ("support", [False, False]), ("nonsense", [False, False])],
)
def test_only_the_tab_that_the_url_names_is_loaded(tab_name: str, loaded: list[bool], tab: Tab) -> None:
    state = load(tab, f"/admin?tab={tab_name}")
    assert state.tab == (tab_name if tab_name != "nonsense" else "overview")
    assert [not tab.state(each).is_loading for each in (AdminOrdersState, AdminUsersState)] == loaded


@ON_SQLITE
def test_an_order_is_counted_on_every_admin_page_and_listed_on_the_orders_tab(
    tab: Tab, cast: Cast, fern: Product
) -> None:
    state, listed = load(tab, "/admin?tab=orders"), tab.state(AdminOrdersState)
    load(tab, "/admin/audit", event="load_counts")
    place(cast.alice, fern)
    asyncio.run(state._refresh())
    assert (state.pending_orders, listed.orders) == (1, [])
    load(tab, "/admin?tab=orders")
    place(cast.bob, fern)
    asyncio.run(state._refresh())
    assert (state.pending_orders, len(listed.orders)) == (2, 2)


@ON_SQLITE
@pytest.mark.parametrize(("url", "event"), [("/admin?tab=orders", "load"), ("/admin/audit", "load_counts")])
def test_whoever_is_not_staff_gets_no_counts_and_no_error(
    url: str, event: str, tab: Tab, cast: Cast, fern: Product
) -> None:
    tab.sign_in(cast.alice)
    place(cast.alice, fern)
    state = load(tab, url, event=event, is_staff=False)
    assert (state.pending_orders, state.last_order_number, tab.toast[0]) == (0, -1, "")
