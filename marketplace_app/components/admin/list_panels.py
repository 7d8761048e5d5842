"""What admin pages with lists share: a titled panel with a button, a list, and form and confirmation dialogs."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.fields import form_key_field
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.models import Permission

LIST = "grid divide-y divide-line border-t border-line"
ROW = "flex items-center justify-between gap-3 px-5 py-2"


def list_panel(id: str, title: str, is_loading: rx.Var[bool], *children: Any, add: Any = None) -> rx.Component:
    """`add` is a button at the end of the title row. When a focused row is removed, the panel takes the focus."""
    return panel(
        rx.cond(is_loading, skeleton_block("m-5 h-24 rounded-2"), rx.fragment(*children)),
        title=rx.el.span(title, class_name="block px-5 pt-4 pb-2.5"),
        aside=None if add is None else rx.el.span(add, class_name="px-5 pt-2.5 pb-2 empty:hidden"),
        id=id,
        tab_index=-1,
        aria_label=title,
        class_name="outline-none",
    )


def empty_note(sentence: Any) -> rx.Component:
    return rx.el.p(sentence, class_name="border-t border-line px-5 py-4 text-small text-ink-3")


def add_button(label: str, permission: Permission, on_click: Any) -> rx.Component:
    """Shown to those who have the permission."""
    return rx.cond(may(permission), button(label, size="sm", on_click=on_click))


def form_dialog(
    label: str,
    title: Any,
    *fields: Any,
    submit_label: Any,
    is_saving: rx.Var[bool],
    form_key: rx.vars.NumberVar[int],
    on_submit: Any,
    **dialog_props: Any,
) -> rx.Component:
    """`label` is the accessible name of the form; `open` and `on_open_change` control the dialog."""
    foot = dialog_footer("Cancel", pending_button(submit_label, "Saving...", is_saving, type="submit"))
    form = rx.el.form(
        rx.el.div(*fields, class_name="scrollbar-thin grid min-h-0 flex-1 gap-4 overflow-y-auto p-5"),
        form_key_field(form_key),
        foot,
        on_submit=on_submit,
        no_validate=True,
        key=form_key.to_string(),
        aria_label=label,
        class_name="flex min-h-0 flex-col",
    )
    return dialog(dialog_header(title), form, **dialog_props)


def confirmation_dialog(
    title: Any, sentence: Any, cancel: str, confirm: rx.Component, **dialog_props: Any
) -> rx.Component:
    """`cancel` is the label of the button that changes nothing; `open` and `on_open_change` control the dialog."""
    text = rx.el.p(sentence, class_name="p-5 text-small text-ink-2")
    return dialog(dialog_header(title), text, dialog_footer(cancel, confirm), **dialog_props)
