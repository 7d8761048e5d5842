"""What the catalogue's screen needs for one URL: a page of products, and how many each filter would show."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_

from sqlmodel import Session

from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.models import Hue, Potency, ProductType, Strain, User
from marketplace_app.schemas.products.facets import Counts, FacetsAnswer
from marketplace_app.schemas.products.products import CBD_RANGES, PRICE_RANGES, THC_RANGES, ProductPage, ProductQuery
from marketplace_app.services.products.products import list_categories, list_from
from marketplace_app.services.search import product_index, product_search
from marketplace_app.services.search.product_index import ProductIndex
from marketplace_app.services.search.product_sets import ProductSet

NEAREST_NAMES = 5
FIXED_VALUES: dict[str, tuple[str, ...]] = {
    "type": tuple(kind.value for kind in ProductType),
    "potency": tuple(potency.value for potency in Potency),
    "price_range": tuple(prices.label for prices in PRICE_RANGES),
    "strain": tuple(strain.value for strain in Strain),
    "thc_range": tuple(percents.label for percents in THC_RANGES),
    "cbd_range": tuple(percents.label for percents in CBD_RANGES),
    "in_stock": ("true", "false"),
}
MOST_FREQUENT_FIRST = ("effect", "flavor", "brand")


@dataclass(frozen=True)
class Alternatives:
    """What an empty list offers instead."""

    without_filters: int
    """How many products the search finds without the filters."""
    nearest: tuple[tuple[str, int], ...] = ()
    """Names similar to what was searched, each with the id of a product."""
    categories: Counts = ()
    """How many products each category has, whatever was searched and chosen."""


@dataclass(frozen=True)
class ResultSummary:
    """What is the same on all pages of a list, however it is sorted."""

    facets: FacetsAnswer
    hues: dict[str, Hue]
    """The hue of each category's badge, by the category's name."""
    alternatives: Alternatives | None = None


@dataclass(frozen=True)
class ProductList:
    page: ProductPage
    summary: ResultSummary


_SUMMARIES: VersionedCache[ResultSummary] = VersionedCache(max_size=256)
_PAGE_FIELDS = {"limit", "offset", "sort_by", "sort_order"}


def show(session: Session, actor: User | None, query: ProductQuery) -> ProductList:
    """Everything from one transaction, so that the numbers on the screen agree."""
    index = product_index.current(session)
    return ProductList(list_from(session, index, query), _summarize(session, actor, index, query))


def count_facets(session: Session, actor: User | None, query: ProductQuery) -> FacetsAnswer:
    return _summarize(session, actor, product_index.current(session), query).facets


def _summarize(session: Session, actor: User | None, index: ProductIndex, query: ProductQuery) -> ResultSummary:
    def summarize() -> ResultSummary:
        categories = list_categories(session, actor)
        hues = {category.name: category.hue for category in categories}
        in_panel = sorted((each for each in categories if each.is_active), key=lambda each: each.panel_position)
        category_names = tuple(category.name for category in in_panel)
        matching = product_search.find(session, index, query).products
        facets = _count(index, query, matching, category_names)
        return ResultSummary(
            facets, hues, None if facets.total else _alternatives(index, query, matching, category_names)
        )

    return _SUMMARIES.get(query.model_dump_json(exclude=_PAGE_FIELDS), index.version, summarize)


def _count(
    index: ProductIndex, query: ProductQuery, matching: ProductSet, category_names: tuple[str, ...]
) -> FacetsAnswer:
    """How many products each value would show, given the choices in all groups but its own."""
    chosen = index.chosen(query)

    def without_group(group: str | None) -> ProductSet:
        return reduce(and_, (passed for other, passed in chosen.items() if other != group), matching)

    def counted(group: str, values: Iterable[str]) -> Counts:
        passing = without_group(group)
        return tuple((value, (passing & index.values[group].get(value, 0)).bit_count()) for value in values)

    def by_frequency(group: str) -> Counts:
        ticked: list[str] = getattr(query, group)
        counts = counted(group, index.values[group].keys() | ticked)
        listed = ((value, count) for value, count in counts if (value and count) or value in ticked)
        return tuple(sorted(listed, key=lambda each: (-each[1], each[0])))

    return FacetsAnswer(
        category=counted("category", category_names),
        **{group: counted(group, values) for group, values in FIXED_VALUES.items()},
        **{group: by_frequency(group) for group in MOST_FREQUENT_FIRST},
        total=without_group(None).bit_count(),
    )


def _alternatives(
    index: ProductIndex, query: ProductQuery, matching: ProductSet, category_names: tuple[str, ...]
) -> Alternatives:
    return Alternatives(
        without_filters=matching.bit_count(),
        nearest=() if matching else tuple(index.nearest(query.search, NEAREST_NAMES)),
        categories=tuple((name, index.values["category"].get(name, 0).bit_count()) for name in category_names),
    )
