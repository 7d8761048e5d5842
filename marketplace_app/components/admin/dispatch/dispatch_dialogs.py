"""The dialogs of the dispatch board."""

import reflex as rx

from marketplace_app.components.admin.list_panels import confirmation_dialog, form_dialog
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.fields import labelled_select, text_area, text_field
from marketplace_app.states.admin.dispatch.dispatch_form import AdminRunFormState
from marketplace_app.states.admin.dispatch.dispatch_questions import DEPART, DISCARD, AdminDispatchQuestionState
from marketplace_app.states.admin.dispatch.dispatch_release import AdminReleaseState

_NO_DRIVERS = rx.el.p(
    "Nobody may drive yet. An owner gives people the role 'Driver' on Users.", class_name="text-cap text-ink-2"
)


def dispatch_dialogs() -> rx.Component:
    return rx.fragment(_run_dialog(), _confirmation(), _release_dialog())


def _run_dialog() -> rx.Component:
    state = AdminRunFormState
    return form_dialog(
        "Run",
        state.title,
        text_field("Day", "day", state.errors["day"], type="date", default_value=state.values["day"]),
        rx.el.div(
            labelled_select(
                "Driver",
                "driver",
                rx.el.option("Choose…", value=""),
                rx.foreach(state.drivers, lambda driver: rx.el.option(driver[1], value=driver[0])),
                default_value=state.values["driverId"],
                error=state.errors["driverId"],
            ),
            rx.cond(state.drivers.length() == 0, _NO_DRIVERS),
            class_name="grid gap-1.5",
        ),
        text_field(
            "Vehicle",
            "vehicle",
            state.errors["vehicle"],
            default_value=state.values["vehicle"],
            placeholder="White van",
            auto_complete="off",
        ),
        submit_label=rx.cond(state.edited > 0, "Save Run", "Plan Run"),
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=state.is_open,
        on_open_change=state.set_open,
    )


def _confirmation() -> rx.Component:
    state = AdminDispatchQuestionState
    confirm = pending_button(
        rx.match(state.asked, (DEPART, "Depart"), (DISCARD, "Remove Run"), "Reorder Stops"),
        "Saving...",
        state.is_working,
        on_click=state.confirm,
    )
    return confirmation_dialog(
        state.title, state.text, "Not Now", confirm, open=state.asked != "", on_open_change=state.set_open
    )


def _release_dialog() -> rx.Component:
    """Unlocks a stop or clears its flag."""
    state = AdminReleaseState
    return form_dialog(
        "Release",
        state.title,
        text_area("Reason", "reason", state.errors["reason"], hint="What you found out, for the audit trail."),
        submit_label="Release",
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=state.is_open,
        on_open_change=state.set_open,
    )
