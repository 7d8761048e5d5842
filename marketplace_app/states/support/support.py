"""`/support`: the list of tickets, which are the user's own or, for staff, those of everybody."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display.labels import PRIORITY_HUES, TICKET_CATEGORY_LABELS, TICKET_HUES, label_of
from marketplace_app.display.paging import Paging, counted
from marketplace_app.errors import NotFound
from marketplace_app.limits import SHORT_ID_CHARACTERS, TICKETS_PAGE_SIZE
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import PageNumber
from marketplace_app.schemas.tickets import SupportParams, TicketFieldValue, TicketView
from marketplace_app.services.support import tickets
from marketplace_app.states.events.base import ANYONE, SIGNED_IN, Events, Updates, action, read, sign_in_path
from marketplace_app.states.events.choices import chosen, visit
from marketplace_app.states.events.failures import Instead, ShowPageFailed
from marketplace_app.states.events.subscriptions import subscribe, subscribe_to_own
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.support.ticket import TicketState, params_of, path_of


@dataclass(frozen=True)
class TicketRow:
    id: str
    href: str
    subject: str
    subtitle: str
    """`4c81d0e2 · Nov 20, 2026 · Delivery & Shipping`"""
    status_label: str
    status_hue: str
    priority_label: str
    priority_hue: str


class SupportState(rx.State):
    is_loading: bool = True
    tickets: list[TicketRow] = []
    count_label: str = ""
    """For staff: `12 tickets`"""
    page: int = 1
    pages: int = 1
    status: str = ""
    priority: str = ""
    category: str = ""
    is_filtered: bool = False
    sign_in_href: str = "/api/login?return_to=/support"
    """For guests: the sign-in, which leads back to this URL."""

    async def _show_ticket_missing(self, error: NotFound) -> None:
        (await self.get_state(TicketState)).view = "missing"

    @action(who=ANYONE, on_failure=(Instead(NotFound, _show_ticket_missing), ShowPageFailed()))
    async def load(self) -> Updates:
        """on_load: the URL says which page, which filters and which ticket."""
        viewer = await self.get_state(ViewerState)
        if not viewer.is_signed_in:
            self.sign_in_href = sign_in_path(self)
            return
        params, dialog = params_of(self), await self.get_state(TicketState)
        dialog._open(params.ticket)
        yield None
        if viewer.is_staff:
            subscribe(self, live.STAFF)
        else:
            subscribe_to_own(self)
        await self._fetch(params)
        if params.ticket:
            await dialog._load(params.ticket)

    @action(who=SIGNED_IN)
    async def go_to(self, page: int) -> Events:
        """Show the page at once, then put it into the URL."""
        number = parse(PageNumber, {"page": page})
        params = (await chosen(self, SupportParams)).model_copy(update={"page": number.page})
        await self._fetch(params)
        return await visit(self, path_of(params))

    @action(who=SIGNED_IN)
    async def filter_by(self, name: str, value: str) -> Events:
        """A filter for staff: put it into the URL, so that Back works and a view can be shared."""
        choice = parse(TicketFieldValue, {"name": name, "value": value})
        changed = (await chosen(self, SupportParams)).parameters() | {
            choice.name: choice.value,
            "page": 1,
            "ticket": "",
        }
        params = parse(SupportParams, {key: given for key, given in changed.items() if given})
        return await visit(self, path_of(params))

    async def _refresh(self) -> None:
        """One of this user's tickets, or for staff any ticket, changed elsewhere."""
        params, dialog = params_of(self), await self.get_state(TicketState)
        await self._fetch(params)
        if dialog.id and dialog.id == params.ticket:
            try:
                await dialog._load(dialog.id)
            except NotFound:  # the customer's account was erased meanwhile
                dialog.view = "missing"

    async def _fetch(self, params: SupportParams) -> None:
        is_staff, query = (await self.get_state(ViewerState)).is_staff, params.query()
        if is_staff:
            total, listed = await read(self, tickets.list_all, query)
        else:
            total, listed = await read(self, tickets.list_own, limit=query.limit, offset=query.offset)
        self.pages = Paging(params.page, TICKETS_PAGE_SIZE, total).pages
        if params.page > self.pages:
            await self._fetch(params.model_copy(update={"page": self.pages}))
            return
        self.tickets = [_row(ticket, params, is_staff) for ticket in listed]
        self.count_label = counted(total, "ticket")
        self.page = params.page
        self.status, self.priority, self.category = (
            str(each or "") for each in (params.status, params.priority, params.category)
        )
        self.is_filtered = is_staff and bool(self.status or self.priority or self.category)
        self.is_loading = False


def _row(ticket: TicketView, params: SupportParams, is_staff: bool) -> TicketRow:
    created = clock.show_date(ticket.created_at, get_settings().timezone)
    who = [ticket.customer_name or ticket.customer_email] if is_staff else []
    return TicketRow(
        id=ticket.id,
        href=path_of(params, ticket=ticket.id),
        subject=ticket.subject,
        subtitle=" · ".join([ticket.id[:SHORT_ID_CHARACTERS], created, TICKET_CATEGORY_LABELS[ticket.category], *who]),
        status_label=label_of(ticket.status),
        status_hue=TICKET_HUES[ticket.status],
        priority_label=label_of(ticket.priority),
        priority_hue=PRIORITY_HUES[ticket.priority],
    )
