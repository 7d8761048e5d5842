"""The zones of `/admin/delivery`."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.list_panels import (
    LIST,
    ROW,
    add_button,
    confirmation_dialog,
    empty_note,
    form_dialog,
    list_panel,
)
from marketplace_app.components.admin.shell import may
from marketplace_app.components.admin.table import row_button
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.fields import text_area, text_field
from marketplace_app.models import Permission
from marketplace_app.states.admin.delivery.zones import ZONES_ID, AdminZonesState, ZoneRow

_MAY_EDIT = may(Permission.EDIT_DELIVERY)


def zones() -> rx.Component:
    state = AdminZonesState
    listed = rx.cond(
        state.zones.length() > 0,
        rx.el.ul(rx.foreach(state.zones, _zone), class_name=LIST, aria_label="Zones"),
        empty_note("No zones yet."),
    )
    dialogs = rx.cond(_MAY_EDIT, rx.fragment(_zone_dialog(), _removal_dialog()))
    add = add_button("Add Zone", Permission.EDIT_DELIVERY, state.open_new)
    return list_panel(ZONES_ID, "Zones", state.is_loading, listed, dialogs, add=add)


def _zone(row: rx.Var[ZoneRow]) -> rx.Component:
    words = rx.el.div(
        rx.el.p(row.name, class_name="text-small font-semibold wrap-anywhere"),
        rx.el.p(row.terms, class_name="text-cap text-ink-2 tabular-nums"),
        rx.el.p(row.zips, class_name="text-cap text-ink-3 tabular-nums wrap-anywhere"),
        class_name="min-w-0",
    )
    actions = rx.el.span(
        row_button("pen", f"Edit {row.name}", on_click=AdminZonesState.edit(row.id)),
        row_button("bin", f"Remove {row.name}", on_click=AdminZonesState.ask_to_remove(row.id)),
        class_name="inline-flex flex-none",
    )
    return rx.el.li(words, rx.cond(_MAY_EDIT, actions), key=row.id, class_name=ROW)


def _amount(label: str, name: str, key: str) -> rx.Component:
    state = AdminZonesState
    props: dict[str, Any] = {"placeholder": "Shop's", "input_mode": "decimal", "auto_complete": "off"}
    return text_field(label, name, state.errors[key], default_value=state.values[key], **props)


def _zone_dialog() -> rx.Component:
    state = AdminZonesState
    return form_dialog(
        "Zone",
        rx.cond(state.edited_id > 0, "Edit zone", "New zone"),
        text_field("Zone", "zone_name", state.errors["name"], default_value=state.values["name"], auto_complete="off"),
        rx.el.div(
            _amount("Fee, $", "fee", "fee"),
            _amount("Minimum, $", "minimum", "minimum"),
            _amount("Free from, $", "free_from", "freeFrom"),
            class_name="grid grid-cols-3 gap-3",
        ),
        text_area(
            "ZIP codes",
            "zips",
            state.errors["zips"],
            hint="Paste them with spaces, commas or line breaks between them.",
            rows=6,
            default_value=state.values["zips"],
        ),
        submit_label=rx.cond(state.edited_id > 0, "Save Zone", "Add Zone"),
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=state.is_open,
        on_open_change=state.set_open,
    )


def _removal_dialog() -> rx.Component:
    state = AdminZonesState
    return confirmation_dialog(
        rx.fragment("Remove ", state.removing_name, "?"),
        state.removing_text,
        "Keep Zone",
        button("Remove Zone", variant="danger", on_click=state.remove),
        open=state.removing_id > 0,
        on_open_change=state.set_open,
    )
