"""Converts between a product and its form: the initial values, what the browser sends, and the resulting request."""

from typing import Any

from typing_extensions import TypedDict

from marketplace_app.models import Effect, Flavor
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.texts import as_in_a_box

TEXTS = ("name", "description", "price", "category", "type", "potency", "brand", "sku", "strain", "ingredients")
NUMBERS = ("stock", "thcPercent", "cbdPercent", "thcMg", "netWeightGrams")
TYPED = (*TEXTS, *NUMBERS, "terpenes")
FIELDS = (*TYPED, "effects", "flavors", "featured", "active")
BLANK = dict.fromkeys(TYPED, "") | {"stock": "0", "type": "Indica"}
EFFECTS, FLAVORS = [each.value for each in Effect], [each.value for each in Flavor]
TICKED = {"effects": EFFECTS, "flavors": FLAVORS}


class Submitted(TypedDict, total=False):
    name: str
    description: str
    price: str
    category: str
    type: str
    potency: str
    brand: str
    sku: str
    strain: str
    ingredients: str
    stock: str
    thcPercent: str
    cbdPercent: str
    thcMg: str
    netWeightGrams: str
    terpenes: str
    effects: list[str]
    flavors: list[str]
    featured: bool
    active: bool


def facts_of(product: AdminProductView) -> dict[str, Any]:
    """All fields of the form except the stock, which sales change too."""
    return {name: value for name, value in product.form_wire().items() if name != "stock"}


def values_of(product: AdminProductView) -> dict[str, str]:
    """What is written in the boxes."""
    wire = product.form_wire() | {"terpenes": ", ".join(product.terpenes)}
    return {name: _shown(wire[name]) for name in TYPED}


def wire_of(form: Submitted, product: AdminProductView | None) -> dict[str, Any]:
    """The whole product as the REST call takes it.

    A box that was left as it began gives the fact it was filled from, not what can be read from it: an entry may hold
    a comma, and a line may end as Windows ends it.
    """
    given: dict[str, Any] = dict(form)
    facts, began = (facts_of(product), values_of(product)) if product else ({}, {})
    wire = dict(facts)
    for name in TYPED:
        text = given.get(name, "")
        if name not in facts or text != began[name]:
            wire[name] = _read(name, text)
    for name, options in TICKED.items():
        wire[name] = _chosen(facts.get(name, []), given.get(name, []), options)
    return wire | {name: given.get(name, False) for name in ("featured", "active")}


def _chosen(before: list[str], ticked: list[str], options: list[str]) -> list[str]:
    """Keeps the saved order and appends newly ticked values. Values without a checkbox stay."""
    kept = [each for each in before if each in ticked or each not in options]
    return kept + [each for each in ticked if each not in before]


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10f}".rstrip("0").removesuffix(".")
    return "" if value is None else as_in_a_box(str(value))


def _read(name: str, text: str) -> object:
    """What is not a number is passed on for the form to refuse."""
    if name == "terpenes":
        return [each.strip() for each in text.split(",") if each.strip()]
    if name in TEXTS:
        return text
    if not text.strip() and name != "stock":
        return None
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text
