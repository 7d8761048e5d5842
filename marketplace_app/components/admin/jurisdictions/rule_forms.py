"""The dialogs of `/admin/rules` that add a version."""

import reflex as rx

from marketplace_app.components.admin.list_panels import form_dialog
from marketplace_app.components.controls.fields import labelled_select, text_field
from marketplace_app.states.admin.jurisdictions.rule_forms import (
    AdminRuleCopyState,
    AdminRuleDraftState,
    CellRow,
    GroupRow,
)
from marketplace_app.states.admin.jurisdictions.rules import AdminRulesState


def draft_dialog() -> rx.Component:
    state = AdminRuleDraftState
    drafts = rx.foreach(state.drafts, lambda draft: rx.el.option(draft.text, value=draft.state))
    explanation = (
        "A draft that ships with the store. It may be out of date: compare each line with its source before you "
        "mark it as reviewed."
    )
    return form_dialog(
        "Draft",
        "Add a draft",
        rx.el.p(explanation, class_name="text-small text-ink-2"),
        labelled_select("Rules of", "draft_us_state", drafts, error=state.errors["state"]),
        text_field("Counts from", "draft_from", state.errors["validFrom"], default_value=state.valid_from, type="date"),
        submit_label="Add Draft",
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=AdminRulesState.dialog == "draft",
        on_open_change=AdminRulesState.set_open,
    )


def copy_dialog() -> rx.Component:
    state = AdminRuleCopyState

    def field(label: str, name: str, key: str, kind: str) -> rx.Component:
        return text_field(label, name, state.errors[key], default_value=state.values[key], type=kind)

    explanation = "It has all lines of the version you copy, and the amounts that you write here."
    return form_dialog(
        "New version",
        state.title,
        rx.el.p(explanation, class_name="text-small text-ink-2"),
        rx.el.div(
            field("Counts from", "copy_from", "validFrom", "date"),
            field("Checked on", "copy_checked", "checkedOn", "date"),
            class_name="grid gap-3 sm:grid-cols-2",
        ),
        field("Source of the whole version", "copy_source", "source", "text"),
        rx.foreach(state.groups, _group),
        submit_label="Add Version",
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=AdminRulesState.dialog == "copy",
        on_open_change=AdminRulesState.set_open,
        shape="wide",
    )


def _group(group: rx.Var[GroupRow]) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(group.label, class_name="mb-2 text-small font-semibold"),
        rx.el.div(rx.foreach(group.cells, _cell), class_name="flex flex-wrap gap-3"),
        key=group.label,
        class_name="min-w-0 border-t border-line pt-3",
    )


def _cell(cell: rx.Var[CellRow]) -> rx.Component:
    width = rx.cond(cell.is_wide, "min-w-56 flex-1", "w-28")
    field = text_field(cell.label, "cell", cell.error, id=cell.id, default_value=cell.value, auto_complete="off")
    return rx.el.div(field, key=cell.id, class_name=width)
