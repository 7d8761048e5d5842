"""One ticket in its dialog: its triage, the conversation, replying, and what staff may set."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages
from marketplace_app.config import get_settings
from marketplace_app.display.labels import PRIORITY_HUES, TICKET_CATEGORY_LABELS, TICKET_HUES, label_of
from marketplace_app.errors import InvalidInput
from marketplace_app.limits import SHORT_ID_CHARACTERS
from marketplace_app.messages import Notice
from marketplace_app.models import SenderType, TicketStatus
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle, TextInput
from marketplace_app.schemas.tickets import ReplyForm, SupportParams, TicketDetailView, TicketEditForm, TicketFieldValue
from marketplace_app.services.support import tickets
from marketplace_app.states.events.base import SIGNED_IN, Events, Updates, action, query_of, read, toast, write
from marketplace_app.states.events.choices import chosen, visit
from marketplace_app.states.events.failures import Explain, On
from marketplace_app.states.events.viewer import ViewerState

REPLY_STATUSES = (TicketStatus.OPEN, TicketStatus.IN_PROGRESS)
"""The reply form is shown in these (RULE ticket-reply)."""


def params_of(state: rx.State) -> SupportParams:
    return query_of(state, SupportParams)


def path_of(params: SupportParams, **changes: Any) -> str:
    query = urlencode(params.model_copy(update=changes).parameters())
    return f"/support?{query}" if query else "/support"


@dataclass(frozen=True)
class MessageRow:
    key: str
    who: str
    at: str
    text: str
    is_own_side: bool
    """Written by the viewer's side of the conversation: the customer, or the staff."""


class ReplyFormData(TypedDict, total=False):
    form_key: str
    message: str


