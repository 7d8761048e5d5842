"""The dialogs that edit, ban and delete a user."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.fields import form_key_field, text_area, text_field
from marketplace_app.limits import MAX_BAN_REASON, MAX_EMAIL, MAX_NAME
from marketplace_app.states.admin.users.user_form import AdminUserFormState


def _dialog(name: str, title: str, *content: rx.Component) -> rx.Component:
    return dialog(
        dialog_header(title, below=AdminUserFormState.title),
        *content,
        open=AdminUserFormState.open_dialog == name,
        on_open_change=AdminUserFormState.set_open,
    )


def _form(on_submit: object, fields: rx.Component, foot: rx.Component) -> rx.Component:
    return rx.el.form(
        rx.el.div(fields, class_name="scrollbar-thin min-h-0 flex-1 overflow-y-auto p-5"),
        foot,
        form_key_field(AdminUserFormState.form_key),
        on_submit=on_submit,
        no_validate=True,
        key=AdminUserFormState.form_key,
        class_name="flex min-h-0 flex-col",
    )


def _field(label: str, name: str, **props: Any) -> rx.Component:
    return text_field(
        label,
        name,
        AdminUserFormState.errors[name],
        default_value=AdminUserFormState.values[name],
        auto_complete="off",
        **props,
    )


def edit_dialog() -> rx.Component:
    fields = rx.el.div(
        _field("First name", "firstName", max_length=MAX_NAME),
        _field("Last name", "lastName", max_length=MAX_NAME),
        rx.el.div(
            _field(
                "Email",
                "email",
                type="email",
                max_length=MAX_EMAIL,
                hint="Where email is sent. It does not change how they sign in.",
            ),
            class_name="sm:col-span-2",
        ),
        _field(
            "Referral credit",
            "referralCredit",
            type="number",
            step="0.01",
            min=0,
            hint="The balance in dollars. Each change is recorded separately.",
        ),
        class_name="grid gap-4 sm:grid-cols-2",
    )
    save = pending_button("Save Changes", "Saving...", AdminUserFormState.is_saving, type="submit")
    return _dialog("edit", "Edit user", _form(AdminUserFormState.save, fields, dialog_footer("Cancel", save)))


def ban_dialog() -> rx.Component:
    reason = text_area(
        "Reason",
        "reason",
        AdminUserFormState.errors["reason"],
        hint="Optional. They see it when they try to sign in.",
        max_length=MAX_BAN_REASON,
    )
    ban = pending_button("Ban User", "Banning...", AdminUserFormState.is_saving, variant="danger", type="submit")
    return _dialog("ban", "Ban this user?", _form(AdminUserFormState.ban, reason, dialog_footer("Cancel", ban)))


def delete_dialog() -> rx.Component:
    return _dialog(
        "delete",
        "Delete this user?",
        rx.el.p(
            "They are removed from all lists and statistics, signed out, and cannot sign in again. Their orders "
            "are kept.",
            class_name="p-5 text-small text-ink-2",
        ),
        dialog_footer("Cancel", button("Delete User", variant="danger", on_click=AdminUserFormState.delete)),
    )


def user_dialogs() -> rx.Component:
    return rx.fragment(edit_dialog(), ban_dialog(), delete_dialog())
