"""Zones with their ZIP codes, the week's windows, and closed days."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import row_button
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.fields import labelled_select, text_area, text_field
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.models import Permission
from marketplace_app.schemas.windows import WEEKDAYS
from marketplace_app.states.admin.closures import AdminClosuresState, ClosureRow
from marketplace_app.states.admin.windows import AdminWindowsState, WeekdayRow, WindowRow
from marketplace_app.states.admin.zones import AdminZonesState, ZoneRow

_EDITS = Permission.EDIT_DELIVERY
_LIST = "grid divide-y divide-line border-t border-line"
_ROW = "flex items-center justify-between gap-3 px-5 py-2"
_FORM = "grid gap-3 border-t border-line px-5 py-4"


def delivery() -> rx.Component:
    content = rx.el.div(
        _zones(),
        rx.el.div(_week(), _closures(), class_name="grid min-w-0 gap-4"),
        class_name="grid items-start gap-4 xl:grid-cols-2",
    )
    return rx.fragment(
        heading("Delivery", below="Where you deliver and when. Without zones, you deliver everywhere for one fee."),
        rx.cond(
            AdminZonesState.is_loading | AdminWindowsState.is_loading | AdminClosuresState.is_loading,
            skeleton_block("h-80 w-full rounded-2"),
            content,
        ),
    )


def _panel(title: str, *children: Any) -> rx.Component:
    return panel(*children, title=rx.el.span(title, class_name="block px-5 pt-4 pb-2.5"))


def _nothing(sentence: str) -> rx.Component:
    return rx.el.p(sentence, class_name="border-t border-line px-5 py-4 text-small text-ink-3")


def _zones() -> rx.Component:
    state = AdminZonesState
    listed = rx.cond(
        state.zones.length() > 0,
        rx.el.ul(rx.foreach(state.zones, _zone), class_name=_LIST, aria_label="Zones"),
        _nothing("No zones yet."),
    )
    return _panel("Zones", listed, rx.cond(may(_EDITS), _zone_form()))


def _zone(row: rx.Var[ZoneRow]) -> rx.Component:
    words = rx.el.div(
        rx.el.p(row.name, class_name="text-small font-semibold wrap-anywhere"),
        rx.el.p(row.terms, class_name="text-cap text-ink-2 tabular-nums"),
        rx.el.p(row.zips, class_name="text-cap text-ink-3 tabular-nums wrap-anywhere"),
        class_name="min-w-0",
    )
    actions = rx.el.span(
        row_button("pen", f"Edit {row.name}", on_click=AdminZonesState.edit(row.id)),
        row_button("bin", f"Remove {row.name}", on_click=AdminZonesState.remove(row.id)),
        class_name="inline-flex flex-none",
    )
    return rx.el.li(words, rx.cond(may(_EDITS), actions), key=row.id, class_name=_ROW)


def _zone_form() -> rx.Component:
    state = AdminZonesState
    values, errors = state.values, state.errors

    def amount(label: str, name: str, key: str) -> rx.Component:
        return text_field(
            label, name, errors[key], default_value=values[key], placeholder="The shop's", input_mode="decimal"
        )

    return rx.el.form(
        text_field("Zone", "zone_name", errors["name"], default_value=values["name"], auto_complete="off"),
        rx.el.div(
            amount("Fee, $", "fee", "fee"),
            amount("Minimum, $", "minimum", "minimum"),
            amount("Free from, $", "free_from", "freeFrom"),
            class_name="grid gap-3 sm:grid-cols-3",
        ),
        text_area(
            "ZIP codes",
            "zips",
            errors["zips"],
            hint="Paste them with spaces, commas or line breaks between them.",
            default_value=values["zips"],
        ),
        rx.el.div(
            pending_button(
                rx.cond(state.edited > 0, "Save Zone", "Add Zone"),
                "Saving...",
                state.is_saving,
                type="submit",
                size="sm",
            ),
            rx.cond(state.edited > 0, button("Cancel", variant="outline", size="sm", on_click=state.cancel)),
            class_name="flex gap-2",
        ),
        on_submit=state.save,
        no_validate=True,
        key=f"zone-{state.form_key}",
        aria_label="Zone",
        class_name=_FORM,
    )


def _week() -> rx.Component:
    week = rx.el.ul(rx.foreach(AdminWindowsState.weekdays, _weekday), class_name=_LIST, aria_label="Week")
    add = rx.cond(may(_EDITS) & (AdminZonesState.zones.length() > 0), _window_form())
    return _panel("Windows, week by week", week, add)


def _weekday(row: rx.Var[WeekdayRow]) -> rx.Component:
    none = rx.el.p("No windows", class_name="py-2 text-small text-ink-3")
    shown = rx.cond(row.windows.length() > 0, rx.foreach(row.windows, _window), none)
    return rx.el.li(
        rx.el.p(row.name, class_name="py-2 text-small font-semibold"),
        rx.el.div(shown, class_name="min-w-0"),
        key=row.name,
        class_name="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3 px-5 py-0.5",
    )


def _window(row: rx.Var[WindowRow]) -> rx.Component:
    remove = row_button("bin", f"Remove {row.text}", on_click=AdminWindowsState.remove(row.id))
    return rx.el.div(
        rx.el.span(row.text, class_name="min-w-0 py-2 text-small tabular-nums wrap-anywhere"),
        rx.cond(may(_EDITS), remove),
        key=row.id,
        class_name="flex items-start justify-between gap-2",
    )


def _window_form() -> rx.Component:
    errors = AdminWindowsState.errors
    zone = labelled_select(
        "In zone",
        "zone",
        rx.foreach(AdminZonesState.zones, lambda zone: rx.el.option(zone.name, value=zone.id.to_string())),
    )
    day = labelled_select("Weekday", "weekday", *[rx.el.option(day, value=str(n)) for n, day in enumerate(WEEKDAYS)])
    return rx.el.form(
        rx.el.div(zone, day, class_name="grid gap-3 sm:grid-cols-2"),
        rx.el.div(
            text_field("Opens", "opens", errors["opens"], placeholder="17:00"),
            text_field("Closes", "closes", errors["closes"], placeholder="19:00"),
            text_field("Cut-off, min", "cutoff", errors["cutoffMinutes"], default_value="120", input_mode="numeric"),
            text_field("Orders", "capacity", errors["capacity"], default_value="10", input_mode="numeric"),
            class_name="grid grid-cols-2 gap-3 sm:grid-cols-4",
        ),
        rx.el.div(button("Add Window", type="submit", size="sm")),
        on_submit=AdminWindowsState.add,
        no_validate=True,
        key=f"window-{AdminWindowsState.form_key}",
        aria_label="Window",
        class_name=_FORM,
    )


def _closures() -> rx.Component:
    state = AdminClosuresState
    listed = rx.cond(
        state.closures.length() > 0,
        rx.el.ul(rx.foreach(state.closures, _closure), class_name=_LIST, aria_label="Closed days"),
        _nothing("No closed days."),
    )
    form = rx.el.form(
        rx.el.div(
            text_field("Day", "day", state.errors["day"], type="date"),
            text_field("Reason", "reason", state.errors["reason"], auto_complete="off"),
            class_name="grid gap-3 sm:grid-cols-2",
        ),
        rx.el.div(button("Close Day", type="submit", size="sm")),
        on_submit=state.add,
        no_validate=True,
        key=f"closure-{state.form_key}",
        aria_label="Closed day",
        class_name=_FORM,
    )
    return _panel("Closed days", listed, rx.cond(may(_EDITS), form))


def _closure(row: rx.Var[ClosureRow]) -> rx.Component:
    words = rx.el.p(
        rx.el.b(row.day, class_name="font-semibold tabular-nums"),
        " ",
        row.reason,
        class_name="min-w-0 text-small wrap-anywhere",
    )
    remove = row_button("bin", f"Open {row.day} again", on_click=AdminClosuresState.remove(row.day))
    return rx.el.li(words, rx.cond(may(_EDITS), remove), key=row.day, class_name=_ROW)
