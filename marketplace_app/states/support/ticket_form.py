"""The dialog 'Create Support Ticket', for members and guests."""

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.display.labels import TICKET_CATEGORY_LABELS, label_of
from marketplace_app.errors import InvalidInput
from marketplace_app.limits import SHORT_ID_CHARACTERS
from marketplace_app.messages import Notice
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.tickets import CreatedTicketView, GuestTicketForm, TicketForm
from marketplace_app.services.support import tickets
from marketplace_app.states.events.base import ANYONE, Updates, action, toast, write
from marketplace_app.states.events.failures import Explain, On
from marketplace_app.states.events.rate import Rate, count_use
from marketplace_app.states.events.subscriptions import tab_user_id
from marketplace_app.states.events.viewer import ViewerState

FIELDS = ("subject", "message", "category", "orderId", "customerEmail", "customerName")
RATE = Rate("ticket_rate", "tickets", is_counted_by_handler=True)
_OPTIONAL = ("category", "orderId", "customerEmail", "customerName")


class TicketFormData(TypedDict, total=False):
    form_key: str
    subject: str
    message: str
    category: str
    orderId: str
    customerEmail: str
    customerName: str


class TicketFormState(rx.State):
    is_open: bool = False
    is_sending: bool = False
    errors: dict[str, str] = {}
    """Sentence per field name."""
    form_key: int = 0
    """The form's key (RULE sent-once)."""
    receipt: str = ""
    """For a guest, who has no list of tickets: what was received and where the answer goes."""

    @action(who=ANYONE)
    async def set_open(self, is_open: bool) -> None:
        self.is_open, self.errors = parse(OpenToggle, {"isOpen": is_open}).is_open, {}

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False

    async def _show_errors(self, error: InvalidInput) -> None:
        self.errors = {name: text for name, text in error.fields.items() if name in FIELDS}

    @action(
        who=ANYONE,
        on_failure=(On(InvalidInput, _show_errors), Explain(messages.ERROR, messages.TICKET_FAILED)),
        rate=RATE,
    )
    async def send(self, form: TicketFormData) -> Updates:
        """Submit. Missing fields are reported at once, without calling the service."""
        given = {name: form.get(name, "") for name in FIELDS if name not in _OPTIONAL or form.get(name)}
        user_id = (await self.get_state(ViewerState))._user_id
        parsed = parse(TicketForm if user_id else GuestTicketForm, given)
        self.is_sending, self.errors = True, {}
        yield None
        try:
            await count_use(self, RATE, tab_user_id(self))
            ticket = await write(self, tickets.create, parsed)
        finally:
            self.is_sending = False
        self.is_open = False
        await toast(self, "success", _created(ticket))
        if ticket.user_id is None:
            self.receipt = (
                f"We have your ticket {ticket.id[:SHORT_ID_CHARACTERS]}. Estimated resolution: "
                f"{ticket.analysis.estimated_resolution}. We will send our answer to {ticket.customer_email}."
            )
        else:
            yield rx.redirect(f"/support?ticket={ticket.id}")


def _created(ticket: CreatedTicketView) -> Notice:
    analysis = ticket.analysis
    return Notice(
        "Support Ticket Created",
        f"{TICKET_CATEGORY_LABELS[analysis.category]}, {label_of(analysis.priority).lower()} priority. "
        f"Estimated resolution: {analysis.estimated_resolution}.",
    )
