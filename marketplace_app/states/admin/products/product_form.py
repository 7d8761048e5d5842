"""Converts between a product and its form: the initial values, what the browser sends, and the resulting request."""

import re
from typing import TYPE_CHECKING, Any

from pydantic.alias_generators import to_camel
from typing_extensions import TypedDict

from marketplace_app.models import Effect, Flavor
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.products.product_labels import LABELS, Kind
from marketplace_app.schemas.texts import as_textarea_value
from marketplace_app.states.events.arguments import FORM_KEY

EFFECTS, FLAVORS = [each.value for each in Effect], [each.value for each in Flavor]
CHECKBOX_OPTIONS = {"effects": EFFECTS, "flavors": FLAVORS}
"""Entries that are chosen by checkboxes; others are typed, with commas between them."""
KINDS = {to_camel(name): each.kind for name, each in LABELS.items()}
FLAGS = tuple(name for name, kind in KINDS.items() if kind is Kind.FLAG)
TYPED = tuple(name for name in KINDS if name not in (*FLAGS, *CHECKBOX_OPTIONS))
FIELDS = tuple(KINDS)
BLANK = dict.fromkeys(TYPED, "") | {"stock": "0", "type": "Indica"}
BLANK_FLAGS = dict.fromkeys(FLAGS, False) | {"active": True}
# `int` and `float` would also take `1_5`, a slip for `1.5`, as 15.
_NUMBER = re.compile(r"[+-]?([0-9]{1,15}\.?[0-9]{0,15}|\.[0-9]{1,15})")

if TYPE_CHECKING:  # type checkers cannot read a computed TypedDict
    ProductFormData = dict[str, Any]
else:
    _TYPES = dict.fromkeys(FLAGS, bool) | dict.fromkeys(CHECKBOX_OPTIONS, list[str])
    _NAMES = (FORM_KEY, *FIELDS)
    ProductFormData = TypedDict("ProductFormData", {name: _TYPES.get(name, str) for name in _NAMES}, total=False)


def facts_of(product: AdminProductView) -> dict[str, Any]:
    """All fields of the form except the stock, which sales change too."""
    return {name: value for name, value in product.form_wire().items() if name != "stock"}


def values_of(product: AdminProductView) -> dict[str, str]:
    """The initial texts of the fields."""
    wire = product.form_wire()
    return {name: _as_text(wire[name]) for name in TYPED}


def flags_of(product: AdminProductView) -> dict[str, bool]:
    wire = product.form_wire()
    return {name: wire[name] for name in FLAGS}


def wire_of(form: ProductFormData, product: AdminProductView | None) -> dict[str, Any]:
    """The whole product as the REST call takes it.

    An unchanged field is sent as its stored value, not as parsed from its text: an entry may contain a comma, and a
    line may end with CRLF.
    """
    given = dict(form)
    facts, initial = (facts_of(product), values_of(product)) if product else ({}, {})
    wire = dict(facts)
    for name in TYPED:
        text = given.get(name, "")
        if name not in facts or text != initial[name]:
            wire[name] = _parse_text(name, text)
    for name, options in CHECKBOX_OPTIONS.items():
        wire[name] = _chosen(facts.get(name, []), given.get(name, []), options)
    return wire | {name: given.get(name, False) for name in FLAGS}


def _chosen(before: list[str], ticked: list[str], options: list[str]) -> list[str]:
    """Keeps the saved order and appends newly ticked values. Values without a checkbox stay."""
    remaining = [each for each in before if each in ticked or each not in options]
    return remaining + [each for each in ticked if each not in before]


def _as_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, float):
        return show_number(value)
    return "" if value is None else as_textarea_value(str(value))


def _parse_text(name: str, text: str) -> object:
    """What is not a number is passed on for the form to refuse."""
    if KINDS[name] is Kind.ENTRIES:
        return [each.strip() for each in text.split(",") if each.strip()]
    if KINDS[name] not in (Kind.INTEGER, Kind.NUMBER):
        return text
    if not text.strip() and name != "stock":
        return None
    return parse_number(text)


def show_number(number: float) -> str:
    """As it is typed: `22.45`, without an exponent."""
    return f"{number:.10f}".rstrip("0").removesuffix(".")


def parse_number(text: str) -> object:
    """The number in ` 22.5 `. Other text is passed on for the form to refuse."""
    if not _NUMBER.fullmatch(text.strip()):
        return text
    return float(text) if "." in text else int(text)
