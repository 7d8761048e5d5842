"""Editing and deleting one order: in a dialog on the list, or on the order's admin page."""

from datetime import datetime
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages
from marketplace_app.config import get_settings
from marketplace_app.errors import EditedMeanwhile
from marketplace_app.models import Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm, OrderId
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.texts import as_input_value, as_textarea_value
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import fulfilment
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields, On, mark_changed

FIELDS = (
    "status",
    "deliveryAddress",
    "deliveryInstructions",
    "paymentInstructions",
    "contactPhone",
    "estimatedDelivery",
)


class OrderEditFormData(TypedDict, total=False):
    form_key: str
    status: str
    deliveryAddress: str
    deliveryInstructions: str
    paymentInstructions: str
    contactPhone: str
    estimatedDelivery: str


class AdminOrderFormState(rx.State):
    open_dialog: str = ""
    """edit, delete, or nothing"""
    order_id: str = ""
    title: str = ""
    """`Order 4836`"""
    values: dict[str, str] = dict.fromkeys(FIELDS, "")
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_saving: bool = False
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number rebuilds the form with the order's values."""
    _seen: dict[str, Any] = {}
    """The stored values of the order, as the form shows them."""

    @action(who=Permission.EDIT_ORDERS, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_UPDATED))
    async def edit(self, order_id: str) -> None:
        await self._open(order_id, "edit")

    @action(who=Permission.DELETE_ORDERS, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_DELETED))
    async def ask_to_delete(self, order_id: str) -> None:
        await self._open(order_id, "delete")

    @action(who=Permission.SEE_ORDERS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close it, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.open_dialog = ""

    async def _mark_conflicts(self, error: EditedMeanwhile) -> None:
        """Show the stored values beside the fields, and keep what was typed: saving again knowingly replaces them."""
        order = (await read(self, admin_orders.get, self.order_id)).order
        stored, texts = fulfilment.editable_values(order), _values(order)
        current = texts | {
            "status": order.status.label,
            "estimatedDelivery": clock.show_time(order.estimated_delivery_at, get_settings().timezone),
        }
        self._seen = self._seen | {name: stored[name] for name in error.fields}
        self.values = self.values | {name: texts[name] for name in error.fields}
        self.errors = mark_changed(FIELDS, error.fields, current)

    @action(
        who=Permission.EDIT_ORDERS,
        on_failure=(
            Fields("errors", FIELDS),
            On(EditedMeanwhile, _mark_conflicts),
            Explain(messages.ERROR, messages.ORDER_NOT_UPDATED),
        ),
    )
    async def save(self, form: OrderEditFormData) -> Updates:
        """Save only the fields that were changed: writing the delivery address clears the order's street, city, state
        and ZIP code."""
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            changes = {name: value for name, value in form.items() if value != self.values.get(name)}
            if due := changes.get("estimatedDelivery"):
                changes["estimatedDelivery"] = _moment(str(due))
            await write(self, fulfilment.edit, self.order_id, parse(OrderEditForm, changes), seen=self._seen)
        finally:
            self.is_saving = False
        self.open_dialog = ""
        await toast(self, "success", messages.ORDER_UPDATED)

    @action(who=Permission.DELETE_ORDERS, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_DELETED))
    async def delete(self) -> None:
        if self.open_dialog != "delete":
            return
        await write(self, admin_orders.delete, self.order_id)
        self.open_dialog = ""
        await toast(self, "success", messages.ORDER_DELETED)

    def _leave_page(self) -> None:
        if self.open_dialog:
            self.open_dialog = ""

    async def _open(self, order_id: str, dialog: str) -> None:
        order = (await read(self, admin_orders.get, parse(OrderId, {"orderId": order_id}).order_id)).order
        self.order_id, self.title = order.id, f"Order {order.number}"
        self.values, self.errors = _values(order), dict.fromkeys(FIELDS, "")
        self._seen = fulfilment.editable_values(order)
        self.open_dialog, self.form_key = dialog, self.form_key + 1


def _values(order: OrderView) -> dict[str, str]:
    """The values of the form's fields."""
    due = order.estimated_delivery_at.astimezone(get_settings().timezone)
    texts = (
        order.status.value,
        as_textarea_value(order.delivery_address),
        as_textarea_value(order.delivery_instructions),
        as_textarea_value(order.payment_instructions),
        as_input_value(order.contact_phone),
        due.strftime("%Y-%m-%dT%H:%M"),
    )
    return dict(zip(FIELDS, texts, strict=True))


def _moment(local: str) -> str:
    """The browser's `2026-11-22T11:40`, in the store's time zone. Other text is passed on for the form to refuse."""
    try:
        return datetime.strptime(local, "%Y-%m-%dT%H:%M").replace(tzinfo=get_settings().timezone).isoformat()
    except ValueError:
        return local
