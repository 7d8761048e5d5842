"""The catalogue's address: `/?category=Edibles&type=Indica&sort=price-asc&page=2`."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from marketplace_app.limits import PAGE_SIZE
from marketplace_app.schemas.base import Form, parse
from marketplace_app.schemas.products import PRICE_RANGES, ProductQuery, SortBy, SortOrder, Values

Sort = Literal["featured", "name-asc", "name-desc", "price-asc", "price-desc", "rating-desc", "newest"]
Group = Literal["category", "type", "potency", "price"]
SORTS: dict[str, tuple[SortBy | None, SortOrder | None]] = {
    "featured": (None, None),
    "name-asc": (SortBy.NAME, SortOrder.ASCENDING),
    "name-desc": (SortBy.NAME, SortOrder.DESCENDING),
    "price-asc": (SortBy.PRICE, SortOrder.ASCENDING),
    "price-desc": (SortBy.PRICE, SortOrder.DESCENDING),
    "rating-desc": (SortBy.RATING, SortOrder.DESCENDING),
    "newest": (SortBy.NEWEST, None),
}
MULTIPLE = ("category", "type", "potency")
PAGE_PARAMETERS = (*MULTIPLE, "price", "search", "exact", "sort", "view", "page")


class FilterChoice(Form):
    group: Group
    value: Annotated[str, Field(max_length=80)]


class PageNumber(Form):
    page: Annotated[int, Field(ge=1, le=10_000)]


class Search(Form):
    text: Annotated[str, Field(max_length=200)]


class CatalogueAddress(Form):
    """What an address asks the catalogue to show. Values nobody knows simply match nothing."""

    model_config = ConfigDict(strict=False)

    category: Values = []
    type: Values = []
    potency: Values = []
    price: Annotated[str, Field(max_length=40)] = ""
    search: Annotated[str, Field(max_length=200)] = ""
    exact: bool = False
    sort: Sort = "featured"
    view: Literal["grid", "list"] = "grid"
    page: Annotated[int, Field(ge=1, le=10_000)] = 1

    @staticmethod
    def from_query(given: dict[str, list[str]]) -> dict[str, Any]:
        return {key: values if key in MULTIPLE else values[-1] for key, values in given.items()}

    def changed(self, **changes: Any) -> "CatalogueAddress":
        """Any change but a page's own goes back to the first page. Raises InvalidInput for an unknown value."""
        return parse(CatalogueAddress, self.model_dump() | {"page": 1} | changes)

    def toggled(self, group: Group, value: str) -> "CatalogueAddress":
        if group == "price":
            return self.changed(price="" if self.price == value else value)
        values = list(getattr(self, group))
        if value in values:
            values.remove(value)
        else:
            values.append(value)
        return self.changed(**{group: values})

    def with_only(self, category: str) -> "CatalogueAddress":
        return self.changed(category=[category])

    def chosen(self) -> list[tuple[Group, str]]:
        """The ticked filters, for the chips."""
        groups: tuple[Group, ...] = ("category", "type", "potency")
        ticked: list[tuple[Group, str]] = [(group, value) for group in groups for value in getattr(self, group)]
        return ticked + ([("price", self.price)] if self.price else [])

    def parameters(self) -> list[tuple[str, str]]:
        """What differs from the plain catalogue, for the address bar."""
        repeated = [(group, value) for group in MULTIPLE for value in getattr(self, group)]
        plain = CatalogueAddress()
        single = ("price", "search", "sort", "view", "page")
        changed = [name for name in single if getattr(self, name) != getattr(plain, name)]
        exact = [("exact", "1")] if self.exact else []
        return repeated + [(name, str(getattr(self, name))) for name in changed] + exact

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
            sort_by=sort_by,
            sort_order=sort_order,
            limit=PAGE_SIZE,
            offset=(self.page - 1) * PAGE_SIZE,
        )