class TicketState(rx.State):
    view: str = "closed"
    """closed, loading, found or missing"""
    id: str = ""
    short_id: str = ""
    subject: str = ""
    created: str = ""
    customer: str = ""
    """For staff: the customer."""
    order_href: str = ""
    """The page of the order it is about, or empty."""
    status: str = ""
    status_label: str = ""
    status_hue: str = "grey"
    priority: str = ""
    priority_label: str = ""
    priority_hue: str = "grey"
    category: str = ""
    category_label: str = ""
    estimated_resolution: str = ""
    triage_words: str = ""
    """The words that decided the triage, in quotes."""
    tags: list[str] = []
    conversation: list[MessageRow] = []
    can_reply: bool = False
    can_reopen: bool = False
    """It is resolved and the viewer's own, so that a reply would reopen it."""
    has_text: bool = False
    is_sending: bool = False
    error: str = ""
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number rebuilds the reply form empty."""

    @action(who=SIGNED_IN)
    async def set_open(self, is_open: bool) -> Events:
        """The dialog was closed: take the ticket out of the URL."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self._close()
            return await visit(self, path_of(await chosen(self, SupportParams), ticket=""), replace=True)
        return None

    async def _show_error(self, error: InvalidInput) -> None:
        self.error = error.message

    @action(who=SIGNED_IN, on_failure=(On(InvalidInput, _show_error), Explain(messages.ERROR)))
    async def type_reply(self, text: str) -> None:
        """While the user types: the button is enabled when there is something to send."""
        has_text = parse(TextInput, {"text": text}).text.strip() != ""
        if has_text != self.has_text:
            self.has_text = has_text

    @action(
        who=SIGNED_IN,
        must_sign_in=True,
        on_failure=(On(InvalidInput, _show_error), Explain(messages.ERROR, messages.REPLY_FAILED)),
    )
    async def send(self, form: ReplyFormData) -> Updates:
        """Submit of the reply form."""
        reply = parse(ReplyForm, {"message": form.get("message", "")})
        self.is_sending, self.error = True, ""
        yield None
        try:
            view = await write(self, tickets.reply, self.id, reply)
        finally:
            self.is_sending = False
        self.has_text = False
        await self._show(view)

    @action(who=SIGNED_IN)
    async def reopen(self) -> None:
        """'Still not solved?': show the reply form again; sending a reply reopens the ticket."""
        self.can_reply, self.can_reopen = True, False

    @action(who=SIGNED_IN, on_failure=Explain(messages.ERROR, messages.TICKET_NOT_UPDATED))
    async def change(self, name: str, value: str) -> None:
        """Staff set the status, priority or category."""
        choice = parse(TicketFieldValue, {"name": name, "value": value})
        view = await write(self, tickets.edit, self.id, parse(TicketEditForm, {choice.name: choice.value}))
        await self._show(view)
        await toast(self, "success", Notice("Ticket updated"))

    def _close(self) -> None:
        self.view, self.id, self.conversation = "closed", "", []
        self.has_text, self.error, self.form_key = False, "", self.form_key + 1

    def _open(self, ticket_id: str) -> None:
        """Open the dialog for a ticket that is yet to load; without an id, close it."""
        if not ticket_id:
            self._close()
        elif ticket_id != self.id or self.view != "found":
            self._close()
            self.view = "loading"

    async def _load(self, ticket_id: str) -> None:
        await self._show(await read(self, tickets.get, ticket_id))

    async def _show(self, ticket: TicketDetailView) -> None:
        viewer = await self.get_state(ViewerState)
        is_staff, is_own = viewer.is_staff, ticket.user_id is not None and str(ticket.user_id) == viewer._user_id
        is_reopening = self.id == ticket.id and self.can_reply and self.status == TicketStatus.RESOLVED
        settings = get_settings()
        self.id, self.short_id, self.subject = ticket.id, ticket.id[:SHORT_ID_CHARACTERS], ticket.subject
        self.created = clock.show_date(ticket.created_at, settings.timezone)
        customer = " · ".join(filter(None, (ticket.customer_name, ticket.customer_email)))
        self.customer = (customer if ticket.user_id else f"{customer} (guest)") if is_staff else ""
        page = "/admin/orders" if is_staff else "/orders"
        self.order_href = f"{page}/{ticket.order_id}" if ticket.order_id else ""
        self.status, self.status_label = ticket.status.value, label_of(ticket.status)
        self.priority, self.priority_label = ticket.priority.value, label_of(ticket.priority)
        self.category, self.category_label = ticket.category.value, TICKET_CATEGORY_LABELS[ticket.category]
        self.status_hue, self.priority_hue = TICKET_HUES[ticket.status], PRIORITY_HUES[ticket.priority]
        estimate, words = ticket.ai_analysis.estimated_resolution, ticket.ai_analysis.words
        self.estimated_resolution = estimate if is_staff else _when_answered(estimate)
        self.triage_words = ", ".join(f"“{each}”" for each in words) if is_staff else ""
        self.tags = list(ticket.tags)
        self.conversation = _conversation(ticket, as_staff=is_staff and not is_own)
        self.can_reopen = ticket.status is TicketStatus.RESOLVED and is_own and not is_reopening
        self.can_reply = ticket.status in REPLY_STATUSES or is_reopening
        if not self.can_reply:  # the form leaves the page, and comes back empty
            self.has_text, self.error = False, ""
        self.view = "found"


def _when_answered(estimate: str) -> str:
    """For customers: `1-2 hours` becomes `We answer within 1-2 hours`."""
    if estimate.startswith("Immediately"):
        return f"We answer right away{estimate.removeprefix('Immediately')}"
    return f"We answer within {estimate.removeprefix('Within ')}"


def _conversation(ticket: TicketDetailView, *, as_staff: bool) -> list[MessageRow]:
    settings = get_settings()
    names = {
        SenderType.CUSTOMER: ticket.customer_name or ticket.customer_email,
        SenderType.ADMIN: f"{settings.store_name} support",
    }
    own_side = SenderType.ADMIN if as_staff else SenderType.CUSTOMER
    opening = [(ticket.id, SenderType.CUSTOMER, ticket.message, ticket.created_at)]
    replies = [(each.id, each.sender_type, each.message, each.created_at) for each in ticket.messages]
    return [
        MessageRow(key, names[sender], clock.show_time(at, settings.timezone), text, sender is own_side)
        for key, sender, text, at in opening + replies
    ]
