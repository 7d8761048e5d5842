"""The form that edits an order, and the confirmation before one is deleted."""

import reflex as rx

from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.fields import form_key_field, select_field, text_area, text_field
from marketplace_app.models import OrderStatus
from marketplace_app.states.admin.orders.order_form import AdminOrderFormState

_STATUSES = [(each.value, each.label) for each in OrderStatus]


def _value(name: str) -> rx.Var[str]:
    return AdminOrderFormState.values[name]


def _error(name: str) -> rx.Var[str]:
    return AdminOrderFormState.errors[name]


def order_fields() -> rx.Component:
    """The six fields that staff may edit (RULE order-edit)."""

    def area(label: str, name: str) -> rx.Component:
        return text_area(label, name, _error(name), rows=2, default_value=_value(name))

    return rx.el.div(
        select_field("Status", "status", _STATUSES, _error("status"), default_value=_value("status")),
        text_field(
            "Estimated delivery",
            "estimatedDelivery",
            _error("estimatedDelivery"),
            type="datetime-local",
            default_value=_value("estimatedDelivery"),
        ),
        text_field(
            "Contact phone", "contactPhone", _error("contactPhone"), type="tel", default_value=_value("contactPhone")
        ),
        rx.el.div(area("Delivery address", "deliveryAddress"), class_name="sm:col-span-2"),
        rx.el.div(area("Delivery instructions", "deliveryInstructions"), class_name="sm:col-span-2"),
        rx.el.div(area("Payment instructions", "paymentInstructions"), class_name="sm:col-span-2"),
        class_name="grid gap-4 sm:grid-cols-2",
    )


def order_dialog() -> rx.Component:
    save = pending_button("Save Changes", "Saving...", AdminOrderFormState.is_saving, type="submit")
    return dialog(
        dialog_header(AdminOrderFormState.title),
        rx.el.form(
            rx.el.div(order_fields(), class_name="scrollbar-thin min-h-0 flex-1 overflow-y-auto p-5"),
            dialog_footer(
                "Cancel",
                save,
            ),
            form_key_field(AdminOrderFormState.form_key),
            on_submit=AdminOrderFormState.save,
            no_validate=True,
            key=AdminOrderFormState.form_key.to_string(),
            class_name="flex min-h-0 flex-col",
        ),
        shape="wide",
        open=AdminOrderFormState.open_dialog == "edit",
        on_open_change=AdminOrderFormState.set_open,
    )


def delete_dialog() -> rx.Component:
    return dialog(
        dialog_header("Delete this order?"),
        rx.el.p(
            AdminOrderFormState.title,
            " is removed from all lists and statistics. An open order is cancelled first, which returns its stock "
            "and credit.",
            class_name="p-5 text-small text-ink-2",
        ),
        dialog_footer(
            "Keep Order",
            button("Delete Order", variant="danger", on_click=AdminOrderFormState.delete),
        ),
        open=AdminOrderFormState.open_dialog == "delete",
        on_open_change=AdminOrderFormState.set_open,
    )
