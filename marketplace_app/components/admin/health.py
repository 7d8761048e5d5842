"""The health of each part of the store; the parts that need attention come first."""

import reflex as rx

from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import Column, cell, data_table, table_row, table_states
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.notices import empty_state
from marketplace_app.models import Permission
from marketplace_app.states.admin.health import AdminHealthState, CheckRow

COLUMNS = (Column("Part"), Column("State"), Column("What it says"))


def health() -> rx.Component:
    again = pending_button(
        "Check Again",
        "Checking...",
        AdminHealthState.is_checking,
        variant="outline",
        size="sm",
        on_click=AdminHealthState.check_again,
    )
    return rx.cond(
        may(Permission.SEE_HEALTH),
        rx.fragment(
            heading("Health", again, below="Whether the parts of the store work, and what to do if not."), _parts()
        ),
        panel(
            empty_state("ban", "Your role is not allowed to see the health of the store. Ask an owner."),
            class_name="px-5",
        ),
    )


def _parts() -> rx.Component:
    table = data_table("Parts of the store", COLUMNS, AdminHealthState.checks, _row)
    return panel(
        table_states(
            AdminHealthState.is_loading, AdminHealthState.checks.length(), table, nothing="No parts.", symbol="list"
        ),
        rx.cond(
            ~AdminHealthState.is_loading,
            rx.el.p(
                "Checked ",
                AdminHealthState.checked_at,
                class_name="border-t border-line px-3 py-2.5 text-cap text-ink-3",
            ),
        ),
        title=rx.el.span(AdminHealthState.summary, role="status", class_name="block min-h-6 px-3 py-2.5"),
    )


def _row(row: rx.Var[CheckRow]) -> rx.Component:
    state = rx.cond(row.is_ok, badge("OK", "green"), badge("Needs attention", "red"))
    return table_row(
        cell(row.label, narrow="first", class_name="align-top font-semibold whitespace-nowrap"),
        cell(state, narrow="figure", class_name="align-top"),
        cell(
            row.says,
            rx.cond(row.advice != "", rx.el.p(row.advice, class_name="text-ink-2")),
            narrow="second",
            class_name="align-top wrap-anywhere md:w-full max-md:col-span-2",
        ),
        key=row.label,
    )
