"""The saved addresses among the account's settings, and the dialog that adds or edits one."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.fields import checkbox_input, form_key_field, text_area, text_field
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.limits import MAX_ADDRESS_LABEL, MAX_ADDRESSES, MAX_INSTRUCTIONS
from marketplace_app.states.account.addresses import LIST_ID, AddressesState, AddressRow


def _row_button(label: str, address_name: Any, on_click: Any) -> rx.Component:
    """Its accessible name includes the address's, since every row has the same buttons."""
    return button(
        label, rx.el.span(" ", address_name, class_name="sr-only"), variant="ghost", size="sm", on_click=on_click
    )


def address_row(row: rx.Var[AddressRow] | AddressRow) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                rx.el.span(row.name, class_name="font-semibold wrap-anywhere"),
                rx.cond(row.is_default, badge("Default", "green")),
                class_name="flex flex-wrap items-center gap-2.5",
            ),
            rx.el.p(row.full_address, class_name="text-small text-ink-2 wrap-anywhere"),
            class_name="grid min-w-0 flex-1 basis-60 gap-1",
        ),
        rx.el.div(
            rx.cond(
                row.is_default,
                rx.fragment(),
                _row_button("Make Default", row.name, AddressesState.make_default(row.id)),
            ),
            _row_button("Edit", row.name, AddressesState.edit(row.id)),
            _row_button("Remove", row.name, AddressesState.remove(row.id)),
            class_name="-mx-3 flex flex-wrap",
        ),
        key=row.id,
        class_name="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line py-3 first:border-t",
    )


def _field(label: str, name: str, autocomplete: str, **props: Any) -> rx.Component:
    return text_field(
        label,
        name,
        AddressesState.errors[name],
        default_value=AddressesState.values[name],
        auto_complete=autocomplete,
        **props,
    )


def _instructions(label: str, name: str, placeholder: str) -> rx.Component:
    return text_area(
        label,
        name,
        AddressesState.errors[name],
        default_value=AddressesState.values[name],
        placeholder=placeholder,
        max_length=MAX_INSTRUCTIONS,
    )


def _fields() -> rx.Component:
    default_checkbox = rx.el.label(
        checkbox_input(name="isDefault"),
        "Make this my default address",
        class_name="flex min-h-11 cursor-pointer items-center gap-2.5 justify-self-start text-ui",
    )
    return rx.el.div(
        _field("Label", "label", "off", placeholder="Home, Work", max_length=MAX_ADDRESS_LABEL),
        _field("Address", "street", "street-address"),
        rx.el.div(
            rx.el.div(_field("City", "city", "address-level2"), class_name="col-span-2 md:col-span-1"),
            _field("State", "state", "address-level1"),
            _field("Zip code", "zip", "postal-code", input_mode="numeric"),
            class_name="grid grid-cols-2 items-start gap-4 md:grid-cols-[2fr_1fr_1fr]",
        ),
        _instructions("Delivery instructions", "deliveryInstructions", "Which door to use, and whether to ring."),
        _instructions("Payment pickup instructions", "paymentInstructions", "Where will the driver find the cash?"),
        rx.cond(AddressesState.may_make_default, default_checkbox),
        class_name="grid gap-4",
    )


def _dialog() -> rx.Component:
    head = dialog_header(rx.cond(AddressesState.is_new, "Add address", "Edit address"))
    foot = dialog_footer(
        "Cancel",
        pending_button("Save Address", "Saving...", AddressesState.is_saving, type="submit"),
    )
    form = rx.el.form(
        rx.el.div(_fields(), class_name="scrollbar-thin min-h-0 flex-1 overflow-y-auto p-5"),
        foot,
        form_key_field(AddressesState.form_key),
        key=AddressesState.form_key,
        on_submit=AddressesState.save,
        no_validate=True,
        class_name="flex min-h-0 flex-col",
    )
    return dialog(head, form, open=AddressesState.is_open, on_open_change=AddressesState.set_open)


def address_book() -> rx.Component:
    full = rx.el.p(f"You can save up to {MAX_ADDRESSES} addresses.", class_name="text-small text-ink-2")
    listed = rx.el.div(
        rx.cond(
            AddressesState.rows.length() > 0,
            rx.el.ul(rx.foreach(AddressesState.rows, address_row), aria_label="Addresses", class_name="w-full"),
        ),
        rx.cond(AddressesState.is_full, full, button("Add Address", variant="outline", on_click=AddressesState.add)),
        id=LIST_ID,
        tab_index=-1,
        class_name="grid w-full justify-items-start gap-4 outline-none",
    )
    return rx.fragment(
        rx.cond(AddressesState.is_loaded, listed, rx.el.div(skeleton_block("h-16 w-full"), aria_hidden="true")),
        _dialog(),
    )
