"""The form of a product: its facts, saved as a whole. What is typed stays in the browser until then."""

from itertools import groupby
from types import NoneType
from typing import Any, get_args

import reflex as rx
from pydantic.alias_generators import to_camel

from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.controls.fields import (
    checkbox_input,
    checkbox_set,
    field_error,
    form_key_field,
    select_field,
    text_area,
    text_field,
)
from marketplace_app.models import Permission
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.schemas.products.product_labels import LABELS, FormPanel, Kind
from marketplace_app.states.admin.product import AdminProductState
from marketplace_app.states.admin.products.product_form import CHECKBOX_OPTIONS

FORM = "product-form"
LEAVE = "Leave without saving? What you changed here will be lost."  # asked by `unsaved.py`
_EMPTY_OPTIONS = {"potency": "Automatic (from THC %)"}
"""Labels of empty options for which 'None' would be wrong."""
_FULL_WIDTH_KINDS = (Kind.PROSE, Kind.ENTRIES)
_FULL_WIDTH_FIELDS = ("name", "potency")
"""As wide as their panel, like the kinds above; the others are side by side."""
_CHIP = (
    "inline-flex min-h-11 cursor-pointer items-center rounded-2 border border-line-strong bg-surface px-3 text-small "
    "hover:bg-wash has-checked:border-brand-text has-checked:bg-wash has-checked:font-semibold "
    "has-checked:text-brand-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 "
    "has-focus-visible:outline-focus md:min-h-9"
)


def _control(name: str) -> rx.Component:
    field, key = LABELS[name], to_camel(name)
    error, value = AdminProductState.errors[key], AdminProductState.values[key]
    match field.kind:
        case Kind.ENTRIES if key in CHECKBOX_OPTIONS:
            return checkbox_set(field.label, key, CHECKBOX_OPTIONS[key], getattr(AdminProductState, key), error)
        case Kind.PROSE:
            rows = 2 if name == "ingredients" else 3
            return text_area(field.label, key, error, field.hint, rows, default_value=value)
        case Kind.CHOICE if name == "potency":
            return _chips(name)
        case Kind.CHOICE:
            options: Any = _options(name) if field.options else AdminProductState.categories
            return select_field(field.label, key, options, error, field.hint, default_value=value)
        case Kind.INTEGER | Kind.NUMBER | Kind.MONEY:
            props = {"input_mode": "decimal", "auto_complete": "off"}
        case _:
            props = {"auto_complete": "off"} if name in ("name", "sku") else {}
    return text_field(field.label, key, error, field.hint, default_value=value, **props)


def _options(name: str) -> list[tuple[str, str]]:
    options = [(value, value) for value in LABELS[name].options]
    if NoneType not in get_args(ProductForm.model_fields[name].annotation):
        return options
    # Without an empty option the browser would send the first value for a product that has none.
    return [("", _EMPTY_OPTIONS.get(name, "None")), *options]


def _chips(name: str) -> rx.Component:
    def chip(value: str, label: str) -> rx.Component:
        return rx.el.label(
            rx.el.input(
                type="radio",
                name=name,
                value=value,
                default_checked=AdminProductState.values[name] == value,
                class_name="sr-only",
            ),
            label,
            class_name=f"relative {_CHIP}",
        )

    return rx.el.fieldset(
        rx.el.legend(LABELS[name].label, class_name="pb-1.5 text-small font-semibold"),
        rx.el.div(*[chip(value, label) for value, label in _options(name)], class_name="flex flex-wrap gap-1.5"),
        field_error(AdminProductState.errors[name], f"{name}-error"),
        aria_describedby=f"{name}-error",
    )


def _fields(wanted: FormPanel, side_by_side: str = "") -> list[rx.Component]:
    """The controls of a panel in the order of `LABELS`: wide ones in a row of their own, others side by side."""
    names = [name for name, each in LABELS.items() if each.panel is wanted]
    shown: list[rx.Component] = []
    for is_wide, neighbours in groupby(
        names, lambda name: name in _FULL_WIDTH_FIELDS or LABELS[name].kind in _FULL_WIDTH_KINDS
    ):
        controls = [_control(name) for name in neighbours]
        shown += controls if is_wide else [rx.el.div(*controls, class_name=side_by_side)]
    return shown


def _basics() -> rx.Component:
    return panel(
        *_fields(FormPanel.BASICS, "grid gap-4 sm:grid-cols-3"), class_name="grid gap-4 p-5", aria_label="Basics"
    )


def _strength() -> rx.Component:
    return panel(
        *_fields(FormPanel.STRENGTH_AND_STOCK, "grid grid-cols-2 gap-4 sm:grid-cols-5"),
        title="Strength and stock",
        class_name="grid gap-4 p-5",
    )


def _character() -> rx.Component:
    return panel(*_fields(FormPanel.CHARACTER), title="Character", class_name="grid gap-4 p-5")


def _label() -> rx.Component:
    return panel(
        *_fields(FormPanel.PACKAGE_LABEL, "grid gap-4 sm:grid-cols-3"), title="Label", class_name="grid gap-4 p-5"
    )


def product_form() -> rx.Component:
    return rx.el.form(
        form_key_field(AdminProductState.form_key),
        editable(_basics(), _strength(), _character(), _label(), class_name="grid content-start gap-4"),
        id=FORM,
        on_submit=AdminProductState.save,
        no_validate=True,
        key=AdminProductState.react_key.to_string(),
        custom_attrs={"data-leave": LEAVE},
    )


def editable(*fields: rx.Component, class_name: str) -> rx.Component:
    """Fields that are read-only for users who may not edit."""
    return rx.el.fieldset(*fields, disabled=~may(Permission.EDIT_PRODUCTS), class_name=f"min-w-0 {class_name}")


def visibility() -> rx.Component:
    """Outside the form element, but submitted with it."""

    def row(label: str, name: str) -> rx.Component:
        return rx.el.label(
            checkbox_input(
                name=name, value="true", default_checked=AdminProductState.flags[name], custom_attrs={"form": FORM}
            ),
            label,
            key=f"{name}-{AdminProductState.react_key}",
            class_name="flex min-h-11 cursor-pointer items-center gap-2.5 md:min-h-9",
        )

    return panel(
        editable(
            *[row(each.label, to_camel(name)) for name, each in LABELS.items() if each.panel is FormPanel.VISIBILITY],
            class_name="grid",
        ),
        title="Shown in the store",
        class_name="grid gap-2 p-5",
    )
