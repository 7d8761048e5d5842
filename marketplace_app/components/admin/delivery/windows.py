"""The delivery windows of `/admin/delivery`, by weekday; they repeat every week."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.list_panels import LIST, add_button, form_dialog, list_panel
from marketplace_app.components.admin.shell import may
from marketplace_app.components.admin.table import row_button
from marketplace_app.components.controls.fields import checkbox_set, labelled_select, text_field
from marketplace_app.models import Permission
from marketplace_app.schemas.delivery.windows import WEEKDAYS
from marketplace_app.states.admin.delivery.windows import WEEK_ID, AdminWindowsState, WeekdayRow, WindowRow
from marketplace_app.states.admin.delivery.zones import AdminZonesState

_MAY_EDIT = may(Permission.EDIT_DELIVERY)


def windows() -> rx.Component:
    state = AdminWindowsState
    listed = rx.el.ul(rx.foreach(state.weekdays, _weekday), class_name=LIST, aria_label="Week")
    add = rx.cond(
        AdminZonesState.zones.length() > 0, add_button("Add Window", Permission.EDIT_DELIVERY, state.open_new)
    )
    dialog = rx.cond(_MAY_EDIT, _window_dialog())
    return list_panel(WEEK_ID, "Windows, week by week", state.is_loading, listed, dialog, add=add)


def _weekday(row: rx.Var[WeekdayRow]) -> rx.Component:
    none = rx.el.p("No windows", class_name="py-2 text-small text-ink-3")
    shown = rx.cond(row.windows.length() > 0, rx.foreach(row.windows, _window), none)
    return rx.el.li(
        rx.el.p(row.name, class_name="py-2 text-small font-semibold"),
        rx.el.div(shown, class_name="min-w-0"),
        key=row.name,
        class_name="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3 px-5 py-0.5 max-md:grid-cols-1 max-md:gap-0",
    )


def _window(row: rx.Var[WindowRow]) -> rx.Component:
    actions = rx.el.span(
        row_button("pen", f"Edit {row.text}", on_click=AdminWindowsState.edit(row.id)),
        row_button("bin", f"Remove {row.text}", on_click=AdminWindowsState.remove(row.id)),
        class_name="inline-flex flex-none",
    )
    return rx.el.div(
        rx.el.span(row.text, class_name="min-w-0 py-2 text-small tabular-nums wrap-anywhere"),
        rx.cond(_MAY_EDIT, actions),
        key=row.id,
        class_name="flex items-start justify-between gap-2",
    )


def _window_dialog() -> rx.Component:
    state = AdminWindowsState
    return form_dialog(
        "Window",
        rx.cond(state.edited > 0, state.title, "New windows"),
        rx.cond(state.edited > 0, _note_on_ordered_days(), _zone_and_days()),
        rx.el.div(
            _time("Opens", "opens", "17:00"),
            _time("Closes", "closes", "19:00"),
            _field("Cut-off, min", "cutoff", "cutoffMinutes", input_mode="numeric"),
            _field("Orders", "capacity", "capacity", input_mode="numeric"),
            class_name="grid grid-cols-2 gap-3 sm:grid-cols-4",
        ),
        rx.el.p(state.advice, aria_live="polite", class_name="text-small text-ink-2 empty:hidden"),
        submit_label=rx.cond(state.edited > 0, "Save Window", "Add Window"),
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=state.is_open,
        on_open_change=state.set_open,
    )


def _time(label: str, name: str, example: str) -> rx.Component:
    return _field(
        label, name, name, placeholder=example, on_blur=lambda value: AdminWindowsState.check_time(name, value)
    )


def _field(label: str, name: str, key: str, **props: Any) -> rx.Component:
    state = AdminWindowsState
    return text_field(label, name, state.errors[key], default_value=state.values[key], auto_complete="off", **props)


def _zone_and_days() -> rx.Component:
    zones = rx.foreach(AdminZonesState.zones, lambda zone: rx.el.option(zone.name, value=zone.id.to_string()))
    return rx.fragment(
        labelled_select("In zone", "zone", zones),
        checkbox_set(
            "Weekdays",
            "weekday",
            [*WEEKDAYS],
            AdminWindowsState.chosen_days,
            AdminWindowsState.errors["weekday"],
            hint="The same window on each.",
        ),
    )


def _note_on_ordered_days() -> rx.Component:
    sentence = "Days for which orders have been placed keep the times and the number of orders they have now."
    return rx.el.p(sentence, class_name="text-small text-ink-2")
