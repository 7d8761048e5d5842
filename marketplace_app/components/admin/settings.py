"""The shop settings: a panel per group, the reason for a change, and the history."""

from typing import Any

import reflex as rx

from marketplace_app import clock
from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import Column, cell, data_table, table_footer, table_row, table_states
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.fields import form_key_field, select_field, text_area, text_field
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.notices import note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.models import Permission
from marketplace_app.schemas.setting_fields import GROUPS, Setting, SettingGroup, Unit
from marketplace_app.schemas.settings import DEFAULTS
from marketplace_app.states.admin.settings import AdminSettingsState, ChangeRow

HISTORY_COLUMNS = (Column("When"), Column("What"), Column("From and to"), Column("Who"), Column("Why"))


def _field(setting: Setting) -> rx.Component:
    name = setting.wire_name
    error, value = AdminSettingsState.errors[name], AdminSettingsState.values[name]
    props: dict[str, Any] = {"default_value": value, "disabled": ~may(Permission.EDIT_SETTINGS)}
    if setting.unit is Unit.HOUR:
        hours = [(str(hour), clock.show_hour(hour)) for hour in range(setting.minimum, setting.maximum + 1)]
        return select_field(setting.label, name, hours, error, hint=setting.hint, **props)
    if setting.unit is Unit.YES_NO:
        return select_field(setting.label, name, [("1", "Yes"), ("0", "No")], error, hint=setting.hint, **props)
    label = f"{setting.label} ($)" if setting.unit is Unit.MONEY else setting.label
    hint = " ".join(
        part for part in (setting.hint, setting.range, f"Default: {setting.show(DEFAULTS[setting.name])}.") if part
    )
    mode = "decimal" if setting.unit is Unit.MONEY else "numeric"
    return text_field(label, name, error, hint, input_mode=mode, auto_complete="off", max_length=12, **props)


def _group(group: SettingGroup) -> rx.Component:
    columns = "sm:grid-cols-2" if len(group.settings) > 1 else ""
    return panel(
        rx.el.div(*[_field(each) for each in group.settings], class_name=f"mt-4 grid gap-x-4 gap-y-5 {columns}"),
        title=group.title,
        class_name="p-5",
    )


def _save() -> rx.Component:
    return panel(
        text_area(
            "Reason",
            "reason",
            AdminSettingsState.errors["reason"],
            "Kept permanently.",
            rows=2,
            max_length=500,
        ),
        rx.el.div(
            pending_button("Save", "Saving...", AdminSettingsState.is_saving, type="submit"),
            rx.el.p("Orders already placed keep their prices.", class_name="text-cap text-ink-3"),
            class_name="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2",
        ),
        title="Reason for this change",
        class_name="grid gap-3.5 p-5",
    )


def _outdated() -> rx.Component:
    explanation = rx.el.p("A colleague has changed settings since you opened this page. Only what you change is saved.")
    reload = button("Show the latest", variant="outline", size="sm", on_click=AdminSettingsState.reload)
    return rx.cond(
        AdminSettingsState.is_outdated,
        note(
            rx.el.div(explanation, reload, class_name="grid justify-items-start gap-2.5"), symbol="alert", role="status"
        ),
    )


def _form() -> rx.Component:
    return rx.el.form(
        form_key_field(AdminSettingsState.form_key),
        rx.el.div(
            *map(_group, GROUPS),
            class_name="grid gap-4 lg:grid-cols-2",
        ),
        rx.cond(may(Permission.EDIT_SETTINGS), _save()),
        on_submit=AdminSettingsState.save,
        no_validate=True,
        key=f"form-{AdminSettingsState.react_key}",
        aria_label="Shop settings",
        class_name="grid gap-4",
    )


def _change(change: rx.Var[ChangeRow]) -> rx.Component:
    return table_row(
        cell(change.when, narrow="second", class_name="whitespace-nowrap text-ink-2 max-md:text-cap max-md:text-ink-3"),
        cell(change.what, narrow="first", class_name="font-semibold"),
        cell(
            rx.el.span(
                rx.el.span(change.before, class_name="text-ink-3"),
                icon("arrow-right", "sm", "text-ink-3"),
                rx.el.span("to", class_name="sr-only"),
                change.after,
                class_name="inline-flex items-center gap-1.5 whitespace-nowrap tabular-nums",
            ),
            narrow="figure",
        ),
        cell(change.who, narrow="badge", class_name="max-md:text-cap max-md:text-ink-3"),
        cell(change.why, narrow="third", class_name="max-w-100 wrap-anywhere text-ink-2 max-md:col-span-2"),
        key=change.id,
    )


def _history() -> rx.Component:
    table = data_table("Settings changes", HISTORY_COLUMNS, AdminSettingsState.history, _change)
    return panel(
        rx.el.div(
            table_states(
                AdminSettingsState.is_loading,
                AdminSettingsState.history.length(),
                table,
                nothing="No changes yet. These are the default settings.",
                symbol="settings",
            ),
            class_name="mt-3.5 border-t border-line",
        ),
        table_footer(
            AdminSettingsState.range_label, AdminSettingsState.page, AdminSettingsState.pages, AdminSettingsState.go_to
        ),
        title=rx.el.span("History", class_name="block px-5 pt-4.5"),
    )


def settings() -> rx.Component:
    skeleton = rx.el.div(
        skeleton_block("h-72 w-full"), skeleton_block("h-72 w-full"), aria_hidden="true", class_name="grid gap-4"
    )
    read_only_note = rx.cond(
        may(Permission.EDIT_SETTINGS), "", "You can view these settings. Only owners can change them."
    )
    return rx.fragment(
        heading("Shop settings", below=read_only_note),
        _outdated(),
        rx.cond(AdminSettingsState.is_loading, skeleton, _form()),
        _history(),
    )
