"""Products, as staff list and edit them (RULE product-fields, RULE wire-product)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from marketplace_app import clock
from marketplace_app.limits import LOW_STOCK
from marketplace_app.models import Product
from marketplace_app.packaging import picture_of, picture_url
from marketplace_app.schemas.base import PageQuery
from marketplace_app.schemas.products.lab_reports import LabReportAnswer, lab_report_of_row
from marketplace_app.schemas.products.product_fields import ENTRIES, FactsAnswer, ProductFacts, facts_of_row
from marketplace_app.schemas.products.products import FilterValues, SortDirection
from marketplace_app.schemas.rows import names_of, row


class AdminProductSortKey(StrEnum):
    NAME = "name"
    PRICE = "price"
    STOCK = "stock"
    UPDATED = "updated"
    CREATED = "created"


class AdminProductQuery(PageQuery):
    """Filters combine: OR within category and type, AND across. Without `active`, archived products are included.

    Without `sort`, a search shows the best matches of the name first, and any other list is by name.
    """

    q: Annotated[str, Field(max_length=200)] = ""
    category: FilterValues = []
    type: FilterValues = []
    active: bool | None = None
    low_stock: bool = False
    without_report: bool = False
    sort: AdminProductSortKey | None = None
    order: SortDirection = SortDirection.ASCENDING


@row
class AdminProductView(ProductFacts):
    """Everything that is stored about a product, archived or not."""

    id: int
    image: str
    stock: int
    is_active: bool
    created_at: datetime
    updated_at: datetime
    lab_report: LabReportAnswer | None

    @property
    def is_low(self) -> bool:
        return self.is_active and self.stock <= LOW_STOCK

    @property
    def version(self) -> str:
        """Identifies this version of the facts: an edit names the one it is based on. Sales do not change it."""
        return self.updated_at.isoformat()

    def form_wire(self) -> dict[str, Any]:
        """The fields of `ProductForm`."""
        lists = {name: list(getattr(self, name)) for name in ENTRIES}
        return self.facts_wire() | lists | {"stock": self.stock, "active": self.is_active}

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


PRODUCT_COLUMNS = names_of(AdminProductView)[:-1]
_NAME, _IMAGE, _CATEGORY = (PRODUCT_COLUMNS.index(name) for name in ("name", "image", "category"))


def admin_view_of_row(row: Any) -> AdminProductView:
    """From the values of PRODUCT_COLUMNS and of `schemas.products.lab_reports.LAB_COLUMNS`."""
    values = facts_of_row(list(row[: len(PRODUCT_COLUMNS)]))
    values[_IMAGE] = picture_of(values[_IMAGE], values[_NAME], values[_CATEGORY])
    values.append(lab_report_of_row(row[len(PRODUCT_COLUMNS) :]))
    return AdminProductView(*values)


@dataclass(frozen=True)
class AdminProductPage:
    products: tuple[AdminProductView, ...]
    total: int


@dataclass(frozen=True)
class SegmentCounts:
    """How many products each segment of the list would show."""

    all: int
    active: int
    archived: int
    low: int
    without_report: int
    are_rules_enforced: bool
    """Whether products without a weight or THC matter (RULE uncounted-products). Read in the same SQL statement."""


@dataclass(frozen=True)
class SeenVersion:
    """What an editor saw when they began to edit."""

    version: str
    stock: int | None = None
    """If given, a new count is applied as a difference from this one: what was sold meanwhile stays sold."""


class AdminProductAnswer(FactsAnswer):
    id: int
    stock: int
    active: bool
    image_url: str = Field(examples=["/pictures/fern-hollow-640.webp"])
    low_stock: bool
    lab_report: LabReportAnswer | None
    created_at: str = Field(examples=["2026-11-20T11:40:00Z"])
    updated_at: str = Field(examples=["2026-11-20T11:40:00Z"])


def snapshot(product: Product) -> dict[str, Any]:
    """What an edit may change, to compare with afterwards."""
    names = [name for name in PRODUCT_COLUMNS if name not in ("id", "image", "stock", "created_at", "updated_at")]
    return {name: getattr(product, name) for name in names}
