"""What the three panels of `/admin/delivery` share: a title with a button, a list, and a form in a dialog."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import close_button, closing, dialog, dialog_title
from marketplace_app.components.controls.fields import form_key_field
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.models import Permission

EDITS = Permission.EDIT_DELIVERY
LIST = "grid divide-y divide-line border-t border-line"
ROW = "flex items-center justify-between gap-3 px-5 py-2"


def list_panel(id: str, title: str, is_loading: rx.Var[bool], *children: Any, add: Any = None) -> rx.Component:
    """`add` is a button at the end of the title row. The panel receives the focus of a row that is removed."""
    return panel(
        rx.cond(is_loading, skeleton_block("m-5 h-24 rounded-2"), rx.fragment(*children)),
        title=rx.el.span(title, class_name="block px-5 pt-4 pb-2.5"),
        aside=None if add is None else rx.el.span(add, class_name="px-5 pt-2.5 pb-2 empty:hidden"),
        id=id,
        tab_index=-1,
        aria_label=title,
        class_name="outline-none",
    )


def nothing(sentence: Any) -> rx.Component:
    return rx.el.p(sentence, class_name="border-t border-line px-5 py-4 text-small text-ink-3")


def add_button(label: str, on_click: Any) -> rx.Component:
    return rx.cond(may(EDITS), button(label, size="sm", on_click=on_click))


def form_dialog(
    name: str,
    title: Any,
    *fields: Any,
    submit: Any,
    is_saving: rx.Var[bool],
    form_key: rx.vars.NumberVar[int],
    on_submit: Any,
    **root: Any,
) -> rx.Component:
    """`name` is that of the form, `submit` the label of its button; `open` and `on_open_change` control the dialog."""
    foot = _foot("Cancel", pending_button(submit, "Saving...", is_saving, type="submit"))
    form = rx.el.form(
        rx.el.div(*fields, class_name="scrollbar-thin grid min-h-0 flex-1 gap-4 overflow-y-auto p-5"),
        form_key_field(form_key),
        foot,
        on_submit=on_submit,
        no_validate=True,
        key=form_key.to_string(),
        aria_label=name,
        class_name="flex min-h-0 flex-col",
    )
    return dialog(_head(title), form, **root)


def question(title: Any, sentence: Any, keep: str, confirm: rx.Component, **root: Any) -> rx.Component:
    """`keep` is the label of the button that changes nothing; `open` and `on_open_change` control the dialog."""
    text = rx.el.p(sentence, class_name="p-5 text-small text-ink-2")
    return dialog(_head(title), text, _foot(keep, confirm), **root)


def _head(title: Any) -> rx.Component:
    return rx.el.header(
        dialog_title(title, class_name="min-w-0 py-1 text-h3 wrap-anywhere"),
        close_button(),
        class_name="flex flex-none items-start justify-between gap-3 border-b border-line py-2 pr-2 pl-5",
    )


def _foot(cancel: str, *buttons: rx.Component) -> rx.Component:
    return rx.el.footer(
        closing(button(cancel, variant="outline")),
        *buttons,
        class_name="flex flex-none flex-wrap justify-end gap-2.5 border-t border-line px-5 py-3.5",
    )
