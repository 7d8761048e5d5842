"""The admin dashboard: its open tab, and the counts of pending work. Each tab has a state of its own."""

from typing import Protocol, cast

import reflex as rx

from marketplace_app.adapters import live
from marketplace_app.schemas.admin.dashboard import DashboardParams
from marketplace_app.services.admin import dashboard
from marketplace_app.states.admin.batches.batch_form import AdminBatchFormState
from marketplace_app.states.admin.batches.batch_steps import AdminBatchStepState
from marketplace_app.states.admin.batches.recall_form import AdminRecallFormState
from marketplace_app.states.admin.cash.cash_forms import AdminCashFormsState
from marketplace_app.states.admin.dispatch.dispatch_form import AdminRunFormState
from marketplace_app.states.admin.dispatch.dispatch_questions import AdminDispatchQuestionState
from marketplace_app.states.admin.dispatch.dispatch_release import AdminReleaseState
from marketplace_app.states.admin.dispatch.run_paper import AdminPaperState
from marketplace_app.states.admin.invitations.invitation_file import AdminInvitationFileState
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState
from marketplace_app.states.admin.orders.order_batches import AdminOrderBatchState
from marketplace_app.states.admin.orders.order_form import AdminOrderFormState
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.admin.orders.orders_bulk import AdminOrdersBulkState
from marketplace_app.states.admin.overview import AdminOverviewState
from marketplace_app.states.admin.products.product_archive import AdminProductArchiveState
from marketplace_app.states.admin.users.user_form import AdminUserFormState
from marketplace_app.states.admin.users.users import AdminUsersState
from marketplace_app.states.events.base import ANYONE, Updates, action, query_of, read
from marketplace_app.states.events.subscriptions import subscribe
from marketplace_app.states.events.viewer import ViewerState


class Panel(Protocol):
    """The state of a tab: loads what the URL asks for, and reloads when something changed elsewhere."""

    async def _load(self) -> None: ...


class Dialog(Protocol):
    """The state of a dialog that the server opens."""

    def _close(self) -> None: ...


PANELS: dict[str, type[rx.State]] = {
    "overview": AdminOverviewState,
    "orders": AdminOrdersState,
    "users": AdminUsersState,
    "invitations": AdminInvitationsState,
}
"""Support is a page of its own and needs no state here."""


DIALOGS: tuple[type[rx.State], ...] = (
    AdminBatchFormState,
    AdminBatchStepState,
    AdminCashFormsState,
    AdminDispatchQuestionState,
    AdminInvitationFileState,
    AdminOrderBatchState,
    AdminOrderFormState,
    AdminOrdersBulkState,
    AdminPaperState,
    AdminProductArchiveState,
    AdminRecallFormState,
    AdminReleaseState,
    AdminRunFormState,
    AdminUserFormState,
)
"""Closed when a page loads: a dialog left open on one page must not be open on the next. Rules, windows and zones close
theirs themselves.

Not closed by a reconnect, nor by another search, filter or page of the same list: a dialog may have been opened by the
time that the server answers.
"""


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

    @action(who=ANYONE)
    async def load(self) -> Updates:
        """on_load of `/admin`: load the tab that the URL names. Users without access see a refusal."""
        before = self.tab
        self.tab, self._is_other_page = self._params().tab, False
        viewer = await self.get_state(ViewerState)
        if not viewer.is_staff:
            return
        if not (viewer._is_same_page and self.tab == before):
            await self._start_anew(viewer)
        yield None
        subscribe(self, live.STAFF)
        await self._refresh()

    @action(who=ANYONE)
    async def load_counts(self) -> None:
        """on_load of every other admin page: the counts beside the tabs."""
        viewer = await self.get_state(ViewerState)
        if not viewer._is_same_page:
            await self._start_anew(viewer)
        self._is_other_page = True
        if viewer.is_staff:
            subscribe(self, live.STAFF)
            await self._count()

    async def _refresh(self) -> None:
        """An order, a ticket or an invitation changed somewhere."""
        await self._count()
        if self._is_other_page:
            return
        if (state_class := PANELS.get(self.tab)) is not None:
            await cast(Panel, await self.get_state(state_class))._load()

    async def _start_anew(self, viewer: ViewerState) -> None:
        """Another page or tab was opened: nothing on it is selected, and no dialog of the one before is open."""
        if viewer._has_reconnected:
            return
        (await self.get_state(AdminOrdersState))._forget_selection()
        for state_class in DIALOGS:
            cast(Dialog, await self.get_state(state_class))._close()

    async def _count(self) -> None:
        counts = await read(self, dashboard.count_pending)
        self.pending_orders = counts.pending_orders
        self.last_order_number = counts.last_order_number
        self.open_invitations, self.open_tickets = counts.open_invitations, counts.open_tickets

    def _params(self) -> DashboardParams:
        return query_of(self, DashboardParams)
