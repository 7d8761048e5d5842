"""Products and queries for them, as in the catalogue."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from marketplace_app.models import Product
from marketplace_app.packaging import picture_of, picture_url
from marketplace_app.schemas.base import Cents, Form, PageQuery, SearchWords
from marketplace_app.schemas.products.lab_reports import LabReportAnswer, lab_report_of_row
from marketplace_app.schemas.products.product_fields import FactsAnswer, Percent, ProductFacts, facts_of_row
from marketplace_app.schemas.rows import names_of, row

MAX_FILTER_VALUES = 20


class SortBy(StrEnum):
    FEATURED = "featured"
    NAME = "name"
    PRICE = "price"
    RATING = "rating"
    NEWEST = "newest"


class SortDirection(StrEnum):
    ASCENDING = "asc"
    DESCENDING = "desc"


FilterValues = Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=MAX_FILTER_VALUES)]


def _at_least_minimum(highest: float, info: ValidationInfo) -> float:
    lowest = info.data.get(f"min_{str(info.field_name).removeprefix('max_')}")
    if lowest is not None and highest < lowest:
        raise ValueError("this is less than the lowest")
    return highest


MaxPercent = Annotated[Percent, AfterValidator(_at_least_minimum)]
"""`max_thc` or `max_cbd`, which must not be less than `min_thc` or `min_cbd`."""


class ProductQuery(PageQuery):
    """Filters combine: OR within a group, AND across groups; bounds are inclusive (RULE filters).

    `type` is a product's type or its strain. THC and CBD are in percent; a product that states none is in no range.
    """

    search: SearchWords = ""
    exact: bool = False
    """Search for exactly these words, even if they look like a typo."""
    category: FilterValues = []
    type: FilterValues = []
    potency: FilterValues = []
    min_price: Cents | None = None
    max_price: Cents | None = None
    effect: FilterValues = []
    flavor: FilterValues = []
    brand: FilterValues = []
    strain: FilterValues = []
    min_thc: Percent | None = None
    max_thc: MaxPercent | None = None
    min_cbd: Percent | None = None
    max_cbd: MaxPercent | None = None
    in_stock: bool | None = None
    sort_by: SortBy | None = None
    sort_order: SortDirection | None = None

    def is_unfiltered_search(self) -> bool:
        """Whether it has a search and no filters; page and order do not matter."""
        filters = self.model_copy(
            update={"search": "", "exact": False, "limit": None, "offset": 0, "sort_by": None, "sort_order": None}
        )
        return bool(self.search.strip()) and filters == ProductQuery()


class ProductTabChoice(Form):
    tab: Literal["description", "ingredients", "lab"]


@dataclass(frozen=True)
class PriceRange:
    label: str
    min_cents: int | None
    max_cents: int | None


PRICE_RANGES = (
    PriceRange("Under $50", None, 50_00),
    PriceRange("$50 - $100", 50_00, 100_00),
    PriceRange("$100 - $200", 100_00, 200_00),
    PriceRange("Over $200", 200_00, None),
)


@dataclass(frozen=True)
class PercentRange:
    label: str
    min_percent: float | None
    max_percent: float | None


THC_RANGES = (
    PercentRange("Under 15%", None, 15.0),
    PercentRange("15% - 20%", 15.0, 20.0),
    PercentRange("20% - 25%", 20.0, 25.0),
    PercentRange("Over 25%", 25.0, None),
)
CBD_RANGES = (
    PercentRange("Under 1%", None, 1.0),
    PercentRange("1% - 5%", 1.0, 5.0),
    PercentRange("5% - 10%", 5.0, 10.0),
    PercentRange("Over 10%", 10.0, None),
)


@row
class ProductView(ProductFacts):
    id: int
    image: str
    """Never empty: see `packaging.picture_of`."""
    rating_tenths: int
    review_count: int
    in_stock: bool

    @property
    def rating(self) -> str:
        return f"{self.rating_tenths // 10}.{self.rating_tenths % 10}"

    @property
    def subtitle(self) -> str:
        """The line under a picture: `Indica · 26% THC`, `Hybrid · 100 mg THC`."""
        strength = ""
        if self.thc_mg is not None:
            strength = f"{self.thc_mg} mg THC"
        elif self.thc_percent is not None:
            strength = f"{self.thc_percent:g}% THC"
        return " · ".join(part for part in (self.strain or self.type, strength) if part)

    def wire(self) -> dict[str, Any]:
        wire = self.facts_wire()
        wire["id"] = self.id
        wire["imageUrl"] = picture_url(self.image)
        wire["rating"] = self.rating
        wire["reviewCount"] = self.review_count
        wire["inStock"] = self.in_stock
        return wire


COLUMNS = (*names_of(ProductView)[:-1], "stock", "is_active")
"""What a view is made from: the last field, `in_stock`, follows from the last two columns."""
_NAME, _IMAGE, _CATEGORY = (COLUMNS.index(name) for name in ("name", "image", "category"))
_values_of = attrgetter(*COLUMNS)


def view_of(product: Product) -> ProductView:
    return view_of_row(_values_of(product))


def view_of_row(row: Sequence[Any]) -> ProductView:
    """From the values of a row's COLUMNS, in that order."""
    *values, stock, is_active = row
    values[_IMAGE] = picture_of(values[_IMAGE], values[_NAME], values[_CATEGORY])
    values.append(is_active and stock > 0)
    return ProductView(*facts_of_row(values))


@dataclass(frozen=True)
class ProductDetailView:
    product: ProductView
    lab_report: LabReportAnswer | None
    available: int
    """How many could be sold now. The JSON only has `inStock`."""

    def wire(self) -> dict[str, Any]:
        report = self.lab_report.wire() if self.lab_report else None
        return self.product.wire() | {"labReport": report}


def detail_of_row(row: Sequence[Any]) -> ProductDetailView:
    """From the values of COLUMNS, those of LAB_COLUMNS (None without a report), and the stock again."""
    return ProductDetailView(view_of_row(row[: len(COLUMNS)]), lab_report_of_row(row[len(COLUMNS) : -1]), row[-1])


@dataclass(frozen=True)
class ProductPage:
    """One page of a list of products; not the page of a product."""

    items: tuple[ProductView, ...]
    total: int
    corrected: str | None = None
    """What was searched instead of the query, if it seemed to have a typo and the correction finds something."""


class ProductAnswer(FactsAnswer):
    id: int
    image_url: str = Field(examples=["/pictures/fern-hollow-640.webp"])
    rating: str = Field(examples=["4.8"])
    review_count: int
    in_stock: bool


class ProductDetailAnswer(ProductAnswer):
    lab_report: LabReportAnswer | None
