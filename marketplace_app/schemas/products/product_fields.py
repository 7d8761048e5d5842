"""The facts about a product that owners fill in (RULE product-fields), declared once for everything that uses them.

`ProductForm` says which values are allowed, `ProductFacts` what is stored, `product_labels` what it is called. JSON,
CSV and the form for owners follow from these.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, create_model
from pydantic.alias_generators import to_camel

from marketplace_app import money
from marketplace_app.limits import (
    MAX_BRAND,
    MAX_DESCRIPTION,
    MAX_GRAMS,
    MAX_MILLIGRAMS,
    MAX_PRICE_CENTS,
    MAX_PRODUCT_NAME,
    MAX_STOCK,
)
from marketplace_app.models import Potency, ProductType, Strain
from marketplace_app.schemas.base import Answer, Cents, Form
from marketplace_app.schemas.products.product_labels import LABELS, Kind, of_kind
from marketplace_app.schemas.rows import names_of, row
from marketplace_app.schemas.texts import one_line, refuse_control_characters

LIST_SEPARATOR = "|"
"""Separates the entries of a list in a CSV cell, so no entry may contain it."""
COLUMN_OF = {"price": "price_cents", "featured": "is_featured", "active": "is_active"}
"""Where a field and its column have different names."""
_FIELD_OF = {column: name for name, column in COLUMN_OF.items()}


def _entry(text: str) -> str:
    if LIST_SEPARATOR in text:
        raise ValueError(f"an entry may not hold {LIST_SEPARATOR}")
    return one_line(text)


def _once_each(entries: list[str]) -> list[str]:
    return list(dict.fromkeys(entries))


def _blank_is_none(value: object) -> object:
    return None if value == "" else value


ShortText = Annotated[str, Field(min_length=1, max_length=MAX_PRODUCT_NAME), AfterValidator(one_line)]
LongText = Annotated[str, Field(max_length=MAX_DESCRIPTION), AfterValidator(refuse_control_characters)]
Sku = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")]
Price = Annotated[Cents, Field(ge=1, le=MAX_PRICE_CENTS)]
Count = Annotated[int, Field(ge=0, le=MAX_STOCK)]
Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Entry = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_entry)]
Entries = Annotated[list[Entry], Field(max_length=20), AfterValidator(_once_each)]
BlankIsNone = BeforeValidator(_blank_is_none)


class ProductForm(Form):
    """A whole product. Fields left out get their default, but a product keeps its `sku` and `ingredients`.

    A new product without a SKU gets one.
    """

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "name": "Northern Lantern",
        "description": "Warm cedar with a long orange finish.",
        "price": "62.00",
        "category": "THC Flower",
        "type": "Indica",
        "potency": "Medium THC (20-25%)",
        "stock": 40,
        "thcPercent": 22.5,
        "effects": ["Calm"],
        "flavors": ["Citrus"],
    }

    MESSAGES: ClassVar[Mapping[str, str]] = {
        to_camel(name): each.sentence for name, each in LABELS.items() if each.sentence
    }

    name: ShortText
    description: LongText
    price: Price
    category: ShortText
    type: Annotated[ProductType, Field(strict=False)]
    potency: Annotated[Potency | None, Field(strict=False), BlankIsNone]
    stock: Count
    featured: bool = False
    active: bool = True
    brand: Annotated[str, Field(max_length=MAX_BRAND), AfterValidator(one_line)] = ""
    sku: Annotated[Sku | None, BlankIsNone] = None
    strain: Annotated[Strain | None, Field(strict=False), BlankIsNone] = None
    thc_percent: Percent | None = None
    cbd_percent: Percent | None = None
    thc_mg: Annotated[int, Field(ge=0, le=MAX_MILLIGRAMS)] | None = None
    net_weight_grams: Annotated[float, Field(gt=0, le=MAX_GRAMS, allow_inf_nan=False)] | None = None
    effects: Entries = []
    flavors: Entries = []
    terpenes: Entries = []
    ingredients: LongText | None = None
    """If left out, the product keeps its ingredients."""

    def columns(self) -> dict[str, Any]:
        """By column of the table, without the stock, which is changed by movements."""
        names = (name for name in type(self).model_fields if name != "stock")
        given = {COLUMN_OF.get(name, name): getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if value is not None or name not in ("sku", "ingredients")}


@row
class ProductFacts:
    """The facts as the table has them. Stock and `is_active` are not for shoppers, so they are not here."""

    sku: str
    name: str
    description: str
    ingredients: str
    price_cents: int
    category: str
    type: ProductType
    potency: Potency | None
    strain: Strain | None
    brand: str
    net_weight_grams: float | None
    thc_percent: float | None
    cbd_percent: float | None
    thc_mg: int | None
    effects: tuple[str, ...]
    flavors: tuple[str, ...]
    terpenes: tuple[str, ...]
    is_featured: bool

    def facts_wire(self) -> dict[str, Any]:
        wire = dict(zip(_WIRE_NAMES, _values_of(self), strict=False))
        wire["price"] = money.decimal(self.price_cents)
        for name in _CHOICES:
            if wire[name] is None:
                wire[name] = ""
        return wire


FACTS = names_of(ProductFacts)
_values_of = attrgetter(*FACTS)
_WIRE_NAMES = tuple(to_camel(_FIELD_OF.get(column, column)) for column in FACTS)
_CHOICES = tuple(to_camel(name) for name in of_kind(Kind.CHOICE))
ENTRIES = of_kind(Kind.ENTRIES)
_ENTRIES_AT = tuple(FACTS.index(name) for name in ENTRIES)


def facts_of_row(values: list[Any]) -> list[Any]:
    """Turns lists into tuples, in place. `values` begin with the values of FACTS; those of other columns may follow."""
    for index in _ENTRIES_AT:
        values[index] = tuple(values[index])
    return values


_JSON_TYPES: Mapping[Kind, Any] = {
    Kind.INTEGER: int | None,
    Kind.NUMBER: float | None,
    Kind.FLAG: bool,
    Kind.ENTRIES: list[str],
}
"""Everything else is text."""


def _answer_fields() -> dict[str, Any]:
    known = {name: each for name, each in LABELS.items() if COLUMN_OF.get(name, name) in FACTS}
    return {
        name: (_JSON_TYPES.get(each.kind, str), Field(examples=None if each.example is None else [each.example]))
        for name, each in known.items()
    }


if TYPE_CHECKING:

    class FactsAnswer(Answer):
        """`ProductFacts.facts_wire`."""

else:
    FactsAnswer = create_model("FactsAnswer", __base__=Answer, **_answer_fields())
