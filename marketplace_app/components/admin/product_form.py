"""The form of a product: its facts, saved as a whole. What is typed stays in the browser until then."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.fields import checkbox_set, choice, field_error, text_area, text_field, tick
from marketplace_app.models import Permission, Potency, ProductType, Strain
from marketplace_app.states.admin.product import AdminProductState
from marketplace_app.states.admin.product_form import EFFECTS, FLAVORS

FORM = "product-form"
_TYPES = [(kind.value, kind.value) for kind in ProductType]
_STRAINS = [("", "None"), *((strain.value, strain.value) for strain in Strain)]
_POTENCIES = [("", "Automatic (from THC %)"), *((potency.value, potency.value) for potency in Potency)]
_CHIP = (
    "inline-flex min-h-11 cursor-pointer items-center rounded-2 border border-line-strong bg-surface px-3 text-small "
    "hover:bg-wash has-checked:border-brand-text has-checked:bg-wash has-checked:font-semibold "
    "has-checked:text-brand-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 "
    "has-focus-visible:outline-focus md:min-h-9"
)


def _text(label: str, name: str, **props: Any) -> rx.Component:
    error, value = AdminProductState.errors[name], AdminProductState.values[name]
    return text_field(label, name, error, default_value=value, **props)


def _number(label: str, name: str, **props: Any) -> rx.Component:
    return _text(label, name, input_mode="decimal", auto_complete="off", **props)


def _choice(label: str, name: str, options: Any) -> rx.Component:
    return choice(label, name, options, AdminProductState.errors[name], default_value=AdminProductState.values[name])


def _basics() -> rx.Component:
    return panel(
        _text("Name", "name", auto_complete="off"),
        text_area(
            "Description",
            "description",
            AdminProductState.errors["description"],
            default_value=AdminProductState.values["description"],
        ),
        rx.el.div(
            _number("Price", "price"),
            _choice("Category", "category", AdminProductState.categories),
            _choice("Type", "type", _TYPES),
            class_name="grid gap-4 sm:grid-cols-3",
        ),
        class_name="grid gap-4 p-5",
        aria_label="Basics",
    )


def _potency() -> rx.Component:
    def chip(value: str, label: str) -> rx.Component:
        return rx.el.label(
            rx.el.input(
                type="radio",
                name="potency",
                value=value,
                default_checked=AdminProductState.values["potency"] == value,
                class_name="sr-only",
            ),
            label,
            class_name=f"relative {_CHIP}",
        )

    return rx.el.fieldset(
        rx.el.legend("Potency", class_name="pb-1.5 text-small font-semibold"),
        rx.el.div(*[chip(value, label) for value, label in _POTENCIES], class_name="flex flex-wrap gap-1.5"),
        field_error(AdminProductState.errors["potency"], "potency-error"),
    )


def _strength() -> rx.Component:
    return panel(
        rx.el.div(
            _number("THC %", "thcPercent"),
            _number("CBD %", "cbdPercent"),
            _number("THC mg", "thcMg"),
            _number("Net weight (g)", "netWeightGrams"),
            _number("Stock", "stock"),
            class_name="grid grid-cols-2 gap-4 sm:grid-cols-5",
        ),
        _potency(),
        title="Strength and stock",
        class_name="grid gap-4 p-5",
    )


def _character() -> rx.Component:
    errors = AdminProductState.errors
    return panel(
        checkbox_set("Effects", "effects", EFFECTS, AdminProductState.effects, errors["effects"]),
        checkbox_set("Flavors", "flavors", FLAVORS, AdminProductState.flavors, errors["flavors"]),
        _text("Terpenes", "terpenes", hint="Separated by commas."),
        text_area(
            "Ingredients",
            "ingredients",
            errors["ingredients"],
            rows=2,
            default_value=AdminProductState.values["ingredients"],
        ),
        title="Character",
        class_name="grid gap-4 p-5",
    )


def _label() -> rx.Component:
    return panel(
        rx.el.div(
            _text("Brand", "brand"),
            _text("SKU", "sku", hint="Generated if left empty. Imports find the product by it.", auto_complete="off"),
            _choice("Strain", "strain", _STRAINS),
            class_name="grid gap-4 sm:grid-cols-3",
        ),
        title="Label",
        class_name="grid gap-4 p-5",
    )


def product_form() -> rx.Component:
    return rx.el.form(
        editable(_basics(), _strength(), _character(), _label(), class_name="grid content-start gap-4"),
        id=FORM,
        on_submit=AdminProductState.save,
        no_validate=True,
        key=AdminProductState.edition.to_string(),
    )


def editable(*fields: rx.Component, class_name: str) -> rx.Component:
    """Fields that are read-only for users who may not edit."""
    return rx.el.fieldset(*fields, disabled=~may(Permission.EDIT_PRODUCTS), class_name=f"min-w-0 {class_name}")


def visibility() -> rx.Component:
    """Outside of the form element, but belongs to the form."""

    def row(label: str, name: str, is_on: rx.Var[bool]) -> rx.Component:
        return rx.el.label(
            tick(name=name, value="true", default_checked=is_on, custom_attrs={"form": FORM}),
            label,
            key=f"{name}-{AdminProductState.edition}",
            class_name="flex min-h-11 cursor-pointer items-center gap-2.5 md:min-h-9",
        )

    return panel(
        editable(
            row("Active", "active", AdminProductState.is_active),
            row("Featured", "featured", AdminProductState.is_featured),
            class_name="grid",
        ),
        title="Shown in the store",
        class_name="grid gap-2 p-5",
    )
