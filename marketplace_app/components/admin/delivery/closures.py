"""The closed days of `/admin/delivery`."""

import reflex as rx

from marketplace_app.components.admin.list_panels import LIST, ROW, empty_note, list_panel
from marketplace_app.components.admin.shell import may
from marketplace_app.components.admin.table import row_button
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.fields import form_key_field, text_field
from marketplace_app.models import Permission
from marketplace_app.states.admin.delivery.closures import CLOSURES_ID, AdminClosuresState, ClosureRow

_MAY_EDIT = may(Permission.EDIT_DELIVERY)


def closures() -> rx.Component:
    state = AdminClosuresState
    listed = rx.cond(
        state.closures.length() > 0,
        rx.el.ul(rx.foreach(state.closures, _closure), class_name=LIST, aria_label="Closed days"),
        empty_note("No closed days."),
    )
    return list_panel(CLOSURES_ID, "Closed days", state.is_loading, rx.cond(_MAY_EDIT, _form()), listed)


def _form() -> rx.Component:
    state = AdminClosuresState
    return rx.el.form(
        rx.el.div(
            text_field("Day", "day", state.errors["day"], type="date"),
            text_field("Reason", "reason", state.errors["reason"], auto_complete="off"),
            class_name="grid gap-3 sm:grid-cols-2",
        ),
        rx.el.div(button("Close Day", type="submit", size="sm")),
        form_key_field(state.form_key),
        on_submit=state.add,
        no_validate=True,
        key=f"closure-{state.form_key}",
        aria_label="Closed day",
        class_name="grid gap-3 border-t border-line px-5 py-4",
    )


def _closure(row: rx.Var[ClosureRow]) -> rx.Component:
    words = rx.el.p(
        rx.el.b(row.day, class_name="font-semibold tabular-nums"),
        " ",
        row.reason,
        rx.cond(row.due != "", rx.el.span(row.due, class_name="block text-cap font-strong text-amber-text")),
        class_name="min-w-0 text-small wrap-anywhere",
    )
    remove = row_button("bin", f"Open {row.day} again", on_click=AdminClosuresState.remove(row.day))
    return rx.el.li(words, rx.cond(_MAY_EDIT, remove), key=row.day, class_name=ROW)
