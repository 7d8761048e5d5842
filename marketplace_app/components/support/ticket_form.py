"""'Create Support Ticket': the button and its dialog, for members and guests."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import close_button, closes_dialog, dialog, dialog_title
from marketplace_app.components.controls.fields import form_key_field, select_field, text_area, text_field
from marketplace_app.display.labels import TICKET_CATEGORY_LABELS
from marketplace_app.limits import MAX_EMAIL, MAX_GUEST_NAME, MAX_TICKET_MESSAGE, MAX_TICKET_SUBJECT
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.support.ticket_form import TicketFormState

_CATEGORIES = [
    ("", "Not sure, choose for me"),
    *[(category.value, label) for category, label in TICKET_CATEGORY_LABELS.items()],
]


def _error(name: str) -> rx.Var[str]:
    return TicketFormState.errors.get(name, "")


def _guest_fields() -> rx.Component:
    return rx.el.div(
        text_field(
            "Email *",
            "customerEmail",
            _error("customerEmail"),
            type="email",
            required=True,
            auto_complete="email",
            max_length=MAX_EMAIL,
        ),
        text_field(
            "Name (optional)", "customerName", _error("customerName"), auto_complete="name", max_length=MAX_GUEST_NAME
        ),
        class_name="grid gap-4 md:grid-cols-2",
    )


@dataclass(frozen=True)
class AboutOrder:
    """The order that the ticket is about."""

    id: rx.Var[str]
    title: rx.Var[str]
    """`Order 4821`: the initial subject."""


def _fields(about: AboutOrder | None) -> rx.Component:
    initial: dict[str, Any] = {"default_value": about.title} if about else {}
    return rx.el.div(
        rx.el.input(type="hidden", name="orderId", value=about.id) if about else rx.fragment(),
        rx.cond(ViewerState.is_signed_in, rx.fragment(), _guest_fields()),
        text_field(
            "Subject",
            "subject",
            _error("subject"),
            required=True,
            max_length=MAX_TICKET_SUBJECT,
            auto_complete="off",
            **initial,
        ),
        text_area("Message", "message", _error("message"), rows=6, required=True, max_length=MAX_TICKET_MESSAGE),
        select_field("Category", "category", _CATEGORIES, _error("category")),
        class_name="grid gap-4 overflow-auto px-5 py-5 md:px-7",
    )


def ticket_form(opener: rx.Component | None = None, about: AboutOrder | None = None) -> rx.Component:
    """`opener` is the button that opens the dialog."""
    head = rx.el.div(
        dialog_title("Create Support Ticket", class_name="text-h2 md:text-title"),
        close_button(),
        class_name="flex flex-none items-center justify-between border-b border-line py-3 pr-2 pl-5 md:pl-7",
    )
    foot = rx.el.div(
        closes_dialog(button("Cancel", variant="outline")),
        pending_button("Create Ticket", "Creating...", TicketFormState.is_sending, type="submit"),
        class_name="flex flex-none flex-wrap justify-end gap-2.5 border-t border-line px-5 pt-4 pb-5 md:px-7",
    )
    return dialog(
        head,
        rx.el.form(
            _fields(about),
            foot,
            form_key_field(TicketFormState.form_key),
            on_submit=TicketFormState.send,
            no_validate=True,
            class_name="flex min-h-0 flex-col",
        ),
        trigger=opener or button("Create Support Ticket"),
        shape="wide",
        open=TicketFormState.is_open,
        on_open_change=TicketFormState.set_open,
    )
