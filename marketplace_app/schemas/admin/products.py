"""Products as those who work here write and see them (RULE product-fields, RULE wire-product)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field

from marketplace_app import clock, money
from marketplace_app.limits import LOW_STOCK, MAX_STOCK
from marketplace_app.models import Potency, Product, ProductType, Strain
from marketplace_app.packaging import picture_of, picture_url
from marketplace_app.schemas.base import Answer, Cents, Form, PageQuery
from marketplace_app.schemas.lab_reports import LabReportAnswer, LabReportView, lab_report_of_row
from marketplace_app.schemas.products import SortOrder, Values
from marketplace_app.schemas.texts import no_control, one_line

MAX_PRICE_CENTS = 100_000_00
MAX_DESCRIPTION = 5_000
BETWEEN = "|"
"""Separates the entries of a list in a CSV cell, so no entry may contain it."""


def _entry(text: str) -> str:
    if BETWEEN in text:
        raise ValueError(f"an entry may not hold {BETWEEN}")
    return one_line(text)


def _once_each(entries: list[str]) -> list[str]:
    return list(dict.fromkeys(entries))


def _blank_is_none(value: object) -> object:
    return None if value == "" else value


Line = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(one_line)]
Text = Annotated[str, Field(max_length=MAX_DESCRIPTION), AfterValidator(no_control)]
Sku = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")]
Price = Annotated[Cents, Field(ge=1, le=MAX_PRICE_CENTS)]
Count = Annotated[int, Field(ge=0, le=MAX_STOCK)]
Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Entry = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_entry)]
Entries = Annotated[list[Entry], Field(max_length=20), AfterValidator(_once_each)]
OrBlank = BeforeValidator(_blank_is_none)


class ProductForm(Form):
    """A whole product: what is left out gets its default, save the SKU, which stays or is made, and the ingredients."""

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

    SENTENCES: ClassVar[Mapping[str, str]] = {
        "name": "A name of 1 to 120 characters is required.",
        "description": f"A description of at most {MAX_DESCRIPTION:,} characters is required.",
        "price": "A price between 0.01 and 100000.00 is required.",
        "category": "A category is required.",
        "type": f"The type must be one of {', '.join(ProductType)}.",
        "potency": f"A potency is required: one of {', '.join(Potency)}, or empty to follow from THC.",
        "stock": f"Stock must be a whole number between 0 and {MAX_STOCK:,}.",
        "sku": "A SKU has up to 40 letters, digits, dots, dashes and underscores, the first a letter or digit.",
        "strain": f"The strain must be one of {', '.join(Strain)}, or empty.",
        "thcPercent": "THC must be between 0 and 100 percent.",
        "cbdPercent": "CBD must be between 0 and 100 percent.",
        "thcMg": "THC must be a whole number of milligrams between 0 and 100,000.",
        "netWeightGrams": "The net weight must be above 0 and at most 100,000 grams.",
        "featured": "Either true or false.",
        "active": "Either true or false.",
    }

    name: Line
    description: Text
    price: Price
    category: Line
    type: Annotated[ProductType, Field(strict=False)]
    potency: Annotated[Potency | None, Field(strict=False), OrBlank]
    stock: Count
    featured: bool = False
    active: bool = True
    brand: Annotated[str, Field(max_length=80), AfterValidator(one_line)] = ""
    sku: Annotated[Sku | None, OrBlank] = None
    strain: Annotated[Strain | None, Field(strict=False), OrBlank] = None
    thc_percent: Percent | None = None
    cbd_percent: Percent | None = None
    thc_mg: Annotated[int, Field(ge=0, le=100_000)] | None = None
    net_weight_grams: Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)] | None = None
    effects: Entries = []
    flavors: Entries = []
    terpenes: Entries = []
    ingredients: Text | None = None
    """Left out, it stays."""

    def columns(self) -> dict[str, Any]:
        """By the names of the table; stock is not among them, since it has a ledger."""
        names = {"price": "price_cents", "featured": "is_featured", "active": "is_active"}
        given = {names.get(name, name): getattr(self, name) for name in type(self).model_fields if name != "stock"}
        return {name: value for name, value in given.items() if value is not None or name not in ("sku", "ingredients")}


class AdminProductSort(StrEnum):
    NAME = "name"
    PRICE = "price"
    STOCK = "stock"
    UPDATED = "updated"
    CREATED = "created"


class AdminProductQuery(PageQuery):
    """Filters combine: OR within category and type, AND across. Archived products are among them unless asked away.

    Without `sort` a search shows the best matches of the name first, and everything else is by name.
    """

    q: Annotated[str, Field(max_length=200)] = ""
    category: Values = []
    type: Values = []
    active: bool | None = None
    low_stock: bool = False
    without_report: bool = False
    sort: AdminProductSort | None = None
    order: SortOrder = SortOrder.ASCENDING


class AdminProductView(NamedTuple):
    """Everything that is kept of a product, archived or not."""

    id: int
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
    image: str
    stock: int
    is_active: bool
    is_featured: bool
    created_at: datetime
    updated_at: datetime
    lab_report: LabReportView | None

    @property
    def is_low(self) -> bool:
        return self.is_active and self.stock <= LOW_STOCK

    @property
    def version(self) -> str:
        """Identifies this state of its facts: an edit says which one it is based on. Sales do not change it."""
        return self.updated_at.isoformat()

    def form_wire(self) -> dict[str, Any]:
        """The fields of `ProductForm`."""
        return {
            "name": self.name,
            "description": self.description,
            "price": money.decimal(self.price_cents),
            "category": self.category,
            "type": self.type.value,
            "potency": self.potency.value if self.potency else "",
            "stock": self.stock,
            "featured": self.is_featured,
            "active": self.is_active,
            "brand": self.brand,
            "sku": self.sku,
            "strain": self.strain.value if self.strain else "",
            "thcPercent": self.thc_percent,
            "cbdPercent": self.cbd_percent,
            "thcMg": self.thc_mg,
            "netWeightGrams": self.net_weight_grams,
            "effects": list(self.effects),
            "flavors": list(self.flavors),
            "terpenes": list(self.terpenes),
            "ingredients": self.ingredients,
        }

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            **self.form_wire(),
            "imageUrl": picture_url(self.image),
            "lowStock": self.is_low,
            "labReport": self.lab_report.wire() if self.lab_report else None,
            "createdAt": clock.iso(self.created_at),
            "updatedAt": clock.iso(self.updated_at),
        }


PRODUCT_COLUMNS = AdminProductView._fields[:-1]


def desk_view_of_row(row: Any) -> AdminProductView:
    """From the values of PRODUCT_COLUMNS and of `schemas.products.LAB_COLUMNS`."""
    facts = list(row[: len(PRODUCT_COLUMNS)])
    for name in ("effects", "flavors", "terpenes"):
        place = PRODUCT_COLUMNS.index(name)
        facts[place] = tuple(facts[place])
    view = AdminProductView._make((*facts, lab_report_of_row(row[len(PRODUCT_COLUMNS) :])))
    return view._replace(image=picture_of(view.image, view.name, view.category))


@dataclass(frozen=True)
class AdminProductPage:
    products: tuple[AdminProductView, ...]
    total: int


@dataclass(frozen=True)
class ShelfCounts:
    """How many products each segment of the list would show."""

    all: int
    active: int
    archived: int
    low: int
    without_report: int


@dataclass(frozen=True)
class BaseVersion:
    """What an editor saw when they began to edit."""

    version: str
    stock: int | None = None
    """With it a new count is taken as a difference to that: what was sold meanwhile stays sold."""


class AdminProductAnswer(Answer):
    id: int
    name: str = Field(examples=["Fern Hollow"])
    description: str
    price: str = Field(examples=["49.99"])
    category: str = Field(examples=["THC Flower"])
    type: str = Field(examples=["Eighth (3.5g)"])
    potency: str = Field(examples=["Medium THC (20-25%)"])
    stock: int
    featured: bool
    active: bool
    brand: str
    sku: str = Field(examples=["FLW-0001"])
    strain: str
    thc_percent: float | None
    cbd_percent: float | None
    thc_mg: int | None
    net_weight_grams: float | None
    effects: list[str]
    flavors: list[str]
    terpenes: list[str]
    ingredients: str
    image_url: str = Field(examples=["/pictures/fern-hollow-640.webp"])
    low_stock: bool
    lab_report: LabReportAnswer | None
    created_at: str = Field(examples=["2026-11-20T11:40:00Z"])
    updated_at: str = Field(examples=["2026-11-20T11:40:00Z"])


def snapshot(product: Product) -> dict[str, Any]:
    """What an edit may change, to tell afterwards what it did."""
    names = [name for name in PRODUCT_COLUMNS if name not in ("id", "image", "stock", "created_at", "updated_at")]
    return {name: getattr(product, name) for name in names}
