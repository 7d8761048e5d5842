"""The dialogs in which batches are received, edited, held, released and corrected."""

import reflex as rx
from pydantic.alias_generators import to_camel

from marketplace_app.components.admin.list_panels import form_dialog
from marketplace_app.components.controls.fields import checkbox_field, text_field
from marketplace_app.limits import MAX_BATCH_REASON
from marketplace_app.schemas.products.lab_reports import LAB_PANELS
from marketplace_app.states.admin.batches.batch_form import AdminBatchFormState
from marketplace_app.states.admin.batches.batch_steps import AdminBatchStepState
from marketplace_app.states.admin.batches.batches import AdminBatchesState


def _field(label: str, name: str, key: str, **props: str) -> rx.Component:
    state = AdminBatchFormState
    props = {"auto_complete": "off"} | props
    return text_field(label, name, state.errors[key], default_value=state.values[key], **props)


def batch_form_dialog() -> rx.Component:
    """Receives a batch, or edits one."""
    state = AdminBatchFormState
    is_new = state.edited == 0
    return form_dialog(
        "Batch",
        rx.cond(is_new, "Receive a batch", "Edit batch"),
        rx.el.div(
            _field("Code", "batch_code", "code"),
            rx.cond(is_new, _field("Units", "batch_units", "units", input_mode="numeric")),
            class_name=rx.cond(is_new, "grid grid-cols-2 items-start gap-3", "grid"),
        ),
        *_facts(),
        _report(),
        submit_label=rx.cond(is_new, "Receive Batch", "Save Batch"),
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=state.is_open & (state.product_id == AdminBatchesState.product_id),
        on_open_change=state.set_open,
    )


def _facts() -> tuple[rx.Component, ...]:
    state = AdminBatchFormState
    error = state.errors["isApproved"]
    return (
        rx.el.div(
            _field("Packed", "batch_packed_on", "packedOn", type="date"),
            _field("Last day", "batch_expires_on", "expiresOn", type="date"),
            class_name="grid items-start gap-4 sm:grid-cols-2 sm:gap-3",
        ),
        rx.el.div(
            _field("THC %", "batch_thc", "thcPercent", input_mode="decimal"),
            _field("CBD %", "batch_cbd", "cbdPercent", input_mode="decimal"),
            _field("Unit cost, $", "batch_unit_cost", "unitCost", input_mode="decimal"),
            class_name="grid grid-cols-2 items-start gap-3 sm:grid-cols-3",
        ),
        checkbox_field("Approved by the state", "batch_is_approved", error, default_checked=state.is_approved),
    )


def _report() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend("Lab report", class_name="float-left w-full text-ui font-semibold"),
        rx.el.p(
            "Leave it all empty if there is none. The product's page shows the report of the batch that is sold next.",
            class_name="clear-both pt-0.5 pb-3 text-cap text-ink-3",
        ),
        rx.el.div(
            _field("Reported", "batch_reported_on", "report.reportedOn", type="date"),
            *[_field(label, f"batch_{name}", f"report.{to_camel(name)}") for label, name in LAB_PANELS],
            class_name="grid gap-3 sm:grid-cols-2",
        ),
        class_name="min-w-0 border-t border-line pt-4",
    )


def batch_step_dialog() -> rx.Component:
    """Holds a batch, releases it, or corrects its units, as `step` says."""
    state = AdminBatchStepState
    title = rx.match(state.step, ("hold", "Hold "), ("release", "Release "), ("units", "Adjust units of "), "")
    about = rx.match(
        state.step,
        ("hold", "All its units are set aside, and nobody can order them until it is released."),
        ("release", "Its units are for sale again, unless it has expired or is not approved."),
        state.units_text,
    )
    submit = rx.match(state.step, ("hold", "Hold Batch"), ("release", "Release Batch"), "Adjust Units")
    change = text_field("Change", "batch_change", state.errors["change"], placeholder="-2", auto_complete="off")
    error = rx.cond(state.step == "units", state.errors["note"], state.errors["reason"])
    return form_dialog(
        "Batch step",
        rx.fragment(title, state.code),
        rx.el.p(about, class_name="text-small text-ink-2"),
        rx.cond(state.step == "units", change),
        text_field("Reason", "batch_reason", error, max_length=MAX_BATCH_REASON, auto_complete="off"),
        submit_label=submit,
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.confirm,
        open=(state.step != "") & (state.product_id == AdminBatchesState.product_id),
        on_open_change=state.set_open,
    )
