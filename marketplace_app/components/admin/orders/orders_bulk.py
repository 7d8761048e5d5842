"""What can be done with selected orders: a bar above the table, and a preview before anything changes."""

import reflex as rx

from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.fields import select
from marketplace_app.components.controls.icons import icon
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.admin.orders.orders_bulk import STATUS_CHOICES, AdminOrdersBulkState, OutcomeRow


def bulk_bar() -> rx.Component:
    bar = rx.el.div(
        rx.el.p(
            AdminOrdersState.selected_count, " selected", role="status", class_name="px-1 font-semibold tabular-nums"
        ),
        rx.el.div(
            select(STATUS_CHOICES, "Set status", rx.Var.create(""), AdminOrdersBulkState.preview), class_name="w-44"
        ),
        button("Deselect", variant="ghost", size="sm", on_click=AdminOrdersState.deselect),
        class_name="flex flex-wrap items-center gap-2 border-b border-line bg-wash p-2.5",
    )
    return rx.cond(AdminOrdersState.selected_count > 0, bar)


def _outcome(outcome: rx.Var[OutcomeRow]) -> rx.Component:
    change = rx.fragment(
        status_badge(outcome.from_label, outcome.from_hue),
        icon("arrow-right", "sm", "text-ink-3"),
        status_badge(outcome.to_label, outcome.to_hue),
    )
    stays = rx.fragment(
        status_badge(outcome.from_label, outcome.from_hue), rx.el.span("stays", class_name="text-ink-3")
    )
    return rx.el.li(
        rx.el.span(outcome.number, class_name="w-14 flex-none font-semibold tabular-nums"),
        rx.cond(
            outcome.problem != "",
            rx.el.span(icon("alert", "sm"), outcome.problem, class_name="flex items-center gap-1.5 text-bad"),
            rx.cond(outcome.is_change, change, stays),
        ),
        key=outcome.id,
        class_name="flex min-h-10 flex-wrap items-center gap-2 border-b border-line py-1.5 last:border-b-0",
    )


def bulk_dialog() -> rx.Component:
    return dialog(
        dialog_header("Set status: ", AdminOrdersBulkState.status_label),
        rx.el.div(
            rx.el.p(AdminOrdersBulkState.summary, class_name="pb-2 text-small text-ink-2"),
            rx.el.ul(rx.foreach(AdminOrdersBulkState.outcomes, _outcome), class_name="text-small"),
            class_name="scrollbar-thin min-h-0 flex-1 overflow-y-auto p-5",
        ),
        dialog_footer(
            "Cancel",
            pending_button(
                "Apply",
                "Saving...",
                AdminOrdersBulkState.is_applying,
                disabled=~AdminOrdersBulkState.can_apply,
                on_click=AdminOrdersBulkState.apply,
            ),
        ),
        open=AdminOrdersBulkState.is_open,
        on_open_change=AdminOrdersBulkState.set_open,
    )
