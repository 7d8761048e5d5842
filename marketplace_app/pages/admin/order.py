"""`/admin/orders/[order_id]`: one order and its history; and its packing slip, a page for the printer."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.orders.order_form import delete_dialog, order_dialog
from marketplace_app.components.admin.orders.order_lines import batch_dialog, order_lines
from marketplace_app.components.admin.orders.order_slip import order_slip
from marketplace_app.components.admin.orders.order_step import page_step_button, undo_bar
from marketplace_app.components.admin.printed import printed_page
from marketplace_app.components.admin.shell import admin_page, heading, may, panel
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button, button_class, button_link
from marketplace_app.components.controls.facts import fact_list_from_state
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import download_link, link
from marketplace_app.components.controls.notices import empty_state, failed_state, note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.models import Permission
from marketplace_app.states.admin.orders.order import AdminOrderState, HistoryEntry, TicketLine
from marketplace_app.states.admin.orders.order_form import AdminOrderFormState


def _actions() -> rx.Component:
    slip = button_link(
        icon("printer", "sm"),
        "Packing Slip",
        href=rx.Var.create(f"/admin/orders/{AdminOrderState.id}/slip"),
        variant="outline",
        size="sm",
    )
    label = download_link(
        "Label",
        rx.Var.create(f"/api/admin/orders/{AdminOrderState.id}/label.pdf"),
        button_class("outline", "sm"),
    )
    delete = button(
        "Delete", variant="danger", size="sm", on_click=AdminOrderFormState.ask_to_delete(AdminOrderState.id)
    )
    edit = button("Edit Order", variant="outline", size="sm", on_click=AdminOrderFormState.edit(AdminOrderState.id))
    step = page_step_button(AdminOrderState.id, AdminOrderState.status, AdminOrderState.step)
    return rx.fragment(
        slip,
        rx.cond(AdminOrderState.has_label & may(Permission.PLAN_RUNS), label),
        rx.cond(may(Permission.DELETE_ORDERS), delete),
        rx.cond(may(Permission.EDIT_ORDERS), edit),
        step,
    )


def _entry(entry: rx.Var[HistoryEntry]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(entry.what, class_name="font-semibold"),
            rx.el.span("by ", entry.who, class_name="text-cap text-ink-2 wrap-anywhere"),
            class_name="grid min-w-0 flex-1",
        ),
        rx.el.span(entry.when, class_name="text-cap whitespace-nowrap text-ink-3 tabular-nums"),
        key=entry.key,
        class_name="flex items-start justify-between gap-3 border-t border-line py-2",
    )


def _entries(title: str, entries: rx.Var[list[HistoryEntry]], tag: Any) -> rx.Component:
    return panel(
        tag(rx.foreach(entries, _entry), aria_label=title, class_name="-mb-1"),
        title=title,
        class_name="grid gap-2.5 p-4.5",
    )


def _customer() -> rx.Component:
    name = rx.cond(
        may(Permission.SEE_USERS),
        link(
            AdminOrderState.customer,
            href=AdminOrderState.customer_href,
            class_name="font-semibold text-brand-text underline underline-offset-3",
        ),
        rx.el.b(AdminOrderState.customer, class_name="font-semibold"),
    )
    return panel(
        rx.el.p(name, class_name="wrap-anywhere"),
        rx.el.p(AdminOrderState.customer_email, class_name="text-ink-2 wrap-anywhere"),
        title="Customer",
        class_name="grid content-start gap-1.5 p-4.5",
    )


def _ticket(ticket: rx.Var[TicketLine]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            link(ticket.subject, href=ticket.href, class_name="font-semibold hover:underline wrap-anywhere"),
            rx.el.span(ticket.subtitle, class_name="text-cap text-ink-2 tabular-nums"),
            class_name="grid min-w-0 flex-1",
        ),
        status_badge(ticket.status, ticket.hue),
        key=ticket.href,
        class_name="flex items-start justify-between gap-3 border-t border-line py-2",
    )


def _tickets() -> rx.Component:
    listed = rx.el.ul(rx.foreach(AdminOrderState.tickets, _ticket), aria_label="Tickets", class_name="-mb-1")
    return rx.cond(
        AdminOrderState.tickets.length() > 0, panel(listed, title="Tickets", class_name="grid gap-2.5 p-4.5")
    )


def _record() -> rx.Component:
    facts = fact_list_from_state(AdminOrderState.record)
    return rx.cond(AdminOrderState.record.length() > 0, panel(facts, title="Record", class_name="grid gap-2.5 p-4.5"))


def _recalls() -> rx.Component:
    """Says that a batch of the order was recalled. Above all else, so that nobody packs or hands over the order."""
    return rx.el.section(
        note(
            rx.el.p(AdminOrderState.recalls_title, class_name="font-semibold"),
            rx.el.ul(
                rx.foreach(AdminOrderState.recalls, lambda line: rx.el.li(line, key=line)),
                class_name="mt-1 grid gap-0.5 wrap-anywhere",
            ),
            symbol="alert",
            variant="bad",
        ),
        aria_label="Recall",
    )


def _found() -> rx.Component:
    return rx.fragment(
        heading(
            rx.el.span(
                AdminOrderState.title,
                rx.el.span(
                    status_badge(AdminOrderState.status_label, AdminOrderState.status_hue), class_name="font-sans"
                ),
                class_name="flex flex-wrap items-center gap-3",
            ),
            _actions(),
            below=AdminOrderState.placed,
        ),
        rx.cond(AdminOrderState.recalls.length() > 0, _recalls()),
        rx.el.div(
            rx.el.div(
                order_lines(),
                fact_list_from_state(AdminOrderState.facts),
                class_name="grid min-w-0 content-start gap-4",
            ),
            rx.el.div(
                _customer(),
                _record(),
                _tickets(),
                _entries("History", AdminOrderState.history, rx.el.ol),
                rx.cond(AdminOrderState.audit.length() > 0, _entries("Audit trail", AdminOrderState.audit, rx.el.ul)),
                class_name="grid min-w-0 content-start gap-4",
            ),
            class_name="grid gap-4 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]",
        ),
        order_dialog(),
        batch_dialog(),
        delete_dialog(),
        undo_bar(),
    )


def _missing() -> rx.Component:
    return rx.fragment(
        heading(ORDER_NOT_FOUND),
        empty_state(
            "receipt",
            "It may have been deleted, or the address may be mistyped.",
            button_link("All Orders", href="/admin?tab=orders", variant="outline"),
        ),
    )


def _failed() -> rx.Component:
    return rx.fragment(heading("Order"), failed_state("This order could not be loaded.", AdminOrderState.load))


def _skeleton() -> rx.Component:
    return rx.fragment(
        heading("Order"),
        rx.el.div(
            skeleton_block("h-96 w-full"),
            skeleton_block("h-72 w-full"),
            class_name="grid gap-4 lg:grid-cols-2",
            aria_hidden="true",
        ),
    )


def admin_order() -> rx.Component:
    return admin_page(
        rx.match(
            AdminOrderState.view, ("found", _found()), ("missing", _missing()), ("failed", _failed()), _skeleton()
        ),
        current="orders",
        breadcrumbs=[("Orders", "/admin?tab=orders")],
        name=rx.cond(AdminOrderState.view == "found", AdminOrderState.title, "Order"),
    )


def admin_order_slip() -> rx.Component:
    return printed_page(
        AdminOrderState.view,
        order_slip(),
        "Back to the order",
        rx.Var.create(f"/admin/orders/{AdminOrderState.id}"),
        ("missing", _missing()),
        ("failed", _failed()),
        title="Packing slip",
        skeleton=_skeleton(),
    )
