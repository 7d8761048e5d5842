"""The catalogue's URL: `/?category=Edibles&type=Indica&sort=price-asc&page=2`."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from marketplace_app.limits import PAGE_SIZE
from marketplace_app.schemas.base import Form, PageOfList, parse
from marketplace_app.schemas.products.product_fields import Percent
from marketplace_app.schemas.products.products import (
    CBD_RANGES,
    PRICE_RANGES,
    THC_RANGES,
    FilterValues,
    MaxPercent,
    PercentRange,
    ProductQuery,
    SortBy,
    SortDirection,
)

Sort = Literal["featured", "name-asc", "name-desc", "price-asc", "price-desc", "rating-desc", "newest"]
FilterGroup = Literal[
    "category", "type", "potency", "price", "effect", "flavor", "brand", "strain", "thc", "cbd", "inStock"
]
ExpandableFilterGroup = Literal["effect", "flavor", "brand"]
RANGES: dict[str, tuple[PercentRange, ...]] = {"thc": THC_RANGES, "cbd": CBD_RANGES}
SORTS: dict[str, tuple[SortBy | None, SortDirection | None]] = {
    "featured": (None, None),
    "name-asc": (SortBy.NAME, SortDirection.ASCENDING),
    "name-desc": (SortBy.NAME, SortDirection.DESCENDING),
    "price-asc": (SortBy.PRICE, SortDirection.ASCENDING),
    "price-desc": (SortBy.PRICE, SortDirection.DESCENDING),
    "rating-desc": (SortBy.RATING, SortDirection.DESCENDING),
    "newest": (SortBy.NEWEST, None),
}
MORE_FILTERS = ("effect", "flavor", "brand", "strain", "thc", "cbd", "inStock")
MULTIPLE: tuple[FilterGroup, ...] = ("category", "type", "potency", "effect", "flavor", "brand", "strain")
"""The parameters that a URL may repeat, one for each value that is ticked."""
SINGLE = ("min_thc", "max_thc", "min_cbd", "max_cbd", "in_stock", "price", "search", "sort", "view", "page")
URL_PARAMETERS = (*MULTIPLE, *map(to_camel, SINGLE), "exact")


def _offered_price(label: str) -> str:
    if label and all(prices.label != label for prices in PRICE_RANGES):
        raise ValueError("one of the price ranges is expected")
    return label


class CatalogueFilterChoice(Form):
    group: FilterGroup
    value: Annotated[str, Field(max_length=80)]


class ExpandableGroupChoice(Form):
    group: ExpandableFilterGroup


class CatalogueParams(Form):
    """What a URL asks the catalogue to show. Unknown values of the filters in `MULTIPLE` match nothing."""

    model_config = ConfigDict(strict=False, validate_by_name=True)

    category: FilterValues = []
    type: FilterValues = []
    potency: FilterValues = []
    price: Annotated[str, Field(max_length=40), AfterValidator(_offered_price)] = ""
    effect: FilterValues = []
    flavor: FilterValues = []
    brand: FilterValues = []
    strain: FilterValues = []
    min_thc: Percent | None = None
    max_thc: MaxPercent | None = None
    min_cbd: Percent | None = None
    max_cbd: MaxPercent | None = None
    in_stock: bool | None = None
    search: Annotated[str, Field(max_length=200)] = ""
    exact: bool = False
    sort: Sort = "featured"
    view: Literal["grid", "list"] = "grid"
    page: PageOfList = 1

    @staticmethod
    def values_of_query(given: dict[str, list[str]]) -> dict[str, Any]:
        """Values to validate, from those of each parameter: of one that may not be repeated, the last counts."""
        return {key: values if key in MULTIPLE else values[-1] for key, values in given.items()}

    def changed(self, **changes: Any) -> "CatalogueParams":
        """Goes back to the first page, unless `page` itself changes. Raises InvalidInput for an unknown value."""
        return parse(CatalogueParams, self.model_dump() | {"page": 1} | changes)

    def toggled(self, group: FilterGroup, value: str) -> "CatalogueParams":
        if group == "price":
            return self.changed(price="" if self.price == value else value)
        if group == "inStock":
            return self.changed(in_stock=True if self.in_stock is None else None)
        if group in RANGES:
            return self._with_range(group, value)
        values = list(getattr(self, group))
        if value in values:
            values.remove(value)
        else:
            values.append(value)
        return self.changed(**{group: values})

    def in_category(self, category: str) -> "CatalogueParams":
        return self.changed(category=[category])

    def _with_range(self, group: str, value: str) -> "CatalogueParams":
        """Choosing a range replaces another; choosing it again, or an unknown value, removes it."""
        is_chosen = value == self.range_of(group)
        wanted = None if is_chosen else next((each for each in RANGES[group] if each.label == value), None)
        minimum, maximum = (wanted.min_percent, wanted.max_percent) if wanted else (None, None)
        return self.changed(**{f"min_{group}": minimum, f"max_{group}": maximum})

    def range_of(self, group: str) -> str:
        """`15% - 20%`, or empty; a URL may ask for ranges that the screen does not offer."""
        minimum, maximum = getattr(self, f"min_{group}"), getattr(self, f"max_{group}")
        if minimum is None and maximum is None:
            return ""
        for offered in RANGES[group]:
            if (offered.min_percent, offered.max_percent) == (minimum, maximum):
                return offered.label
        return f"{minimum or 0:g}% - {100 if maximum is None else maximum:g}%"

    def chosen(self) -> list[tuple[FilterGroup, str, str]]:
        """The ticked filters, for the chips: group, value and label."""
        ticked: list[tuple[FilterGroup, str, str]] = [
            (group, value, f"Strain: {value}" if group == "strain" else value)
            for group in MULTIPLE
            for value in getattr(self, group)
        ]
        if self.price:
            ticked.append(("price", self.price, self.price))
        if self.range_of("thc"):
            ticked.append(("thc", self.range_of("thc"), f"THC: {self.range_of('thc')}"))
        if self.range_of("cbd"):
            ticked.append(("cbd", self.range_of("cbd"), f"CBD: {self.range_of('cbd')}"))
        if self.in_stock is not None:
            ticked.append(("inStock", "true", "In stock" if self.in_stock else "Out of stock"))
        return ticked

    def count_more(self) -> int:
        """How many of the ticked filters are under "More filters"."""
        return sum(group in MORE_FILTERS for group, _value, _label in self.chosen())

    def parameters(self) -> list[tuple[str, str]]:
        """What differs from the default, for the address bar."""
        repeated: list[tuple[str, str]] = [(group, value) for group in MULTIPLE for value in getattr(self, group)]
        default = CatalogueParams()
        changed = [name for name in SINGLE if getattr(self, name) != getattr(default, name)]
        exact = [("exact", "1")] if self.exact else []
        return repeated + [(to_camel(name), _as_text(getattr(self, name))) for name in changed] + exact

    def query(self) -> ProductQuery:
        prices = next((prices for prices in PRICE_RANGES if prices.label == self.price), None)
        sort_by, sort_order = SORTS[self.sort]
        return ProductQuery.model_construct(
            search=self.search,
            exact=self.exact,
            category=self.category,
            type=self.type,
            potency=self.potency,
            min_price=prices.min_cents if prices else None,
            max_price=prices.max_cents if prices else None,
            effect=self.effect,
            flavor=self.flavor,
            brand=self.brand,
            strain=self.strain,
            min_thc=self.min_thc,
            max_thc=self.max_thc,
            min_cbd=self.min_cbd,
            max_cbd=self.max_cbd,
            in_stock=self.in_stock,
            sort_by=sort_by,
            sort_order=sort_order,
            limit=PAGE_SIZE,
            offset=(self.page - 1) * PAGE_SIZE,
        )


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)
