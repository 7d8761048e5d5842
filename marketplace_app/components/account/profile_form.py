"""The account's settings: names and phone number."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.fields import text_field
from marketplace_app.components.controls.notices import outdated_note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.limits import MAX_NAME, MAX_PHONE
from marketplace_app.messages import CHANGED_ELSEWHERE
from marketplace_app.states.account.profile import FORM_ID, ProfileState


def _field(label: str, name: str, autocomplete: str, **props: Any) -> rx.Component:
    return text_field(
        label,
        name,
        ProfileState.errors[name],
        default_value=ProfileState.values[name],
        auto_complete=autocomplete,
        **props,
    )


def profile_form() -> rx.Component:
    form = rx.el.form(
        rx.el.div(
            _field("First name", "firstName", "given-name", max_length=MAX_NAME),
            _field("Last name", "lastName", "family-name", max_length=MAX_NAME),
            _field("Phone", "phone", "tel", type="tel", input_mode="tel", max_length=MAX_PHONE),
            key=ProfileState.form_key,
            class_name="grid gap-4 md:grid-cols-3",
        ),
        pending_button("Save", "Saving...", ProfileState.is_saving, type="submit"),
        on_submit=ProfileState.save,
        no_validate=True,
        class_name="grid justify-items-start gap-4 *:first:w-full",
    )
    outdated = outdated_note(ProfileState.is_outdated, CHANGED_ELSEWHERE, ProfileState.reload)
    shown = rx.el.div(outdated, form, id=FORM_ID, tab_index=-1, class_name="grid gap-4 outline-none")
    return rx.cond(ProfileState.is_loaded, shown, rx.el.div(skeleton_block("h-32 w-full"), aria_hidden="true"))
