"""The admin dashboard: its open tab, and the counts of pending work. Each tab but support has its own state."""

from typing import Protocol, cast

import reflex as rx

from marketplace_app.adapters import live
from marketplace_app.schemas.admin.dashboard import DashboardParams
from marketplace_app.services.admin import dashboard
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.admin.overview import AdminOverviewState
from marketplace_app.states.admin.users.users import AdminUsersState
from marketplace_app.states.events.base import ANYONE, Updates, action, query_of, read
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.leaving import leave_page
from marketplace_app.states.events.subscriptions import subscribe
from marketplace_app.states.events.viewer import ViewerState


class Panel(Protocol):
    """The state of a tab: loads what the URL asks for, and reloads when something changed elsewhere."""

    async def _load(self) -> None: ...


PANELS: dict[str, type[rx.State]] = {
    "overview": AdminOverviewState,
    "orders": AdminOrdersState,
    "users": AdminUsersState,
    "invitations": AdminInvitationsState,
}
"""The support tab only links to `/support`, so it has no state."""


class DashboardState(rx.State):
    tab: str = "overview"
    """overview, orders, users, invitations or support"""
    pending_orders: int = 0
    open_invitations: int = 0
    open_tickets: int = 0
    last_order_number: int = -1
    """The highest order number; -1 until known. `assets/admin.js` observes it."""
    _is_other_page: bool = False
    """An admin page other than `/admin` is open: there is no tab to load."""
    _shown_tab: str = ""
    """The tab whose content was loaded last."""

    @action(who=ANYONE, on_failure=ShowPageFailed(has_tabs=True))
    async def load(self) -> Updates:
        """on_load of `/admin`: load the tab that the URL names. Users without access see a refusal."""
        before = self.tab
        self.tab, self._is_other_page = self._params().tab, False
        viewer = await self.get_state(ViewerState)
        if not viewer.is_staff:
            return
        if viewer._is_same_page and self.tab != before:
            await leave_page(self)
        yield None
        subscribe(self, live.STAFF)
        await self._refresh()

    @action(who=ANYONE)
    async def load_counts(self) -> None:
        """on_load of every other admin page: the counts beside the tabs."""
        self._is_other_page = True
        if (await self.get_state(ViewerState)).is_staff:
            subscribe(self, live.STAFF)
            await self._count()

    async def _refresh(self) -> None:
        """An order, a ticket or an invitation changed somewhere."""
        await self._count()
        if self._is_other_page:
            return
        if (state_class := PANELS.get(self.tab)) is not None:
            await cast(Panel, await self.get_state(state_class))._load()
        self._shown_tab = self.tab

    async def _count(self) -> None:
        counts = await read(self, dashboard.count_pending)
        self.pending_orders = counts.pending_orders
        self.last_order_number = counts.last_order_number
        self.open_invitations, self.open_tickets = counts.open_invitations, counts.open_tickets

    def _params(self) -> DashboardParams:
        return query_of(self, DashboardParams)
