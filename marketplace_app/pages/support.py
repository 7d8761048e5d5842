"""`/support`: the user's tickets, one of them in a dialog, and the form for a new one; for staff, all tickets."""

import reflex as rx

from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button_class
from marketplace_app.components.controls.fields import select
from marketplace_app.components.controls.links import back_link, document_link, link
from marketplace_app.components.controls.notices import empty_state, note
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.components.support.ticket_dialog import TICKET_OPTIONS, ticket_dialog
from marketplace_app.components.support.ticket_form import ticket_form
from marketplace_app.messages import NO_TICKETS
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.shop import ShopState
from marketplace_app.states.support.support import SupportState, TicketRow
from marketplace_app.states.support.ticket_form import TicketFormState


def _row(ticket: rx.Var[TicketRow]) -> rx.Component:
    subject = rx.el.span(
        rx.el.span(ticket.subject, class_name="block font-semibold wrap-anywhere"),
        rx.el.span(ticket.subtitle, class_name="block text-cap text-ink-3 tabular-nums wrap-anywhere"),
        class_name="min-w-0 flex-1 basis-60",
    )
    badges = rx.el.span(
        badge(ticket.priority_label, ticket.priority_hue),
        badge(ticket.status_label, ticket.status_hue),
        class_name="flex flex-none gap-2",
    )
    return rx.el.li(
        link(
            subject,
            badges,
            href=ticket.href,
            class_name=(
                "-mx-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-2 px-3 py-4 hover:bg-wash"
            ),
            custom_attrs={"preventScrollReset": True},
        ),
        key=ticket.id,
        class_name="border-b border-line",
    )


def _filter(label: str) -> rx.Component:
    name = label.lower()
    return rx.el.div(
        select(
            [("", f"{label}: all"), *TICKET_OPTIONS[label]],
            f"Filter by {name}",
            getattr(SupportState, name),
            lambda value: SupportState.filter_by(name, value),
        ),
        class_name="min-w-40 flex-1 sm:max-w-56",
    )


def _filters() -> rx.Component:
    return rx.cond(
        ViewerState.is_staff,
        rx.el.section(
            *[_filter(label) for label in TICKET_OPTIONS],
            rx.el.p(
                SupportState.count_label, role="status", class_name="text-small text-ink-2 tabular-nums sm:ml-auto"
            ),
            aria_label="Filters",
            class_name="mt-5 flex flex-wrap items-center gap-3",
        ),
    )


def _nothing() -> rx.Component:
    sentence = rx.cond(
        SupportState.is_filtered,
        "No tickets match these filters.",
        rx.cond(ViewerState.is_staff, "No tickets yet.", ShopState.texts.support_answers),
    )
    return empty_state(
        "support",
        rx.fragment(
            rx.el.span(NO_TICKETS, class_name="block font-serif text-h3 text-ink"),
            rx.el.span(sentence, class_name="mt-1 block text-ui"),
        ),
    )


def _list() -> rx.Component:
    skeleton = rx.el.div(*[skeleton_block("my-4 h-11 w-full") for _ in range(4)], aria_hidden="true")
    listed = rx.fragment(
        rx.el.ul(rx.foreach(SupportState.tickets, _row), aria_label="Support tickets"),
        pagination(SupportState.page, SupportState.pages, SupportState.go_to),
    )
    return rx.el.div(
        rx.cond(SupportState.is_loading, skeleton, rx.cond(SupportState.tickets.length() > 0, listed, _nothing())),
        class_name="mt-5 border-t border-line",
    )


def _guest() -> rx.Component:
    received = rx.cond(
        TicketFormState.receipt != "",
        note(rx.el.p(TicketFormState.receipt), symbol="check", variant="info", role="status"),
    )
    return rx.el.div(
        received,
        rx.el.section(
            rx.el.h2("Please Sign In", class_name="text-h2"),
            rx.el.p(
                "You need to sign in to see your tickets and our answers. You can also create a ticket without an "
                "account, and we will answer by email.",
                class_name="mt-2 max-w-text text-ink-2",
            ),
            rx.el.div(
                document_link(
                    "Sign In", href=SupportState.sign_in_href, class_name=button_class("outline", "md", wide=False)
                ),
                class_name="mt-5",
            ),
        ),
        class_name="mt-5 grid gap-7 border-t border-line pt-7",
    )


def support() -> rx.Component:
    head = rx.el.div(
        rx.el.h1("Support", class_name="text-h1"),
        ticket_form(),
        class_name="flex flex-wrap items-center justify-between gap-4",
    )
    return page(
        rx.el.div(
            rx.el.p(back_link("Home", href="/"), class_name="py-2.5"),
            head,
            rx.cond(
                ViewerState.is_known & ~ViewerState.is_signed_in,
                _guest(),
                unless_load_failed(_filters(), _list(), ticket_dialog()),
            ),
            class_name="shell min-h-svh pb-20",
        )
    )
